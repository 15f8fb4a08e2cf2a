package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.casefile.Case;

/**
 * Which parameters the decisions leave open: those whose code length is hardly longer than the best one's.
 *
 * @param low lowest window or rate
 * @param high highest window or rate
 * @param thresholdLow lowest value of the statistic over that range that a threshold may lie just above
 * @param thresholdHigh highest
 */
record Range(double low, double high, double thresholdLow, double thresholdHigh) {
    private static final double FIRST_STEP = 0.0005;
    private static final double DOUBT = 0.15;
    private static final double WIDEST = 4;
    /** What is let through between denials tells a rate to so much. */
    private static final double NARROW = 1.15;

    private static final double COUNTED_WITHIN = 0.05;
    /** An interval as narrow as this with one simple number in it: that number was configured. */
    private static final double SNAP_WIDTH = 0.03;
    /** Clocks and rounding shift an estimate by so much at most. */
    private static final double SNAP_REACH = 0.006;

    static Range around(Trial trial, Candidate best) {
        if (best.family().onClock()) {
            return onClock(trial, best);
        }
        double high = edge(trial, best, 1);
        double low = edge(trial, best, -1);
        double thresholdLow = best.fit().value(best.fit().low());
        double thresholdHigh = best.fit().value(best.fit().high());
        for (int k = 0; k <= 8; k++) {
            Candidate c = trial.at(best.family(), low * Math.pow(high / low, k / 8.0), best.blockSeconds());
            if (c.bits() <= best.bits() + tolerance(best)) {
                thresholdLow = Math.min(thresholdLow, c.fit().value(c.fit().low()));
                thresholdHigh = Math.max(thresholdHigh, c.fit().value(c.fit().high()));
            }
        }
        return new Range(low, high, thresholdLow, thresholdHigh);
    }

    /** Of windows on the clock those of the grid that do as well: which of them end at the same moments in this log. */
    private static Range onClock(Trial trial, Candidate best) {
        double low = best.parameter();
        double high = best.parameter();
        double thresholdLow = best.fit().value(best.fit().low());
        double thresholdHigh = best.fit().value(best.fit().high());
        for (Candidate c : trial.windows(best.family())) {
            if (c.bits() <= best.bits() + tolerance(best)) {
                low = Math.min(low, c.parameter());
                high = Math.max(high, c.parameter());
                thresholdLow = Math.min(thresholdLow, c.fit().value(c.fit().low()));
                thresholdHigh = Math.max(thresholdHigh, c.fit().value(c.fit().high()));
            }
        }
        return new Range(low, high, thresholdLow, thresholdHigh);
    }

    private static double edge(Trial trial, Candidate best, int direction) {
        double inside = 0;
        double outside = FIRST_STEP;
        while (holds(trial, best, direction * outside)) {
            inside = outside;
            outside *= 2;
            if (outside > Math.log(WIDEST)) {
                return best.parameter() * Math.exp(direction * inside);
            }
        }
        for (int k = 0; k < 6; k++) {
            double middle = (inside + outside) / 2;
            if (holds(trial, best, direction * middle)) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return best.parameter() * Math.exp(direction * inside);
    }

    private static boolean holds(Trial trial, Candidate best, double shift) {
        Candidate moved = trial.at(best.family(), best.parameter() * Math.exp(shift), best.blockSeconds());
        // what naming a round value costs is no evidence about the value
        double bits = moved.bits()
                - Grids.parameterBits(moved.family(), moved.parameter())
                + Grids.parameterBits(best.family(), best.parameter());
        return bits <= best.bits() + tolerance(best)
                && moved.contradictionBits() <= (1 + DOUBT) * best.contradictionBits() + Threshold.INTERVAL_BITS;
    }

    /** Decisions that coarse stamps leave open share their seconds: their costs are no independent evidence and count for a part only. */
    private static final double SHARED = 0.25;

    /** Where decisions contradict the explanation it is not quite the right one, and its parameters are not as sure as its bits make them. */
    private static double tolerance(Candidate best) {
        return Threshold.INTERVAL_BITS
                + DOUBT * best.contradictionBits()
                + SHARED * best.fit().openBits();
    }

    /** The same about a rate that was counted. */
    Range withRate(double rate) {
        double countedLow = rate * (1 - COUNTED_WITHIN);
        double countedHigh = rate * (1 + COUNTED_WITHIN);
        boolean near = high > countedLow * (1 - COUNTED_WITHIN)
                && low < countedHigh * (1 + COUNTED_WITHIN)
                && high < NARROW * low;
        return near
                ? new Range(Math.min(low, countedLow), Math.max(high, countedHigh), thresholdLow, thresholdHigh)
                : new Range(countedLow, countedHigh, thresholdLow, thresholdHigh);
    }

    Case.Interval parameter(Family family) {
        if (low == high) {
            return Case.Interval.exactly(rounded(low));
        }
        if (high / low - 1 <= SNAP_WIDTH) {
            double wideLow = low * (1 - SNAP_REACH);
            double wideHigh = high * (1 + SNAP_REACH);
            double simple =
                    family.hasRate() ? Grids.simplestRate(wideLow, wideHigh) : Grids.simplestWindow(wideLow, wideHigh);
            if (!Double.isNaN(simple)) {
                return Case.Interval.exactly(rounded(simple));
            }
        }
        return Case.Interval.between(rounded(low), rounded(high));
    }

    static double rounded(double value) {
        double unit = Math.pow(10, Math.floor(Math.log10(Math.max(1e-9, Math.abs(value)))) - 5);
        double scaled = Math.rint(value / unit);
        return unit < 1 ? scaled / Math.rint(1 / unit) : scaled * unit;
    }
}
