package dev.why429.analyzers.reconstruct;

import java.util.Arrays;

/**
 * Finds the thresholds that fit a statistic: a request was allowed when its statistic was below the threshold, denied otherwise. One pass
 * costs every threshold at once.
 */
final class Threshold {
    /** What a decision costs that no moment within its stamp's range can explain. */
    static final int WRONG_BITS = 8;
    /** Thresholds that are at most so much worse than the best one belong to the interval: odds of one in 64. */
    static final double INTERVAL_BITS = 6;

    /** Highest bin there can be. */
    private static final int MOST_BINS = 1 << 16;
    /** Bins of a close look, */
    static final int FINE_BINS = 1 << 13;
    /** and of a first one. */
    static final int COARSE_BINS = 1 << 11;

    private static final int FINEST = 512;
    /** Costs are added up in quarters of a bit. */
    private static final int QUARTERS = 4;
    /**
     * What a decision costs that the stamps leave open, in quarters of a bit: it arrived at any moment of its range alike, so the chance of what
     * was decided is the part of the statistic's range on that side of the threshold. The range is cut into four.
     */
    private static final int[] OPEN_QUARTERS = {1, 3, 6, 12};

    private Threshold() {}

    /**
     * @param low lowest feasible threshold, in bins
     * @param high highest feasible threshold, in bins
     * @param best the best of them
     * @param allowedAbove allowed although the statistic had certainly reached the threshold
     * @param deniedBelow denied although it certainly had not
     * @param open decisions that the stamps leave undetermined
     * @param openBits what these cost
     * @param bits code length of all decisions
     * @param bounded whether a higher threshold would be contradicted
     * @param scale bins per unit of the statistic
     */
    record Fit(
            int low,
            int high,
            int best,
            int allowedAbove,
            int deniedBelow,
            int open,
            double openBits,
            double bits,
            boolean bounded,
            int scale) {
        /** The same where something better than the decisions tells what the stamps leave open. */
        Fit withoutOpen() {
            return new Fit(low, high, best, allowedAbove, deniedBelow, open, 0, bits - openBits, bounded, scale);
        }

        /** The statistic that a threshold of so many bins lies just above. */
        double value(int bins) {
            return (bins - 1) / (double) scale;
        }

        int wrong() {
            return allowedAbove + deniedBelow;
        }
    }

    /**
     * @param low lowest value of the statistic that the stamps allow
     * @param high highest value
     * @param most how many bins there may be
     * @param counts whether the statistic is whole numbers; otherwise bins are as fine as their number allows
     * @param deniedWeight what an unexplained denial costs; less than {@link #WRONG_BITS} where another limiter may have denied it
     * @param bins room to work in
     */
    static Fit fit(Series series, double[] low, double[] high, boolean counts, int deniedWeight, int most, Bins bins) {
        int scale = counts ? 1 : finest(series, high, most);
        int n = series.size();
        int[] lowBin = bins.low(n);
        int[] highBin = bins.high(n);
        int top = 1;
        for (int i = 0; i < n; i++) {
            lowBin[i] = Math.max(0, bin(low[i], scale));
            int above = low[i] == high[i] ? lowBin[i] : Math.max(0, bin(high[i], scale));
            highBin[i] = above;
            top = Math.max(top, above + 1);
        }
        top = Math.min(top, MOST_BINS);
        int[] cost = bins.cost;
        Arrays.fill(cost, 0, top + 2, 0);
        long base = 0;
        for (int i = 0; i < n; i++) {
            int a = lowBin[i];
            int b = Math.min(highBin[i], top);
            if (series.denied[i]) {
                add(cost, a, b, 0, deniedWeight * QUARTERS, 1);
            } else {
                base += WRONG_BITS * QUARTERS;
                add(cost, a, b, WRONG_BITS * QUARTERS, 0, -1);
            }
        }
        long running = base;
        long least = Long.MAX_VALUE;
        int best = 1;
        for (int k = 0; k <= top; k++) {
            running += cost[k];
            if (k > 0 && running < least) {
                least = running;
                best = k;
            }
        }
        running = base;
        int lowest = best;
        int highest = best;
        for (int k = 0; k <= top; k++) {
            running += cost[k];
            if (k > 0 && running <= least + INTERVAL_BITS * QUARTERS) {
                lowest = Math.min(lowest, k);
                highest = Math.max(highest, k);
            }
        }
        return count(series, lowBin, highBin, scale, best, lowest, highest, highest < top);
    }

