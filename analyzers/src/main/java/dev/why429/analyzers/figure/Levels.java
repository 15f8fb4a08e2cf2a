package dev.why429.analyzers.figure;

import dev.why429.analyzers.casefile.Case;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What a limiter of the found kind had counted for one key after each decision. The formulas are those of the reconstruction: counts for
 * windows, {@code d ← max(0, d − r·Δ) + 1} for buckets.
 */
final class Levels {
    private static final double MICROS = 1e6;

    /** One moment and the level right after it. */
    record Point(long atMicros, double level) {}

    /** @param counts as {@link dev.why429.analyzers.casefile.Figures.Bucket} names it */
    record Course(String counts, List<Point> points, List<Long> edges) {}

    /** One request of the key, in the order of arrival. */
    record Decision(long atMicros, long endMicros, boolean admitted) {}

    private final Case.Limiter limiter;
    private final List<Decision> decisions;
    private final List<Point> points = new ArrayList<>();
    private final List<Long> edges = new ArrayList<>();

    private Levels(Case.Limiter limiter, List<Decision> decisions) {
        this.limiter = limiter;
        this.decisions = decisions;
    }

    static Course of(Case.Limiter limiter, List<Decision> decisions) {
        return new Levels(limiter, decisions).course();
    }

    /** The window, or the time in which a full bucket drains; a second where neither is known. */
    static double windowSeconds(Case.Limiter limiter) {
        Optional<Double> drained = middle(limiter.ratePerSecond())
                .filter(rate -> rate > 0)
                .flatMap(rate -> middle(limiter.burst()).map(burst -> Math.max(1, burst / rate)));
        return middle(limiter.windowSeconds())
                .filter(window -> window > 0)
                .or(() -> drained)
                .orElse(1.0);
    }

    static Optional<Double> middle(Optional<Case.Interval> interval) {
        return interval.flatMap(i -> i.low().isPresent() && i.high().isPresent()
                ? Optional.of((i.low().get() + i.high().get()) / 2)
                : i.low().or(i::high));
    }

    private Course course() {
        long window = Math.round(windowSeconds(limiter) * MICROS);
        String counts = switch (limiter.algorithm()) {
            case "fixed_window", "quota" -> fixed(window);
            case "sliding_window_counter" -> estimate(window);
            case "token_bucket", "leaky_bucket" -> bucket();
            case "concurrency" -> inFlight();
            default -> last(window);
        };
        return new Course(counts, points, edges);
    }

    /** Does this request use up something? */
    private boolean consumes(Decision decision) {
        return decision.admitted() || limiter.deniedCount().orElse(false);
    }

    private String fixed(long window) {
        boolean byClock = limiter.alignment().equals("clock");
        long start = Long.MIN_VALUE;
        long count = 0;
        for (Decision decision : decisions) {
            long at = decision.atMicros();
            if (start == Long.MIN_VALUE || at - start >= window) {
                if (start != Long.MIN_VALUE) {
                    edges.add(start + window);
                    points.add(new Point(start + window, 0));
                }
                start = byClock ? at - Math.floorMod(at, window) : at;
                edges.add(start);
                count = 0;
            }
            count += consumes(decision) ? 1 : 0;
            points.add(new Point(at, count));
        }
        if (start != Long.MIN_VALUE) {
            edges.add(start + window);
        }
        return "window";
    }

    private String last(long window) {
        Deque<Long> counted = new ArrayDeque<>();
        for (Decision decision : decisions) {
            while (!counted.isEmpty() && counted.peekFirst() <= decision.atMicros() - window) {
                long gone = counted.removeFirst() + window;
                points.add(new Point(gone, counted.size()));
            }
            if (consumes(decision)) {
                counted.addLast(decision.atMicros());
            }
            points.add(new Point(decision.atMicros(), counted.size()));
        }
        return "last_window";
    }

    private String estimate(long window) {
        long current = Long.MIN_VALUE;
        double now = 0;
        double before = 0;
        for (Decision decision : decisions) {
            long index = Math.floorDiv(decision.atMicros(), window);
            if (index != current) {
                before = index == current + 1 ? now : 0;
                now = 0;
                current = index;
                edges.add(index * window);
            }
            now += consumes(decision) ? 1 : 0;
            double elapsed = (double) Math.floorMod(decision.atMicros(), window) / window;
            points.add(new Point(decision.atMicros(), before * (1 - elapsed) + now));
        }
        return "estimate";
    }

    private String bucket() {
        double perMicro = middle(limiter.ratePerSecond()).orElse(0.0) / MICROS;
        double level = 0;
        long last = 0;
        for (Decision decision : decisions) {
            level = Math.max(0, level - perMicro * (decision.atMicros() - last));
            last = decision.atMicros();
            points.add(new Point(last, level));
            if (consumes(decision)) {
                level += 1;
                points.add(new Point(last, level));
            }
        }
        return "level";
    }

    private String inFlight() {
        long[] ends = decisions.stream()
                .filter(Decision::admitted)
                .mapToLong(Decision::endMicros)
                .sorted()
                .toArray();
        long[] starts = decisions.stream()
                .filter(Decision::admitted)
                .mapToLong(Decision::atMicros)
                .sorted()
                .toArray();
        int ended = 0;
        int level = 0;
        for (long start : starts) {
            while (ended < ends.length && ends[ended] <= start && level > 0) {
                level--;
                points.add(new Point(ends[ended++], level));
            }
            level++;
            points.add(new Point(start, level));
        }
        while (ended < ends.length && level > 0) {
            level--;
            points.add(new Point(ends[ended++], level));
        }
        return "in_flight";
    }
}
