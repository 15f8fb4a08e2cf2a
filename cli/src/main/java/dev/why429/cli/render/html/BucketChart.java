package dev.why429.cli.render.html;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Figures;
import dev.why429.cli.Printable;
import dev.why429.cli.render.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One panel: the level of a key on one node, its limit as a line (a band where the log only bounds it), window edges, and a tick for each
 * denial in a row of its own under the axis.
 *
 * @param node empty: all nodes together
 * @param level the level as an SVG path
 * @param area the same down to the axis
 * @param right where the axis ends
 * @param limitTop upper edge of the limit, and its lower one; -1: not known
 * @param denied all ticks as one path
 * @param edges all window edges as one path
 * @param summary the same in words
 */
public record BucketChart(
        int width,
        int right,
        int height,
        int foot,
        String node,
        String level,
        String area,
        double limitTop,
        double limitBottom,
        String limit,
        String top,
        String denied,
        String edges,
        String from,
        String to,
        String summary) {
    /** Of one panel alone, and of several beside each other: letters are the same size in both. */
    private static final int ALONE = 880;

    private static final int BESIDE = 300;
    private static final int HEIGHT = 150;
    private static final int LEFT = 34;
    private static final int MARGIN = 8;
    private static final int TOP = 14;
    private static final int FOOT = 112;
    private static final int TICKS_TOP = 117;
    private static final int TICKS_BOTTOM = 128;

    /**
     * The panels of one key.
     *
     * @param id place in the page, {@code key-L1-1}
     * @param counted what the level counts, in words
     */
    public record Key(String id, String limiter, String fields, String key, String counted, List<BucketChart> panels) {}

    /** Panels by key, keys in the order of the case, all panels of a key in one scale. */
    static List<Key> of(List<Figures.Bucket> buckets, String limiter) {
        Map<String, List<Figures.Bucket>> byKey = new LinkedHashMap<>();
        buckets.stream()
                .filter(bucket -> bucket.limiter().equals(limiter))
                .forEach(bucket -> byKey.computeIfAbsent(bucket.key(), key -> new ArrayList<>())
                        .add(bucket));
        List<Key> keys = new ArrayList<>();
        for (List<Figures.Bucket> nodes : byKey.values()) {
            double highest =
                    nodes.stream().mapToDouble(BucketChart::highest).max().orElse(1);
            double top = Geometry.niceCeiling(Math.max(1, highest));
            Figures.Bucket first = nodes.get(0);
            keys.add(new Key(
                    "key-" + limiter + "-" + (keys.size() + 1),
                    limiter,
                    first.fields().isEmpty() ? "everybody" : Printable.of(String.join(" + ", first.fields())),
                    Printable.of(first.key()),
                    counted(first.counts()),
                    nodes.stream()
                            .map(bucket -> drawn(bucket, top, nodes.size() == 1 ? ALONE : BESIDE))
                            .toList()));
        }
        return keys;
    }

    private static double highest(Figures.Bucket bucket) {
        double level =
                bucket.level().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double limit = bucket.limit()
                .flatMap(interval -> interval.high().or(interval::low))
                .orElse(0.0);
        return Math.max(level, limit * 1.05);
    }

    private static String counted(String counts) {
        return switch (counts) {
            case "window" -> "requests counted in the window";
            case "last_window" -> "requests in the time of one window before";
            case "estimate" -> "weighted count of this window and the one before";
            case "in_flight" -> "requests in flight";
            default -> "level of the bucket, in requests";
        };
    }

    private static BucketChart drawn(Figures.Bucket bucket, double top, int width) {
        int right = width - MARGIN;
        double seconds = Math.max(bucket.seconds(), 1e-6);
        boolean steps = !bucket.counts().equals("level");
        StringBuilder level = new StringBuilder();
        double lastY = FOOT;
        for (int i = 0; i < bucket.atSeconds().size(); i++) {
            double x = x(bucket.atSeconds().get(i), seconds, right);
            lastY = y(bucket.level().get(i), top);
            String place = Geometry.at(x);
            if (i == 0) {
                level.append('M').append(place).append(' ').append(Geometry.at(lastY));
            } else if (steps) {
                level.append('H').append(place).append('V').append(Geometry.at(lastY));
            } else {
                level.append('L').append(place).append(' ').append(Geometry.at(lastY));
            }
        }
        if (steps) {
            level.append('H').append(right);
        } else {
            level.append('L').append(right).append(' ').append(FOOT);
        }
        String line = level.toString();
        Case.Interval limit = bucket.limit().orElse(null);
        boolean bounded =
                limit != null && (limit.low().isPresent() || limit.high().isPresent());
        double low = bounded ? limit.low().or(limit::high).orElse(0.0) : 0;
        double high = bounded ? limit.high().or(limit::low).orElse(0.0) : 0;
        return new BucketChart(
                width,
                right,
                HEIGHT,
                FOOT,
                Printable.of(bucket.node()),
                line,
                line + "V" + FOOT + "H" + LEFT + "Z",
                bounded ? y(high, top) : -1,
                bounded ? y(low, top) : -1,
                bounded ? Wording.interval(limit) : "",
                Wording.number(top),
                marks(bucket.deniedSeconds(), seconds, right, TICKS_TOP, TICKS_BOTTOM),
                marks(bucket.edgeSeconds(), seconds, right, TOP, FOOT),
                TimelineChart.clock(bucket.from(), 0, 0.001),
                TimelineChart.clock(bucket.from(), bucket.seconds(), 0.001),
                summary(bucket, limit));
    }

    private static String summary(Figures.Bucket bucket, Case.Interval limit) {
        String node = bucket.node().isEmpty() ? "" : Printable.of(bucket.node()) + ": ";
        double highest =
                bucket.level().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return node + Wording.count(bucket.denials()) + " of " + Wording.count(bucket.requests())
                + " requests denied in "
                + Wording.number(Math.rint(bucket.seconds() * 10) / 10) + " s; highest level "
                + Wording.number(Math.rint(highest * 10) / 10)
                + (limit == null ? ", limit not known" : ", limit " + Wording.interval(limit));
    }

    private static String marks(List<Double> moments, double seconds, int right, int from, int to) {
        StringBuilder path = new StringBuilder();
        for (double moment : moments) {
            path.append('M')
                    .append(Geometry.at(x(moment, seconds, right)))
                    .append(' ')
                    .append(from)
                    .append('V')
                    .append(to);
        }
        return path.toString();
    }

    private static double x(double moment, double seconds, int right) {
        return LEFT + Math.min(1, Math.max(0, moment / seconds)) * (right - LEFT);
    }

    private static double y(double level, double top) {
        return FOOT - Math.min(1, level / top) * (FOOT - TOP);
    }
}
