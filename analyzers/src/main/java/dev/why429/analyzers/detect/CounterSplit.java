package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.analyzers.store.CaseStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the numbers that responses say are left of a limit come from one counter or from several. Two signs, neither of which a refill, a new
 * window or lines out of order can make:
 *
 * <ul>
 *   <li>one window (the reset stays the same moment), and the same number is left more than once although requests were admitted in between
 *   <li>one place denies with nothing left right after another place has admitted with something left
 * </ul>
 */
final class CounterSplit {
    private static final double SAME_RESET_SECONDS = 1.5;
    private static final double RIGHT_AFTER_SECONDS = 5;
    private static final int LONGEST_SERIES = 200_000;
    private static final int FEWEST_REPEATS = 2;
    private static final int FEWEST_CONTRADICTIONS = 3;

    /** A response: {@code left} of the limit, and where it was counted, empty where that is not logged. */
    record Left(
            String id,
            double atSeconds,
            Instant moment,
            boolean denied,
            double left,
            double resetSeconds,
            double resetAtSeconds,
            String place,
            String server) {}

    /** What all responses of a series share; {@code asker} is everything that a limiter may count by, so that no key is finer. */
    record Series(
            String layer,
            String client,
            String field,
            String asker,
            String policy,
            double limit,
            double windowSeconds) {}

    /** @param counters at least so many count on their own; {@code places} those that are known by name */
    record Split(Series series, int counters, Set<String> places, List<Left> shown, String why, boolean gateway) {}

    private CounterSplit() {}

    /**
     * The series that more than one counter must have made, the largest first.
     *
     * @param place SQL expression on the table {@code answers} for where a response was counted
     */
    static List<Split> in(CaseStore store, String place) {
        Map<Series, List<Left>> all = new LinkedHashMap<>();
        store.forEach("""
                SELECT DISTINCT ON (layer, asker, coalesce(policy, ''), limit_value, id) layer, client, client_field, asker, coalesce(policy, '') AS policy, coalesce(limit_value, 0) AS limit_value,
                       max(coalesce(window_seconds, 0)) OVER (PARTITION BY layer, asker, coalesce(policy, ''), limit_value) AS window_seconds, id, at_us / 1e6 AS at_s, moment,
                       denied, remaining, coalesce(reset_seconds, -1) AS reset_seconds, coalesce(reset_us / 1e6, -1) AS reset_at_s, coalesce(%s, '') AS place,
                       coalesce(component, '') || ' ' || coalesce(node, '') || ' ' || coalesce(dialect, '') AS server, line, file
                FROM (SELECT *, concat_ws(chr(10), client, client_ip, peer_ip, forwarded, user_agent, method, route) AS asker FROM answers) WHERE remaining IS NOT NULL AND file IS NOT NULL AND at_us IS NOT NULL
                  AND (SELECT count(*) FROM answers) <= %d
                ORDER BY layer, asker, coalesce(policy, ''), limit_value, id""".formatted(place, LONGEST_SERIES), row -> {
            Series series = new Series(
                    row.text("layer"),
                    row.text("client"),
                    row.text("client_field"),
                    row.text("asker"),
                    row.text("policy"),
                    row.number("limit_value"),
                    row.number("window_seconds"));
            all.computeIfAbsent(series, key -> new ArrayList<>())
                    .add(new Left(
                            row.text("id"),
                            row.number("at_s"),
                            row.instant("moment"),
                            row.bool("denied"),
                            row.number("remaining"),
                            row.number("reset_seconds"),
                            row.number("reset_at_s"),
                            row.text("place"),
                            row.text("server")));
        });
        List<Split> splits = new ArrayList<>();
        all.forEach((series, rows) -> {
            rows.sort(CounterSplit::inOrder);
            byPlace(series, rows).or(() -> byRepetition(series, rows)).ifPresent(splits::add);
        });
        splits.sort((a, b) -> Integer.compare(b.shown().size(), a.shown().size()));
        return splits;
    }

    private static int inOrder(Left a, Left b) {
        int time = Double.compare(a.atSeconds(), b.atSeconds());
        return time != 0 ? time : Integer.compare(lineOf(a.id()), lineOf(b.id()));
    }

    private static String fileOf(String id) {
        return id.substring(0, id.indexOf(':'));
    }

    private static int lineOf(String id) {
        return Integer.parseInt(id.substring(id.indexOf(':') + 1));
    }

    /** Denied at one place with nothing left, right after another place has admitted with something left. */
    private static Optional<Split> byPlace(Series series, List<Left> rows) {
        Set<String> places = new LinkedHashSet<>();
        rows.forEach(row -> places.add(row.place()));
        if (places.size() < 2 || places.contains("")) {
            return Optional.empty();
        }
        List<Left> shown = new ArrayList<>();
        Set<String> apart = new LinkedHashSet<>();
        for (int i = 1; i < rows.size(); i++) {
            Left before = rows.get(i - 1);
            Left now = rows.get(i);
            if (!before.denied()
                    && before.left() >= 1
                    && now.denied()
                    && now.left() <= 0
                    && !now.place().equals(before.place())
                    // one file, one clock: the order of two nodes' own logs is only as good as their clocks
                    && fileOf(now.id()).equals(fileOf(before.id()))
                    && now.atSeconds() - before.atSeconds() <= RIGHT_AFTER_SECONDS) {
                shown.add(before);
                shown.add(now);
                apart.add(before.place());
                apart.add(now.place());
            }
        }
        return shown.size() < 2 * FEWEST_CONTRADICTIONS
                ? Optional.empty()
                : Optional.of(new Split(
                        series,
                        apart.size(),
                        apart,
                        shown,
                        shown.size() / 2
                                + " times one place denies with nothing left, right after another has admitted with something left",
                        gateway(series, rows)));
    }

