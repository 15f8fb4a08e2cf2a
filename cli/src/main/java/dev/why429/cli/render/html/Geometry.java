package dev.why429.cli.render.html;

import java.util.Locale;

/** Numbers of a drawing, short and the same everywhere. */
final class Geometry {
    private Geometry() {}

    /** With one decimal, none where it is 0. */
    static String at(double value) {
        double rounded = Math.rint(value * 10) / 10;
        return rounded == Math.rint(rounded)
                ? String.format(Locale.ROOT, "%.0f", rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }

    /** The next of 1, 2, 4, 5, 10, 20, …. */
    static double niceCeiling(double value) {
        double ten = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-9))));
        for (double step : new double[] {1, 2, 4, 5, 10}) {
            if (step * ten >= value - 1e-12) {
                return step * ten;
            }
        }
        return 10 * ten;
    }
}
