package dev.why429.analyzers.reconstruct;

import java.util.Arrays;

/** The decisions of a log, bucket after bucket, each bucket in the order of arrival; what the statistics run over. */
final class Series {
    /**
     * A limiter decides a moment after the request arrived, and stamps are rounded; so much either way is no contradiction. Real proxies and
     * frameworks stay well below it when they are not overloaded.
     */
    static final long SLACK_MICROS = 1_000;

    final DecisionLog log;
    /** Where each entry stands in the log. */
    final int[] source;

    final long[] early;
    final long[] late;
    final boolean[] denied;
    /** Level of the bucket before the request, where nginx wrote it; otherwise NaN. */
    final double[] level;
    /** First entry of each bucket; one more than there are buckets. */
    final int[] start;
    /** Decisions without the key: they cannot have been denied by it. */
    final int outside;

    final int deniedOutside;
    /** Time is counted from here, so that it fits a double with room to spare. */
    final long originMicros;

    private Series(
            DecisionLog log,
            int[] source,
            long[] early,
            long[] late,
            boolean[] denied,
            double[] level,
            int[] start,
            int outside,
            int deniedOutside,
            long originMicros) {
        this.log = log;
        this.source = source;
        this.early = early;
        this.late = late;
        this.denied = denied;
        this.level = level;
        this.start = start;
        this.outside = outside;
        this.deniedOutside = deniedOutside;
        this.originMicros = originMicros;
    }

    int size() {
        return source.length;
    }

    int buckets() {
        return start.length - 1;
    }

    static Series of(DecisionLog log, Grouping key) {
        int n = log.size();
        int[] count = new int[key.groups() + 1];
        int outside = 0;
        int deniedOutside = 0;
        for (int i = 0; i < n; i++) {
            int g = key.group()[i];
            if (g < 0) {
                outside++;
                deniedOutside += log.denied()[i] ? 1 : 0;
            } else {
                count[g + 1]++;
            }
        }
        for (int g = 1; g < count.length; g++) {
            count[g] += count[g - 1];
        }
        int[] start = count.clone();
        int inside = n - outside;
        int[] source = new int[inside];
        int[] next = Arrays.copyOf(count, key.groups());
        for (int i = 0; i < n; i++) {
            int g = key.group()[i];
            if (g >= 0) {
                source[next[g]++] = i;
            }
        }
        long resolution = resolutionMicros(log);
        long[] early = new long[inside];
        long[] late = new long[inside];
        boolean[] denied = new boolean[inside];
        double[] level = new double[inside];
        for (int k = 0; k < inside; k++) {
            int i = source[k];
            long u = log.uncertaintyMicros()[i];
            early[k] = log.arrivalMicros()[i] - SLACK_MICROS;
            late[k] = log.arrivalMicros()[i] + (u < 0 ? resolution : u) + SLACK_MICROS;
            denied[k] = log.denied()[i];
            level[k] = log.excessMilli()[i] < 0 ? Double.NaN : log.excessMilli()[i] / 1000.0 - 1;
        }
        keepOrder(early, late, start);
        long origin = n == 0 ? 0 : log.arrivalMicros()[0];
        return new Series(log, source, early, late, denied, level, start, outside, deniedOutside, origin);
    }

    /** What comes later in the log did not arrive before what comes earlier, as far as the stamps leave it open. */
    private static void keepOrder(long[] early, long[] late, int[] start) {
        for (int g = 0; g + 1 < start.length; g++) {
            for (int k = start[g] + 1; k < start[g + 1]; k++) {
                early[k] = Math.max(early[k], Math.min(early[k - 1], late[k]));
            }
            for (int k = start[g + 1] - 2; k >= start[g]; k--) {
                late[k] = Math.min(late[k], Math.max(late[k + 1], early[k]));
            }
        }
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
