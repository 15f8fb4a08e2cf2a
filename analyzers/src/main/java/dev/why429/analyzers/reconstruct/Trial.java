package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tries families and parameters on the decisions under one key. Holds the buffers of one thread. */
final class Trial {
    static final int LEVELS_ENOUGH = 5;

    private final Grouping key;
    private final Series series;
    private final double[] low;
    private final double[] high;
    private final Threshold.Bins bins = new Threshold.Bins();
    private final int deniedWeight;
    private final double[] declaredWindows;
    private final boolean coarse;

    Trial(DecisionLog log, Grouping key, Stamps stamps, int deniedWeight) {
        this.key = key;
        this.series = Series.of(log, key, stamps);
        this.low = new double[series.size()];
        this.high = new double[series.size()];
        this.deniedWeight = deniedWeight;
        this.declaredWindows = log.windowsDeclared();
        this.coarse = CoarseBuckets.suits(Stamps.of(log));
    }

    Grouping key() {
        return key;
    }

    Series series() {
        return series;
    }

    /** A close look at one parameter. */
    Candidate at(Family family, double parameter, double blockSeconds) {
        return at(family, parameter, blockSeconds, Threshold.FINE_BINS);
    }

    private Candidate at(Family family, double parameter, double blockSeconds, int most) {
        Buckets.Levels levels = Statistics.run(family, series, parameter, blockSeconds, low, high);
        Threshold.Fit fit = Threshold.fit(series, low, high, family.counts(), deniedWeight, most, bins);
        if (series.levels >= LEVELS_ENOUGH) {
            // written levels tell the rate without bias; decisions that share a second lean towards rates that empty
            // the bucket
            fit = fit.withoutOpen();
        }
        double levelBits = levels.contradicted() * (double) Threshold.WRONG_BITS + levels.vagueBits();
        double bits =
                fit.bits() + levelBits + key.priorBits() + family.priorBits() + Grids.parameterBits(family, parameter);
        return new Candidate(key, family, parameter, blockSeconds, fit, levels, bits, Optional.empty());
    }

    /** The statistic under a candidate, in the order of the series: lowest values in row 0, highest in row 1. */
    double[][] statistic(Candidate candidate) {
        Statistics.run(candidate.family(), series, candidate.parameter(), candidate.blockSeconds(), low, high);
        return new double[][] {low.clone(), high.clone()};
    }

    /** The best of each family over coarse grids. */
    Map<Family, Candidate> coarse(boolean thorough) {
        Map<Family, Candidate> best = new EnumMap<>(Family.class);
        double span = spanSeconds();
        // levels of a leaky bucket are written by nothing but a leaky bucket
        Family[] families = series.levels >= LEVELS_ENOUGH ? new Family[] {Family.BUCKET} : Family.values();
        for (Family family : families) {
            for (Candidate candidate : coarse(family, span, thorough)) {
                // a block that nothing is seen to have set off explains nothing
                boolean idle = family == Family.LOG_BLOCK && candidate.fit().high() >= Statistics.BLOCKED / 2;
                if (!idle && candidate.better(best.get(family))) {
                    best.put(family, candidate);
                }
            }
        }
        return best;
    }

    /** All windows of the grid. */
    List<Candidate> windows(Family family) {
        return coarse(family, spanSeconds(), true);
    }

    /** The best of one family: rates freely, a window as it was found. */
    Candidate of(Family family, double window, double blockSeconds) {
        Candidate best = at(family, window, blockSeconds);
        if (family.hasRate()) {
            for (Candidate candidate : coarse(family, spanSeconds(), true)) {
                best = candidate.better(best) ? candidate : best;
            }
        }
        return best;
    }

    private List<Candidate> coarse(Family family, double span, boolean thorough) {
        List<Candidate> tried = new ArrayList<>();
        if (family.hasRate()) {
            if (family == Family.BUCKET || thorough) {
                for (double rate : Grids.rates(span, series.busiestSecond(), Spells.rates(series), thorough)) {
                    tried.add(at(family, rate, 0, Threshold.COARSE_BINS));
                }
            }
        } else if (family == Family.LOG_BLOCK) {
            if (thorough) {
                double block = Blocks.length(series);
                if (block > 0) {
                    for (double window : Grids.windows(span, declaredWindows, false)) {
                        // a block much longer than what it punishes is somebody else's end of the window
                        if (window < block / 5) {
                            continue;
                        }
                        tried.add(at(family, window, block, Threshold.COARSE_BINS));
                    }
                }
            }
        } else if (thorough || family.priorBits() <= 4) {
            for (double window : Grids.windows(span, declaredWindows, thorough)) {
                if (window < shortest(family)) {
                    continue;
                }
                tried.add(at(family, window, 0, Threshold.COARSE_BINS));
            }
        }
        return tried;
    }

    /** Within coarse stamps windows hardly longer than they fit anything. */
    private double shortest(Family family) {
        return !coarse ? 0 : family == Family.FIXED_CLOCK ? 1 : 3;
    }

    /** Looks closer around a coarse result. */
    Candidate refined(Candidate coarse) {
        if (coarse.family().onClock()) {
            return coarse;
        }
        Candidate best = coarse;
        if (coarse.family().hasRate()) {
            best = around(best, 0.12, 0.015);
            best = around(best, 0.018, 0.002);
        } else {
            best = around(best, 0.18, 0.02);
            best = around(best, 0.024, 0.003);
        }
        return best;
    }

    private Candidate around(Candidate center, double reach, double step) {
        Candidate best = center;
        int steps = (int) Math.round(reach / step);
        for (int k = -steps; k <= steps; k++) {
            if (k != 0) {
                Candidate tried = at(center.family(), center.parameter() * (1 + k * step), center.blockSeconds());
                if (tried.better(best)) {
                    best = tried;
                }
            }
        }
        return best;
    }

    double spanSeconds() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < series.size(); i++) {
            first = Math.min(first, series.early[i]);
            last = Math.max(last, series.late[i]);
        }
        return series.size() == 0 ? 0 : (last - first) / 1e6;
    }
}