    /**
     * Adds what a decision costs over all thresholds: {@code before} up to its lowest value, {@code after} above its highest, the open costs
     * between, rising for a denial and falling for an allow.
     */
    private static void add(int[] cost, int a, int b, int before, int after, int direction) {
        if (b <= a) {
            cost[b + 1] += after - before;
            return;
        }
        int last = before;
        if (b > a) {
            int range = b - a;
            for (int q = 0; q < QUARTERS; q++) {
                int at = a + 1 + range * q / QUARTERS;
                int now = OPEN_QUARTERS[direction > 0 ? q : QUARTERS - 1 - q];
                cost[at] += now - last;
                last = now;
            }
        }
        cost[b + 1] += after - last;
    }

    private static double openBits(int a, int b, int threshold, boolean denied) {
        int range = b - a;
        int part = 0;
        for (int q = 1; q < QUARTERS; q++) {
            if (threshold >= a + 1 + range * q / QUARTERS) {
                part = q;
            }
        }
        return OPEN_QUARTERS[denied ? part : QUARTERS - 1 - part] / (double) QUARTERS;
    }

    private static Fit count(
            Series series, int[] lowBin, int[] highBin, int scale, int best, int lowest, int highest, boolean bounded) {
        int above = 0;
        int below = 0;
        int open = 0;
        double openBits = 0;
        for (int i = 0; i < series.size(); i++) {
            int a = lowBin[i];
            int b = highBin[i];
            boolean reached = a >= best;
            boolean mayReach = b >= best;
            if (reached != mayReach) {
                open++;
                openBits += openBits(a, b, best, series.denied[i]);
            } else if (reached && !series.denied[i]) {
                above++;
            } else if (!reached && series.denied[i]) {
                below++;
            }
        }
        int outsideDenied = series.deniedOutside;
        double bits = openBits + wrongBits(above + below + outsideDenied, series.size() + series.outside);
        return new Fit(lowest, highest, best, above, below + outsideDenied, open, openBits, bits, bounded, scale);
    }

    /** As many bins per unit as there is room for, a power of two. */
    private static int finest(Series series, double[] high, int bins) {
        double most = 1;
        for (int i = 0; i < series.size(); i++) {
            most = Math.max(most, high[i]);
        }
        int scale = FINEST;
        while (scale > 1 && (most + 2) * scale > bins) {
            scale /= 2;
        }
        return scale;
    }

    /** Code length of so many exceptions: each by a fixed price, or by naming which they are where that is cheaper. */
    static double wrongBits(int wrong, int n) {
        if (wrong == 0) {
            return 0;
        }
        return Math.min(wrong * (double) WRONG_BITS, n * entropy(wrong / (double) n) + Math.log(n + 1) / Math.log(2));
    }

    /** Bits per decision when each is denied with probability p, whoever asks and whenever. */
    static double entropy(double p) {
        if (p <= 0 || p >= 1) {
            return 0;
        }
        return -(p * Math.log(p) + (1 - p) * Math.log(1 - p)) / Math.log(2);
    }

    /** Room that is used again by each fit of one thread. */
    static final class Bins {
        private final int[] cost = new int[MOST_BINS + 3];
        private int[] lowBin = new int[0];
        private int[] highBin = new int[0];

        private int[] low(int n) {
            lowBin = lowBin.length < n ? new int[n] : lowBin;
            return lowBin;
        }

        private int[] high(int n) {
            highBin = highBin.length < n ? new int[n] : highBin;
            return highBin;
        }
    }

    static int bin(double value, int scale) {
        double scaled = value * scale + 1e-7;
        int truncated = (int) Math.min(MOST_BINS, scaled);
        return truncated > scaled ? truncated - 1 : truncated;
    }
}
