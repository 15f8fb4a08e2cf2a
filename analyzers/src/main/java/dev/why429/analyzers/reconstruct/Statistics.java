package dev.why429.analyzers.reconstruct;

/**
 * The statistics: for each decision the lowest and highest value that the stamps allow, computed from the decisions observed before it and not
 * from what the limiter would have done. So one missing line does not spoil what follows it.
 */
final class Statistics {
    /** Statistic of a request during a block: above every limit. */
    static final double BLOCKED = 20_000;

    private Statistics() {}

    /**
     * @param parameter window in seconds, or rate per second
     * @param blockSeconds length of the block, where the family has one
     * @param low receives the lowest values, in the order of the series
     * @param high receives the highest values
     * @return how levels that the server itself wrote agree with the parameter
     */
    static Buckets.Levels run(
            Family family, Series s, double parameter, double blockSeconds, double[] low, double[] high) {
        Buckets.Levels levels = Buckets.Levels.NONE;
        switch (family) {
            case FIXED_CLOCK -> FixedWindows.onClock(s, micros(parameter), low, high);
            case FIXED_FIRST -> FixedWindows.fromFirst(s, micros(parameter), low, high);
            case LOG_ALLOWED -> log(s, micros(parameter), false, low, high);
            case LOG_ALL -> log(s, micros(parameter), true, low, high);
            case LOG_BLOCK -> logWithBlock(s, micros(parameter), micros(blockSeconds), low, high);
            case COUNTER_CLOCK_ALLOWED -> counter(s, micros(parameter), true, false, low, high);
            case COUNTER_CLOCK_ALL -> counter(s, micros(parameter), true, true, low, high);
            case COUNTER_FIRST_ALLOWED -> counter(s, micros(parameter), false, false, low, high);
            case COUNTER_FIRST_ALL -> counter(s, micros(parameter), false, true, low, high);
            case BUCKET -> levels = Buckets.continuous(s, parameter, low, high);
            case BUCKET_WHOLE_SECONDS -> Buckets.ofWholeSeconds(s, parameter, low, high);
            case BUCKET_WHOLE_TOKENS -> Buckets.ofWholeTokens(s, parameter, low, high);
        }
        return levels;
    }

    private static long micros(double seconds) {
        return Math.max(1, Math.round(seconds * 1e6));
    }

    /** Requests of the last window that count. */
    private static void log(Series s, long window, boolean countDenied, double[] low, double[] high) {
        int[] counted = new int[s.size()];
        for (int g = 0; g < s.buckets(); g++) {
            int size = 0;
            int certain = 0;
            int possible = 0;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                while (certain < size && s.early[counted[certain]] <= s.late[i] - window) {
                    certain++;
                }
                while (possible < size && s.late[counted[possible]] <= s.early[i] - window) {
                    possible++;
                }
                low[i] = size - Math.max(certain, possible);
                high[i] = size - possible;
                if (countDenied || !s.denied[i]) {
                    counted[size++] = i;
                }
            }
        }
    }

    /**
     * Allowed requests of the last window; the first denial blocks for a fixed time, then nothing is counted yet (as NestJS's throttler does).
     */
    private static void logWithBlock(Series s, long window, long block, double[] low, double[] high) {
        int[] counted = new int[s.size()];
        for (int g = 0; g < s.buckets(); g++) {
            int size = 0;
            int certain = 0;
            int possible = 0;
            long blockedLow = Long.MIN_VALUE;
            long blockedHigh = Long.MIN_VALUE;
            boolean blocked = false;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                if (blocked && (s.early[i] >= blockedHigh || (!s.denied[i] && s.late[i] >= blockedLow))) {
                    boolean certainlyOver = s.early[i] >= blockedHigh;
                    blocked = false;
                    size = 0;
                    certain = 0;
                    possible = 0;
                    low[i] = 0;
                    high[i] = certainlyOver ? 0 : BLOCKED;
                } else if (blocked) {
                    low[i] = s.late[i] >= blockedLow ? 0 : BLOCKED;
                    high[i] = BLOCKED;
                    continue;
                } else {
                    while (certain < size && s.early[counted[certain]] <= s.late[i] - window) {
                        certain++;
                    }
                    while (possible < size && s.late[counted[possible]] <= s.early[i] - window) {
                        possible++;
                    }
                    low[i] = size - Math.max(certain, possible);
                    high[i] = size - possible;
                }
                if (s.denied[i]) {
                    blocked = true;
                    blockedLow = s.early[i] + block;
                    blockedHigh = s.late[i] + block;
                } else {
                    counted[size++] = i;
                }
            }
        }
    }

    /** {@code previous × (1 − elapsed part) + current}, over windows of the clock or of periods that follow the first request. */
    private static void counter(
            Series s, long window, boolean onClock, boolean countDenied, double[] low, double[] high) {
        for (int g = 0; g < s.buckets(); g++) {
            long begin = Long.MIN_VALUE;
            double previous = 0;
            double current = 0;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                long at = (s.early[i] + s.late[i]) >> 1;
                if (begin == Long.MIN_VALUE) {
                    begin = onClock ? Math.floorDiv(at, window) * window : at;
                } else if (at - begin >= 2 * window) {
                    begin = onClock ? Math.floorDiv(at, window) * window : at;
                    previous = 0;
                    current = 0;
                } else if (at - begin >= window) {
                    begin += window;
                    previous = current;
                    current = 0;
                }
                double earlyPart = part(s.early[i] - begin, window);
                double latePart = part(s.late[i] - begin, window);
                low[i] = previous * (1 - latePart) + current;
                high[i] = previous * (1 - earlyPart) + current;
                if (countDenied || !s.denied[i]) {
                    current++;
                }
            }
        }
    }

    private static double part(long elapsed, long window) {
        return Math.max(0, Math.min(1, elapsed / (double) window));
    }
}
