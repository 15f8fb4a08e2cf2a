package dev.why429.analyzers.reconstruct;

/** Tokens in use of buckets that refill. */
final class Buckets {
    /** How exactly a level that was written is foretold: requests, */
    private static final double LEVEL_GRAIN = 0.03;
    /** and seconds by which a decision may lie beside its stamp. */
    private static final double LEVEL_GRAIN_SECONDS = 0.003;

    /**
     * How levels that the server wrote agree with a rate.
     *
     * @param contradicted levels that no moment within the stamps explains
     * @param vagueBits what it costs that others are hardly foretold
     */
    record Levels(int contradicted, double vagueBits) {
        static final Levels NONE = new Levels(0, 0);
    }

    private Buckets() {}

    /**
     * {@code d ← max(0, d − r·Δ)}, plus one on each allow. The stamps' uncertainty does not add up: the differences telescope from the moment at
     * which the bucket was last full. A level that nginx wrote holds exactly; levels that lie far apart in time pin the rate, by how far it may
     * be off over that time.
     *
     * @return how well the written levels were foretold
     */
    static Levels continuous(Series s, double ratePerSecond, double[] low, double[] high) {
        double rate = ratePerSecond / 1e6;
        double grain = LEVEL_GRAIN + ratePerSecond * LEVEL_GRAIN_SECONDS;
        double[] value = new double[s.size()];
        int contradicted = 0;
        double vague = 0;
        for (int g = 0; g < s.buckets(); g++) {
            int first = s.start[g];
            double used = 0;
            double certainBest = Double.NEGATIVE_INFINITY;
            double lowBest = Double.NEGATIVE_INFINITY;
            double upper = Double.POSITIVE_INFINITY;
            int overlap = first;
            int merged = first;
            for (int i = first; i < s.start[g + 1]; i++) {
                double earlyAt = rate * (s.early[i] - s.originMicros);
                double lateAt = rate * (s.late[i] - s.originMicros);
                while (overlap < i && s.late[overlap] <= s.early[i]) {
                    certainBest = Math.max(certainBest, value[overlap] + rate * (s.late[overlap] - s.originMicros));
                    overlap++;
                }
                while (merged < i && s.late[merged] <= s.early[i]) {
                    if (!Double.isNaN(s.level[merged])) {
                        upper = Math.min(upper, value[merged] + rate * (s.late[merged] - s.originMicros));
                    }
                    merged++;
                }
                double highest = Math.max(0, used - earlyAt + certainBest);
                if (overlap < i) {
                    highest = Math.max(highest, used + value[overlap]);
                }
                // below zero where the bucket has been empty for a while by then: the range must keep its length
                double lowest = Math.min(highest, i == first ? 0 : used - lateAt + lowBest);
                if (lowest <= 0) {
                    // it may have run empty meanwhile: what was known of its level before says nothing any more
                    upper = Double.POSITIVE_INFINITY;
                    merged = i;
                } else {
                    highest = Math.max(lowest, Math.min(highest, used - earlyAt + upper));
                }
                double level = s.level[i];
                if (Double.isNaN(level)) {
                    low[i] = lowest + s.tokens[i] - 1;
                    high[i] = highest + s.tokens[i] - 1;
                    value[i] = -used;
                } else {
                    low[i] = level;
                    high[i] = level;
                    value[i] = level - used;
                    certainBest = Double.NEGATIVE_INFINITY;
                    overlap = i;
                    if (level < lowest - grain || level > highest + grain) {
                        contradicted++;
                        lowBest = Double.NEGATIVE_INFINITY;
                        upper = Double.POSITIVE_INFINITY;
                        merged = i;
                    } else {
                        vague += vagueBits(highest - lowest, s.highestLevel);
                    }
                }
                lowBest = Math.max(lowBest, value[i] + earlyAt);
                if (!s.denied[i]) {
                    used += s.tokens[i];
                }
            }
        }
        return new Levels(contradicted, vague);
    }

    /** A rate so high that between two stamps the bucket empties foretells no level at all. */
    private static double vagueBits(double range, double highestLevel) {
        return Math.max(0, Math.log(2 * range / highestLevel) / Math.log(2));
    }

    /** The same with a clock of whole seconds, as Spring Cloud Gateway's script has it. */
    static void ofWholeSeconds(Series s, double rate, double[] low, double[] high) {
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

    /** Whole tokens only: what is left over at an allowed request is forgotten, as Varnish's vsthrottle does. */
    static void ofWholeTokens(Series s, double ratePerSecond, double[] low, double[] high) {
        double rate = ratePerSecond / 1e6;
        for (int g = 0; g < s.buckets(); g++) {
            double lowUsed = 0;
            double highUsed = 0;
            int allowed = -1;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                double least = allowed < 0 ? 0 : Math.floor(rate * Math.max(0, s.early[i] - s.late[allowed]));
                double most = allowed < 0 ? 0 : Math.floor(rate * Math.max(0, s.late[i] - s.early[allowed]));
                low[i] = Math.max(0, lowUsed - most);
                high[i] = Math.max(0, highUsed - least);
                if (!s.denied[i]) {
                    lowUsed = low[i] + 1;
                    highUsed = high[i] + 1;
                    allowed = i;
                }
            }
        }
    }
}
