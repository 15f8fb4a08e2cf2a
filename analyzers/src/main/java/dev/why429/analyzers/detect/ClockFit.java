package dev.why429.analyzers.detect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The offset of a clock as a line through the gap between lower and upper bounds: the line that stays farthest from both (a linear programme in
 * three unknowns, concave in the slope; after Moon, Skelly and Towsley 1999).
 *
 * @param offsetSeconds inner minus outer clock, in the middle of the time
 * @param slope change of the offset per second
 * @param marginSeconds how far the nearest bound is; negative: by how much the bounds contradict the line
 * @param fromMicros first and last moment, by the clock that orders the pairs
 */
record ClockFit(double offsetSeconds, double slope, double marginSeconds, long fromMicros, long toMicros) {
    /** One stamp of 25 may be late by scheduling: the most extreme bound of each stretch of 25 pairs is not asked. */
    private static final int STRETCH = 25;

    private static final int MOST_STRETCHES = 200;
    /** No clock that keeps a server running is off by more than a fifth. */
    private static final double STEEPEST = 0.2;

    private static final int ROUNDS = 90;

    double secondsSpanned() {
        return (toMicros - fromMicros) / 1e6;
    }

    double offsetAtStart() {
        return offsetSeconds - slope * secondsSpanned() / 2;
    }

    double offsetAtEnd() {
        return offsetSeconds + slope * secondsSpanned() / 2;
    }

    /** The best offset that does not change. */
    static ClockFit constant(ClockPairs sorted) {
        return new Bounds(sorted).at(0);
    }

    /** The best offset that changes evenly. */
    static ClockFit line(ClockPairs sorted) {
        Bounds bounds = new Bounds(sorted);
        double low = -STEEPEST;
        double high = STEEPEST;
        for (int i = 0; i < ROUNDS; i++) {
            double left = low + (high - low) / 3;
            double right = high - (high - low) / 3;
            if (bounds.at(left).marginSeconds < bounds.at(right).marginSeconds) {
                low = left;
            } else {
                high = right;
            }
        }
        return bounds.at((low + high) / 2);
    }

    /** The bounds that count, as points in time (seconds from the middle) and offset. */
    private static final class Bounds {
        private final List<double[]> lower = new ArrayList<>();
        private final List<double[]> upper = new ArrayList<>();
        private final long from;
        private final long to;

        Bounds(ClockPairs pairs) {
            int n = pairs.size();
            from = Arrays.stream(pairs.outerMicros()).min().orElse(0);
            to = Arrays.stream(pairs.outerMicros()).max().orElse(0);
            long middle = from + (to - from) / 2;
            int stretches = Math.max(1, Math.min(MOST_STRETCHES, n / STRETCH));
            for (int s = 0; s < stretches; s++) {
                int start = (int) ((long) n * s / stretches);
                int end = (int) ((long) n * (s + 1) / stretches);
                keep(pairs, pairs.lowSeconds(), start, end, middle, true, lower);
                keep(pairs, pairs.highSeconds(), start, end, middle, false, upper);
            }
        }

        private static void keep(
                ClockPairs pairs,
                double[] bounds,
                int start,
                int end,
                long middle,
                boolean largest,
                List<double[]> kept) {
            List<double[]> points = new ArrayList<>();
            for (int i = start; i < end; i++) {
                points.add(new double[] {(pairs.outerMicros()[i] - middle) / 1e6, bounds[i]});
            }
            Comparator<double[]> order = Comparator.comparingDouble(point -> point[1]);
            points.sort(largest ? order.reversed() : order);
            kept.addAll(points.subList(Math.min(points.size() / STRETCH, points.size() - 1), points.size()));
        }

        ClockFit at(double slope) {
            double highest = Double.NEGATIVE_INFINITY;
            double lowest = Double.POSITIVE_INFINITY;
            for (double[] point : lower) {
                highest = Math.max(highest, point[1] - slope * point[0]);
            }
            for (double[] point : upper) {
                lowest = Math.min(lowest, point[1] - slope * point[0]);
            }
            return new ClockFit((lowest + highest) / 2, slope, (lowest - highest) / 2, from, to);
        }
    }

    /**
     * One of two clocks was set while the log was written: two offsets, one after the other.
     *
     * @param atMicros when, by the outer clock's stamp of the first request after it
     * @param marginSeconds the smaller margin of the two
     */
    record Step(double before, double after, double marginSeconds, long atMicros) {
        private static final int PER_CELL = 10;
        private static final int MOST_CELLS = 400;

        double changeSeconds() {
            return after - before;
        }

        /** The best place to cut, if each side has enough requests. */
        static Optional<Step> in(ClockPairs sorted) {
            int n = sorted.size();
            int cells = Math.min(MOST_CELLS, n / PER_CELL);
            if (cells < 4) {
                return Optional.empty();
            }
            double[] low = new double[cells];
            double[] high = new double[cells];
            for (int c = 0; c < cells; c++) {
                int start = start(n, c, cells);
                int end = start(n, c + 1, cells);
                double[] lows = Arrays.copyOfRange(sorted.lowSeconds(), start, end);
                double[] highs = Arrays.copyOfRange(sorted.highSeconds(), start, end);
                Arrays.sort(lows);
                Arrays.sort(highs);
                low[c] = lows[Math.max(0, lows.length - 2)];
                high[c] = highs[Math.min(1, highs.length - 1)];
            }
            double best = Double.NEGATIVE_INFINITY;
            Optional<Step> found = Optional.empty();
            for (int cut = 1; cut < cells - 1; cut++) {
                // the cell of the cut holds both offsets and is asked by neither side
                double[] left = gap(low, high, 0, cut);
                double[] right = gap(low, high, cut + 1, cells);
                double margin = Math.min(left[1], right[1]);
                if (margin > best) {
                    best = margin;
                    int at = change(sorted, left[0], right[0], start(n, cut, cells), start(n, cut + 1, cells));
                    found = Optional.of(new Step(left[0], right[0], margin, sorted.outerMicros()[at]));
                }
            }
            return found;
        }

        private static int start(int n, int cell, int cells) {
            return (int) ((long) n * cell / cells);
        }

        private static double[] gap(double[] low, double[] high, int from, int to) {
            double highest = Arrays.stream(low, from, to).max().orElse(0);
            double lowest = Arrays.stream(high, from, to).min().orElse(0);
            return new double[] {(lowest + highest) / 2, (lowest - highest) / 2};
        }

        /** Within one cell: the first request that fits the later offset better. */
        private static int change(ClockPairs sorted, double before, double after, int start, int end) {
            for (int i = start; i < end; i++) {
                double middle = sorted.middleSeconds()[i];
                if (Math.abs(middle - after) < Math.abs(middle - before)) {
                    return i;
                }
            }
            return Math.min(end, sorted.size() - 1);
        }
    }
}
