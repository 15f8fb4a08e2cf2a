package dev.why429.analyzers.reconstruct;

/**
 * The statistics: for each decision the lowest and highest value that the stamps allow, computed from the decisions observed before it and not
 * from what the limiter would have done. So one missing line does not spoil what follows it.
 */
final class Statistics {
    /** Statistic of a request during a block: above every limit. */
    static final double BLOCKED = 20_000;

    /** How exactly a level that was written is compared, requests; moments that are off by a few milliseconds shift it so far. */
    private static final double LEVEL_GRAIN = 0.05;

    private Statistics() {}

    /**
     * @param parameter window in seconds, or rate per second
     * @param blockSeconds length of the block, where the family has one
     * @param low receives the lowest values, in the order of the series
     * @param high receives the highest values
     * @return bits that levels which the server itself wrote cost under the parameter; negative where it foretells them
     */
    static double run(Family family, Series s, double parameter, double blockSeconds, double[] low, double[] high) {
        double levelBits = 0;
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
            case BUCKET -> levelBits = bucket(s, parameter, low, high);
            case BUCKET_WHOLE_SECONDS -> bucketOfWholeSeconds(s, parameter, low, high);
        }
        return levelBits;
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

    /**
     * Tokens in use, {@code d ← max(0, d − r·Δ)}, plus one on each allow. The stamps' uncertainty does not add up: the differences telescope
     * from the moment at which the bucket was last full. Where nginx wrote the level, it holds from there on.
     */
    static double bucket(Series s, double ratePerSecond, double[] low, double[] high) {
        double levelBits = 0;
        double rate = ratePerSecond / 1e6;
        double[] value = new double[s.size()];
        for (int g = 0; g < s.buckets(); g++) {
            int first = s.start[g];
            double used = 0;
            double certainBest = Double.NEGATIVE_INFINITY;
            double lowBest = Double.NEGATIVE_INFINITY;
            int overlap = first;
            for (int i = first; i < s.start[g + 1]; i++) {
                double earlyAt = rate * (s.early[i] - s.originMicros);
                double lateAt = rate * (s.late[i] - s.originMicros);
                while (overlap < i && s.late[overlap] <= s.early[i]) {
                    certainBest = Math.max(certainBest, value[overlap] + rate * (s.late[overlap] - s.originMicros));
                    overlap++;
                }
                double highest = Math.max(0, used - earlyAt + certainBest);
                if (overlap < i) {
                    highest = Math.max(highest, used + value[overlap]);
                }
                // below zero where the bucket has been empty for a while by then: the range must keep its length
                double lowest = Math.min(highest, i == first ? 0 : used - lateAt + lowBest);
                double level = s.level[i];
                if (Double.isNaN(level)) {
                    low[i] = lowest;
                    high[i] = highest;
                    value[i] = -used;
                } else {
                    levelBits += levelBits(level, lowest, highest, s.highestLevel);
                    low[i] = level;
                    high[i] = level;
                    value[i] = level - used;
                    certainBest = Double.NEGATIVE_INFINITY;
                    lowBest = Double.NEGATIVE_INFINITY;
                    overlap = i;
                }
                lowBest = Math.max(lowBest, value[i] + earlyAt);
                if (!s.denied[i]) {
                    used++;
                }
            }
        }
        return levelBits;
    }

    /** The finer the range in which the level was foretold, the more it says; measured against a guess between empty and the highest level. */
    private static double levelBits(double level, double lowest, double highest, double highestLevel) {
        if (level < lowest - LEVEL_GRAIN || level > highest + LEVEL_GRAIN) {
            return Threshold.WRONG_BITS;
        }
        return Math.log((highest - lowest + LEVEL_GRAIN) / (highestLevel + LEVEL_GRAIN)) / Math.log(2);
    }

    /** The same with a clock of whole seconds, as Spring Cloud Gateway's script has it. */
    private static void bucketOfWholeSeconds(Series s, double rate, double[] low, double[] high) {
        for (int g = 0; g < s.buckets(); g++) {
            double lowUsed = 0;
            double highUsed = 0;
            long lastEarly = Long.MIN_VALUE;
            long lastLate = Long.MIN_VALUE;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                long early = Math.floorDiv(s.early[i], 1_000_000L);
                long late = Math.floorDiv(s.late[i], 1_000_000L);
                if (lastEarly != Long.MIN_VALUE) {
                    highUsed = Math.max(0, highUsed - rate * Math.max(0, early - lastLate));
                    lowUsed = Math.max(0, lowUsed - rate * Math.max(0, late - lastEarly));
                }
                low[i] = lowUsed;
                high[i] = highUsed;
                lastEarly = early;
                lastLate = late;
                if (!s.denied[i]) {
                    lowUsed++;
                    highUsed++;
                }
            }
        }
    }
}