    /** The same number left more than once in one window, with admissions in between that no refill can make up for. */
    private static Optional<Split> byRepetition(Series series, List<Left> rows) {
        // the clocks of two places need not agree, so windows of both are not compared
        boolean onePlace = rows.stream().map(Left::place).distinct().count() == 1;
        return onePlace && series.limit() >= 2 && !drifts(rows) ? ofOnePlace(series, rows) : Optional.empty();
    }

    /** A reset that moves on little by little is that of the oldest request in a sliding window, or of a bucket; windows of a clock are far apart. */
    private static boolean drifts(List<Left> rows) {
        double longest = rows.stream().mapToDouble(Left::resetSeconds).max().orElse(0);
        double before = Double.NaN;
        for (Left row : rows) {
            double moved = Math.abs(row.resetAtSeconds() - before);
            if (moved > SAME_RESET_SECONDS && moved < Math.max(2 * SAME_RESET_SECONDS, 0.3 * longest)) {
                return true;
            }
            if (!(moved <= SAME_RESET_SECONDS)) {
                before = row.resetAtSeconds();
            }
        }
        return false;
    }

    private static Optional<Split> ofOnePlace(Series series, List<Left> rows) {
        int most = 1;
        List<Left> shown = List.of();
        int from = 0;
        while (from < rows.size()) {
            int to = from + 1;
            while (to < rows.size()
                    && Math.abs(rows.get(to).resetAtSeconds() - rows.get(from).resetAtSeconds())
                            <= SAME_RESET_SECONDS) {
                to++;
            }
            List<Left> window = rows.subList(from, to);
            if (rows.get(from).resetSeconds() > 0) {
                int counters = counters(series, window);
                if (counters > most) {
                    most = counters;
                    shown = window;
                }
            }
            from = to;
        }
        return most < 2
                ? Optional.empty()
                : Optional.of(new Split(
                        series,
                        most,
                        Set.of(),
                        shown,
                        "in one window the same number is left up to " + most
                                + " times, although requests were admitted in between: so many counters at least",
                        gateway(series, rows)));
    }

    private static int counters(Series series, List<Left> window) {
        Map<Double, Integer> times = new HashMap<>();
        Map<Double, Integer> lastAt = new HashMap<>();
        int repeats = 0;
        double worth = 0;
        for (int i = 0; i < window.size(); i++) {
            Left now = window.get(i);
            if (now.denied() || now.left() <= 0) {
                continue;
            }
            Integer before = lastAt.put(now.left(), i);
            times.merge(now.left(), 1, Integer::sum);
            if (before != null) {
                Left earlier = window.get(before);
                long admitted = window.subList(before + 1, i + 1).stream()
                        .filter(row -> !row.denied())
                        .count();
                double refilled = 2
                        * Math.max(1, series.limit() - earlier.left())
                        * (now.atSeconds() - earlier.atSeconds())
                        / earlier.resetSeconds();
                double missing = admitted - 1 - refilled;
                if (missing > 0.5) {
                    repeats++;
                    worth += missing;
                } else if (admitted == 1 && refilled < 0.5) {
                    // the very next request is told the same number
                    repeats++;
                    worth += 0.5;
                }
            }
        }
        return repeats >= FEWEST_REPEATS && worth >= 2
                ? times.values().stream().mapToInt(Integer::intValue).max().orElse(1)
                : 1;
    }

    private static boolean gateway(Series series, List<Left> rows) {
        String server = rows.get(0).server().toLowerCase(java.util.Locale.ROOT);
        return series.layer().equals("gateway")
                || List.of("kong", "nginx", "envoy", "apisix", "traefik", "gateway", "tyk").stream()
                        .anyMatch(server::contains);
    }

    /** The sighting of one split; the caller adds what its kind calls the places. */
    static Map<String, Object> numbers(Split split) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        double limit = split.series().limit();
        numbers.put("per_pod_limit", Interval.exactly(limit));
        numbers.put("effective_limit", Interval.exactly(limit * split.counters()));
        windowOf(split).ifPresent(window -> numbers.put("window_seconds", window));
        return numbers;
    }

    private static Optional<Object> windowOf(Split split) {
        if (split.series().windowSeconds() > 0) {
            return Optional.of(SqlLook.number(split.series().windowSeconds()));
        }
        double longest =
                split.shown().stream().mapToDouble(Left::resetSeconds).max().orElse(0);
        return longest > 0 ? Optional.of(new Interval(Optional.of(longest), Optional.empty())) : Optional.empty();
    }

    static List<String> evidence(Split split) {
        return split.shown().stream().limit(10).map(Left::id).toList();
    }
}
