package dev.why429.analyzers.reconstruct;

import java.util.Arrays;

/** The decisions of a log, bucket after bucket, each bucket in the order of arrival; what the statistics run over. */
final class Series {
    final DecisionLog log;
    /** Where each entry stands in the log. */
    final int[] source;

    final long[] early;
    final long[] late;
    final boolean[] denied;
    /** What each request takes from a bucket; one unless told otherwise. */
    final double[] tokens;
    /** Level of the bucket before the request, where nginx wrote it; otherwise NaN. */
    final double[] level;
    /** How many of these there are. */
    final int levels;
    /** Highest of these, 0 where there is none. */
    final double highestLevel;
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
        this.tokens = new double[denied.length];
        Arrays.fill(tokens, 1);
        this.level = level;
        this.highestLevel =
                Arrays.stream(level).filter(l -> !Double.isNaN(l)).max().orElse(0);
        this.levels = (int) Arrays.stream(level).filter(l -> !Double.isNaN(l)).count();
        this.start = start;
        this.outside = outside;
        this.deniedOutside = deniedOutside;
        this.originMicros = originMicros;
    }

    int size() {
        return source.length;
    }

    /** Tokens as in a series of the same decisions. */
    void take(Series other) {
        System.arraycopy(other.tokens, 0, tokens, 0, tokens.length);
    }

    int buckets() {
        return start.length - 1;
    }

    /** Most requests of one bucket that can have come within a second. */
    int busiestSecond() {
        int most = 0;
        for (int g = 0; g < buckets(); g++) {
            int from = start[g];
            for (int i = from; i < start[g + 1]; i++) {
                while (early[i] - late[from] > 1_000_000) {
                    from++;
                }
                most = Math.max(most, i - from + 1);
            }
        }
        return most;
    }

    static Series of(DecisionLog log, Grouping key, Stamps stamps) {
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
        long[] early = new long[inside];
        long[] late = new long[inside];
        boolean[] denied = new boolean[inside];
        double[] level = new double[inside];
        for (int k = 0; k < inside; k++) {
            int i = source[k];
            early[k] = stamps.early()[i];
            late[k] = stamps.late()[i];
            denied[k] = log.denied()[i];
            // nginx lets the first request in for nothing: its excess before a request is the tokens in use of a bucket
            // of burst + 1
            level[k] = log.excessMilli()[i] < 0 ? Double.NaN : log.excessMilli()[i] / 1000.0;
        }
        long origin = n == 0 ? 0 : log.arrivalMicros()[0];
        return new Series(log, source, early, late, denied, level, start, outside, deniedOutside, origin);
    }
}
