package dev.why429.analyzers.reconstruct;

import java.util.List;
import java.util.TreeSet;

/** Windows and rates that are tried first, and how surprising a value is. */
final class Grids {
    private static final double[] COMMON = {
        0.1, 0.2, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 25, 30, 40, 45, 50, 60, 90, 100, 120, 150, 180,
        240, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400
    };
    /** Windows by how often they are configured: a minute most of all. */
    private static final double[][] BY_HABIT = {
        {60},
        {1, 10, 3600, 86_400},
        {2, 5, 15, 20, 30, 300, 600, 900, 1800},
        {0.1, 0.5, 3, 4, 6, 8, 12, 25, 40, 45, 90, 100, 120, 180, 240, 7200, 43_200}
    };

    private static final double[] HABIT_BITS = {1.5, 3, 5, 6.5};
    private static final double RATE_STEP = 1.15;
    private static final double[] RATE_UNITS = {
        100, 50, 20, 10, 5, 2, 1, 0.5, 0.25, 0.2, 0.1, 1 / 12.0, 1 / 30.0, 1 / 60.0, 1 / 360.0, 1 / 3600.0
    };
    /** Nobody configures the 11th multiple of a fraction to mean it exactly. */
    private static final double LARGEST_MULTIPLE = 10;

    private static final double CLOSE_STEP = 0.012;
    private static final int CLOSE_STEPS = 8;

    private Grids() {}

    /**
     * @param spanSeconds how long the log is: a window much longer than that has not ended in it
     * @param declared windows that quota policies name
     * @param dense every whole second up to 30 too
     */
    static double[] windows(double spanSeconds, double[] declared, boolean dense) {
        TreeSet<Double> windows = new TreeSet<>();
        for (double w : COMMON) {
            if (w <= Math.max(60, 2 * spanSeconds)) {
                windows.add(w);
            }
        }
        for (double w : declared) {
            windows.add(w);
        }
        if (dense) {
            for (int w = 1; w <= 30 && w <= spanSeconds; w++) {
                windows.add((double) w);
            }
        }
        return windows.stream().mapToDouble(w -> w).toArray();
    }

    /**
     * From a few requests in the whole log to the most that one bucket was asked for in a second (a faster one would deny none), 15 % apart,
     * and closely around estimates.
     *
     * @param busiestSecond most requests of one bucket within a second
     * @param estimates rates that the log suggests
     * @param dense as close as that; otherwise 30 % apart, and the estimates with few neighbours: enough to rank keys by
     */
    static double[] rates(double spanSeconds, int busiestSecond, List<Double> estimates, boolean dense) {
        TreeSet<Double> rates = new TreeSet<>();
        double lowest = Math.max(1e-4, 2 / Math.max(2, spanSeconds));
        double highest = Math.max(10 * lowest, 1.2 * busiestSecond);
        for (double r = lowest; r <= highest; r *= dense ? RATE_STEP : RATE_STEP * RATE_STEP) {
            rates.add(r);
        }
        for (double estimate : estimates) {
            for (int k = -CLOSE_STEPS; k <= CLOSE_STEPS; k += dense ? 1 : CLOSE_STEPS / 2) {
                double rate = estimate * (1 + k * CLOSE_STEP);
                Double below = rates.floor(rate);
                if (below == null || rate / below > 1 + CLOSE_STEP / 2) {
                    rates.add(rate);
                }
            }
        }
        return rates.stream().mapToDouble(r -> r).toArray();
    }

    /** Round values are likelier to have been configured. */
    static double parameterBits(Family family, double parameter) {
        if (family.hasRate()) {
            return 5;
        }
        for (int rank = 0; rank < BY_HABIT.length; rank++) {
            for (double w : BY_HABIT[rank]) {
                if (Math.abs(w - parameter) < 1e-9) {
                    return HABIT_BITS[rank];
                }
            }
        }
        return Math.abs(parameter - Math.rint(parameter)) < 1e-9 ? 9 : 11;
    }

    /**
     * The simplest value within an interval: a whole number of requests per second, a half, a quarter or a fifth, per minute, per hour.
     *
     * @return NaN where the interval holds none, or holds two of the same simplicity
     */
    static double simplestRate(double low, double high) {
        for (double unit : RATE_UNITS) {
            if (unit < 1 && low > LARGEST_MULTIPLE * unit) {
                return Double.NaN;
            }
            double first = Math.ceil(low / unit - 1e-9) * unit;
            if (first > 0 && first <= high * (1 + 1e-9)) {
                return first + unit <= high * (1 + 1e-9) ? Double.NaN : first;
            }
        }
        return Double.NaN;
    }

    /** The same for windows in seconds: multiples of a minute, ten, five, one second, then tenths. */
    static double simplestWindow(double low, double high) {
        for (double unit : new double[] {3600, 60, 10, 5, 1, 0.5, 0.1}) {
            double first = Math.ceil(low / unit - 1e-9) * unit;
            if (first > 0 && first <= high + 1e-9) {
                return first + unit <= high + 1e-9 ? Double.NaN : first;
            }
        }
        return Double.NaN;
    }
}
