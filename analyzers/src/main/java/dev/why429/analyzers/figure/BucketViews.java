package dev.why429.analyzers.figure;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Figures;
import dev.why429.analyzers.store.CaseStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The worst keys of each limiter, drawn as the limiter saw them: the stretch with most denials. */
final class BucketViews {
    private static final int MOST_LIMITERS = 4;
    private static final int MOST_KEYS = 2;
    private static final int MOST_NODES = 6;
    private static final int MOST_DECISIONS = 200_000;
    private static final int MOST_POINTS = 260;
    /** A stretch shows this many decisions of a key on a node, unless a single window already holds more. */
    private static final int DECISIONS_SHOWN = 160;

    private static final int WINDOWS_SHOWN = 6;
    private static final double SMALLEST_STRETCH_SECONDS = 1;

    /** Denials closer than this part of the stretch are one tick. */
    private static final double TICK_PART = 1.0 / 600;

    private final CaseStore store;
    private final Case.Limiter limiter;

    private BucketViews(CaseStore store, Case.Limiter limiter) {
        this.store = store;
        this.limiter = limiter;
    }

    static List<Figures.Bucket> of(CaseStore store, List<Case.Limiter> limiters) {
        return limiters.stream()
                .limit(MOST_LIMITERS)
                .flatMap(limiter -> new BucketViews(store, limiter).views().stream())
                .toList();
    }

    private List<Figures.Bucket> views() {
        List<String> keys = store.query("""
                SELECT key FROM decisions WHERE limiter = ? AND key IS NOT NULL GROUP BY key HAVING count(*) FILTER (NOT admitted) > 0
                ORDER BY count(*) FILTER (NOT admitted) DESC, key LIMIT ?
                """, row -> row.text("key"), limiter.id(), MOST_KEYS);
        return keys.stream().flatMap(key -> views(key).stream()).toList();
    }

    private List<Figures.Bucket> views(String key) {
        boolean alone = limiter.scope().equals("per_node");
        Map<String, List<Levels.Decision>> byNode = new TreeMap<>();
        store.forEach(
                """
                SELECT node, at_us, coalesce(end_us, at_us) AS end_us, admitted FROM decisions
                WHERE limiter = ? AND key = ? ORDER BY at_us, file, line LIMIT ?
                """,
                row -> byNode.computeIfAbsent(alone ? row.text("node") : "", node -> new ArrayList<>())
                        .add(new Levels.Decision(row.integer("at_us"), row.integer("end_us"), row.bool("admitted"))),
                limiter.id(),
                key,
                MOST_DECISIONS);
        Stretch stretch = stretch(byNode);
        return byNode.entrySet().stream()
                .limit(MOST_NODES)
                .map(node -> view(key, node.getKey(), node.getValue(), stretch))
                .toList();
    }

    private record Stretch(long from, long length) {
        boolean holds(long at) {
            return at >= from && at <= from + length;
        }

        double after(long at) {
            return Math.rint((at - from) / 1000.0) / 1000.0;
        }
    }

    /** As long as a few windows, shorter where that would show too many decisions, placed where most denials are. */
    private Stretch stretch(Map<String, List<Levels.Decision>> byNode) {
        List<Levels.Decision> all = byNode.values().stream()
                .flatMap(List::stream)
                .sorted(java.util.Comparator.comparingLong(Levels.Decision::atMicros))
                .toList();
        long first = all.get(0).atMicros();
        long last = all.get(all.size() - 1).atMicros();
        double window = Levels.windowSeconds(limiter);
        long wanted = Math.round(Math.max(SMALLEST_STRETCH_SECONDS, window * WINDOWS_SHOWN) * 1e6);
        long least = Math.round(Math.max(SMALLEST_STRETCH_SECONDS, window * 1.3) * 1e6);
        long length = Math.min(wanted, Math.max(last - first, 1));
        Stretch best = worst(all, length);
        while (length > least && count(all, best) > DECISIONS_SHOWN * (long) byNode.size()) {
            length = Math.max(least, length / 2);
            best = worst(all, length);
        }
        return best;
    }

