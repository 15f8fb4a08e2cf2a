package dev.why429.analyzers.reconstruct;

/** Requests counted since the window began, for windows that start on the clock and for windows that start with a key's first request. */
final class FixedWindows {
    /** Ways in which the stamps leave the window's start open that are followed side by side. */
    private static final int HYPOTHESES = 6;
    /** Part of a window after which a surprising allow is taken for the beginning of the next one. */
    private static final double NEARLY_OVER = 0.8;

    private FixedWindows() {}

    static void onClock(Series s, long window, double[] low, double[] high) {
        for (int g = 0; g < s.buckets(); g++) {
            long current = Long.MIN_VALUE;
            int certain = 0;
            int possible = 0;
            int possibleNext = 0;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                long first = Math.floorDiv(s.early[i], window);
                long last = Math.floorDiv(s.late[i], window);
                if (first > current) {
                    possible = first == current + 1 ? possibleNext : 0;
                    possibleNext = 0;
                    certain = 0;
                    current = first;
                }
                if (last <= current) {
                    low[i] = certain;
                    high[i] = certain + possible;
                    certain++;
                } else {
                    low[i] = 0;
                    high[i] = certain + possible;
                    possible++;
                    possibleNext++;
                }
            }
        }
    }

    /**
     * A window starts with the first request at or after the end of the one before. Where the stamps leave open whether a request started one,
     * both ways are followed until a decision refutes one: a request that starts a window is not denied, and after a denial the same window
     * allows none.
     */
    static void fromFirst(Series s, long window, double[] low, double[] high) {
        State now = new State();
        State next = new State();
        for (int g = 0; g < s.buckets(); g++) {
            now.size = 0;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                next.size = 0;
                step(s, i, window, now, next, low, high);
                State swap = now;
                now = next;
                next = swap;
            }
        }
    }

    private static void step(Series s, int i, long window, State now, State next, double[] low, double[] high) {
        long early = s.early[i];
        long late = s.late[i];
        boolean denied = s.denied[i];
        if (now.size == 0) {
            low[i] = 0;
            high[i] = 0;
            next.add(early, late, 1, denied);
            return;
        }
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        for (int h = 0; h < now.size; h++) {
            boolean mayStay = early < now.startHigh[h] + window;
            boolean mayReset = late >= now.startLow[h] + window;
            if (mayStay) {
                lowest = Math.min(lowest, now.count[h]);
                highest = Math.max(highest, now.count[h]);
            }
            if (mayReset) {
                lowest = 0;
            }
            if (mayStay && (denied || !now.deniedBefore[h])) {
                next.add(
                        Math.max(now.startLow[h], early - window + 1),
                        Math.max(now.startHigh[h], early - window + 1),
                        now.count[h] + 1,
                        denied || now.deniedBefore[h]);
            }
            if (mayReset && !denied) {
                next.add(Math.max(early, now.startLow[h] + window), late, 1, false);
            }
        }
        low[i] = lowest;
        high[i] = highest;
        if (next.size == 0) {
            // No way is left: the family is wrong here, a line is missing, or the window began at another moment than
            // it seemed. A denial says
            // that the window still runs; an allow after denials that the next one has begun, if it was nearly time,
            // and otherwise that two
            // requests changed places.
            if (denied) {
                next.add(early - window + 1, early, now.count[0] + 1, true);
            } else if (late - now.startLow[0] > NEARLY_OVER * window) {
                next.add(early, late, 1, false);
            } else {
                next.add(now.startLow[0], now.startHigh[0], now.count[0] + 1, true);
            }
        }
    }

    private static final class State {
        final long[] startLow = new long[HYPOTHESES];
        final long[] startHigh = new long[HYPOTHESES];
        final int[] count = new int[HYPOTHESES];
        final boolean[] deniedBefore = new boolean[HYPOTHESES];
        int size;

        void add(long low, long high, int counted, boolean denied) {
            for (int h = 0; h < size; h++) {
                if (count[h] == counted && deniedBefore[h] == denied) {
                    startLow[h] = Math.min(startLow[h], low);
                    startHigh[h] = Math.max(startHigh[h], high);
                    return;
                }
            }
            if (size < HYPOTHESES) {
                startLow[size] = low;
                startHigh[size] = Math.max(low, high);
                count[size] = counted;
                deniedBefore[size] = denied;
                size++;
            }
        }
    }
}
