package dev.why429.analyzers.reconstruct;

import java.util.Optional;

/**
 * When each decision of a log can have been made.
 *
 * @param early earliest moment, micros
 * @param late latest moment
 */
@SuppressWarnings("ArrayRecordComponent") // one number per decision
record Stamps(long[] early, long[] late) {
    /**
     * A limiter decides a moment after the request arrived, and stamps are rounded; so much either way is no contradiction. Real proxies and
     * frameworks stay well below it when they are not overloaded.
     */
    static final long SLACK_MICROS = 1_000;

    private static final long COARSE_MICROS = 400_000;

    static Stamps of(DecisionLog log) {
        int n = log.size();
        long resolution = resolutionMicros(log);
        long[] early = new long[n];
        long[] late = new long[n];
        for (int i = 0; i < n; i++) {
            long u = log.uncertaintyMicros()[i];
            early[i] = log.arrivalMicros()[i] - SLACK_MICROS;
            late[i] = log.arrivalMicros()[i] + (u < 0 ? resolution : u) + SLACK_MICROS;
        }
        return new Stamps(early, late);
    }

    /**
     * The same where stamps are coarse and lines stand in order: k lines within a range are spread over it, the i-th about i ÷ (k + 1) of the
     * way, give or take two standard deviations of that order statistic. Traffic that comes in bursts is not spread so; whoever uses this
     * compares it with the full ranges.
     *
     * @return empty where no stamp is coarse
     */
    Optional<Stamps> spread() {
        int n = early.length;
        long[] newEarly = early.clone();
        long[] newLate = late.clone();
        boolean any = false;
        int from = 0;
        while (from < n) {
            int to = from + 1;
            while (to < n && second(to) == second(from)) {
                to++;
            }
            int k = to - from;
            long begin = second(from) * 1_000_000;
            for (int i = from; i < to; i++) {
                if (late[i] - early[i] >= COARSE_MICROS) {
                    any = true;
                    double rank = i - from + 1;
                    double deviation = Math.sqrt(rank * (k + 1 - rank) / (k + 2.0)) / (k + 1);
                    double at = rank / (k + 1);
                    newEarly[i] = Math.max(early[i], begin + (long) (1e6 * (at - 2 * deviation)));
                    newLate[i] = Math.min(late[i], begin + (long) (1e6 * (at + 2 * deviation)));
                    if (newEarly[i] > newLate[i]) {
                        newEarly[i] = early[i];
                        newLate[i] = late[i];
                    }
                }
            }
            from = to;
        }
        return any ? Optional.of(new Stamps(newEarly, newLate)) : Optional.empty();
    }

    private long second(int i) {
        return Math.floorDiv((early[i] + late[i]) / 2, 1_000_000L);
    }

    Stamps only(boolean[] wanted) {
        int n = 0;
        for (boolean w : wanted) {
            n += w ? 1 : 0;
        }
        long[] someEarly = new long[n];
        long[] someLate = new long[n];
        int k = 0;
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i]) {
                someEarly[k] = early[i];
                someLate[k++] = late[i];
            }
        }
        return new Stamps(someEarly, someLate);
    }

    /** One second when every stamp is a whole second, otherwise a millisecond. */
    private static long resolutionMicros(DecisionLog log) {
        for (int i = 0; i < log.size(); i++) {
            if (log.uncertaintyMicros()[i] < 0 && log.arrivalMicros()[i] % 1_000_000 != 0) {
                return 1_000;
            }
        }
        return 1_000_000;
    }
}