    private static long count(List<Levels.Decision> all, Stretch stretch) {
        return all.stream().filter(d -> stretch.holds(d.atMicros())).count();
    }

    private static Stretch worst(List<Levels.Decision> all, long length) {
        int from = 0;
        int denied = 0;
        int most = -1;
        long best = all.get(0).atMicros();
        for (Levels.Decision decision : all) {
            denied += decision.admitted() ? 0 : 1;
            while (decision.atMicros() - all.get(from).atMicros() > length) {
                denied -= all.get(from).admitted() ? 0 : 1;
                from++;
            }
            if (denied > most) {
                most = denied;
                best = decision.atMicros() - length;
            }
        }
        return new Stretch(Math.max(best, all.get(0).atMicros()), length);
    }

    private Figures.Bucket view(String key, String node, List<Levels.Decision> decisions, Stretch stretch) {
        Levels.Course course = Levels.of(limiter, decisions);
        List<Double> at = new ArrayList<>();
        List<Double> level = new ArrayList<>();
        sampled(course, stretch, at, level);
        List<Levels.Decision> shown =
                decisions.stream().filter(d -> stretch.holds(d.atMicros())).toList();
        return new Figures.Bucket(
                limiter.id(),
                limiter.key(),
                key,
                node,
                course.counts(),
                limit(key),
                Instant.EPOCH.plus(stretch.from(), ChronoUnit.MICROS),
                stretch.length() / 1e6,
                at,
                level,
                apart(
                        shown.stream()
                                .filter(d -> !d.admitted())
                                .map(d -> stretch.after(d.atMicros()))
                                .toList(),
                        stretch),
                apart(
                        course.edges().stream()
                                .filter(stretch::holds)
                                .map(stretch::after)
                                .toList(),
                        stretch),
                shown.size(),
                shown.stream().filter(d -> !d.admitted()).count());
    }

    /** Where limits differ by key, that of the tier which names the key; else the one limit. */
    private Optional<Case.Interval> limit(String key) {
        Optional<Case.Interval> one = limiter.limit().or(limiter::burst);
        return one.isPresent()
                ? one
                : limiter.tiers().stream()
                        .flatMap(List::stream)
                        .filter(tier -> tier.examples().contains(key))
                        .flatMap(tier -> tier.limit().or(tier::burst).stream())
                        .findFirst();
    }

    /** The level before the stretch, then its points, thinned to the highest of each group where there are too many. */
    private static void sampled(Levels.Course course, Stretch stretch, List<Double> at, List<Double> level) {
        double before = 0;
        List<Levels.Point> inside = new ArrayList<>();
        for (Levels.Point point : course.points()) {
            if (point.atMicros() < stretch.from()) {
                before = point.level();
            } else if (stretch.holds(point.atMicros())) {
                inside.add(point);
            }
        }
        at.add(0.0);
        level.add(rounded(before));
        int group = Math.max(1, (inside.size() + MOST_POINTS - 1) / MOST_POINTS);
        for (int i = 0; i < inside.size(); i += group) {
            Levels.Point highest = inside.get(i);
            for (Levels.Point point : inside.subList(i, Math.min(i + group, inside.size()))) {
                highest = point.level() > highest.level() ? point : highest;
            }
            at.add(stretch.after(highest.atMicros()));
            level.add(rounded(highest.level()));
        }
    }

    private static double rounded(double level) {
        return Math.rint(level * 100) / 100;
    }

    private static List<Double> apart(List<Double> moments, Stretch stretch) {
        double least = stretch.length() / 1e6 * TICK_PART;
        List<Double> kept = new ArrayList<>();
        for (double moment : moments.stream().sorted().toList()) {
            if (kept.isEmpty() || moment - kept.get(kept.size() - 1) >= least) {
                kept.add(moment);
            }
        }
        return kept;
    }
}
