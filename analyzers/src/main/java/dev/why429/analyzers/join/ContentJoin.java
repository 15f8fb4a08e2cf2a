package dev.why429.analyzers.join;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Joins a log with the log in front of it where they share no id: lines of the same method, path and status (the status that the outer one
 * received, where it says so), and of the same client where both see it, are paired in their order. Two groups of the same size are paired first
 * with first; those pairs tell how far the clocks are apart; where the sizes differ, {@link OrderedPairs} looks for the pairing in order that
 * leaves the fewest alone and the stamps nearest. No pair is further apart than the stamps allow, so what has no partner stays alone.
 */
final class ContentJoin {
    /** A request may be logged by the inner server this much before the outer one is done with it, where no duration says better. */
    private static final long SLACK_MICROS = 750_000;

    private final CaseStore store;
    private final List<LogFile> outer;
    private final List<LogFile> inner;
    private final int depth;

    /** @param depth of the inner logs */
    ContentJoin(CaseStore store, List<LogFile> outer, List<LogFile> inner, int depth) {
        this.store = store;
        this.outer = outer;
        this.inner = inner;
        this.depth = depth;
    }

    /** @return how many pairs were found; they are added to {@code content_pairs} */
    long run() {
        boolean sameClients = clientsAreComparable();
        // an outer line that asked nobody has no partner further in
        candidates("outer_lines", outer, sameClients, """
                (NOT p.logs_upstream OR r.upstream_status IS NOT NULL OR r.upstream_addr IS NOT NULL)""", """
                CASE WHEN r.upstream_status IS NULL THEN r.status
                     ELSE TRY_CAST(regexp_extract(r.upstream_status, '([0-9]{3})[^0-9]*$', 1) AS BIGINT) END""");
        candidates("inner_lines", inner, sameClients, "TRUE", "r.status");
        long tolerance = SLACK_MICROS
                + outer.stream().mapToLong(LogFile::resolutionMicros).max().orElse(0)
                + inner.stream().mapToLong(LogFile::resolutionMicros).max().orElse(0);
        store.execute("CREATE TEMP TABLE group_sizes AS SELECT g, o.n AS outer_n, i.n AS inner_n FROM"
                + " (SELECT g, count(*) AS n FROM outer_lines GROUP BY g) o JOIN"
                + " (SELECT g, count(*) AS n FROM inner_lines GROUP BY g) i USING (g)");
        store.execute("""
                CREATE TEMP TABLE equal_pairs AS
                SELECT i.exchange AS inner_exchange, o.exchange AS outer_exchange, i.g, i.t - o.t AS apart
                FROM (SELECT *, row_number() OVER (PARTITION BY g ORDER BY t, exchange) AS k FROM inner_lines
                      WHERE g IN (SELECT g FROM group_sizes WHERE inner_n = outer_n)) i
                JOIN (SELECT *, row_number() OVER (PARTITION BY g ORDER BY t, exchange) AS k FROM outer_lines
                      WHERE g IN (SELECT g FROM group_sizes WHERE inner_n = outer_n)) o USING (g, k)""");
        long offset = offset();
        store.execute(
                "INSERT INTO content_pairs SELECT inner_exchange, outer_exchange, " + depth
                        + " FROM equal_pairs WHERE abs(apart - ?) <= ?",
                offset,
                tolerance);
        unequal(offset, tolerance);
        long pairs = store.query(
                        "SELECT count(*) AS n FROM content_pairs WHERE depth = " + depth, row -> row.integer("n"))
                .get(0);
        for (String table : List.of("outer_lines", "inner_lines", "group_sizes", "equal_pairs")) {
            store.execute("DROP TABLE " + table);
        }
        return pairs;
    }

    private void candidates(String table, List<LogFile> files, boolean withClient, String condition, String status) {
        // lines of one request (an id that one log has twice) count once
        store.execute("""
                CREATE TEMP TABLE %s AS
                SELECT g, exchange, min(t) AS t FROM (
                  SELECT hash(coalesce(r.method, ''), coalesce(r.path, ''), coalesce(%s, 0)%s) AS g,
                         coalesce(i.exchange, (r.file::BIGINT << 40) | r.line) AS exchange,
                         epoch_us(r.logged_at) + p.resolution_micros // 2
                           + CASE WHEN p.end_stamped THEN 0 ELSE coalesce(r.duration_micros, 0) END AS t
                  FROM requests r JOIN places p USING (file) LEFT JOIN id_lines i ON i.file = r.file AND i.line = r.line
                  WHERE r.file IN (%s) AND r.status IS NOT NULL AND %s)
                GROUP BY g, exchange""".formatted(table, status, withClient ? ", r.client_ip" : "", numbers(files), condition));
    }

    private static String numbers(List<LogFile> files) {
        return files.stream().map(file -> Integer.toString(file.file())).collect(Collectors.joining(","));
    }

    /** The inner server sees the client (and not only the proxy) when its addresses are those of the outer log. */
    private boolean clientsAreComparable() {
        return store.query(
                        """
                        SELECT count(*) AS n, count(*) FILTER (WHERE client_ip IN (SELECT DISTINCT client_ip FROM requests WHERE file IN (%s)))
                          AS known
                        FROM (SELECT DISTINCT client_ip FROM requests WHERE file IN (%s) AND client_ip IS NOT NULL)""".formatted(numbers(outer), numbers(inner)),
                        row -> row.integer("n") > 1 && row.integer("known") >= 0.9 * row.integer("n"))
                .get(0);
    }

    /** The clocks' offset: what most pairs of equally large groups have in common; 0 where there is none. */
    private long offset() {
        return store.query(
                        "SELECT coalesce(median(apart), 0)::BIGINT AS apart FROM equal_pairs",
                        row -> row.integer("apart"))
                .get(0);
    }

    private void unequal(long offset, long tolerance) {
        String left = """
                SELECT g, exchange, t, %d AS side FROM %s
                WHERE g IN (SELECT g FROM group_sizes) AND exchange NOT IN (SELECT %s FROM content_pairs WHERE depth = %d)""";
        OrderedPairs pairs = new OrderedPairs(tolerance);
        List<Long> found = new ArrayList<>();
        store.forEach(
                "SELECT * FROM (" + left.formatted(0, "outer_lines", "outer_exchange", depth) + " UNION ALL "
                        + left.formatted(1, "inner_lines", "inner_exchange", depth) + ") ORDER BY g, t, exchange",
                row -> pairs.add(
                        row.text("g"),
                        row.integer("side") == 0,
                        row.integer("t") - (row.integer("side") == 0 ? 0 : offset),
                        row.integer("exchange"),
                        found));
        pairs.finish(found);
        int step = 20_000;
        for (int from = 0; from < found.size(); from += step) {
            String text = found.subList(from, Math.min(found.size(), from + step)).stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(","));
            store.execute(
                    "INSERT INTO content_pairs SELECT x[2 * k]::BIGINT, x[2 * k - 1]::BIGINT, " + depth
                            + " FROM (SELECT string_split(?, ',') AS x), range(1, 1 + " + step / 2
                            + ") AS numbers(k) WHERE 2 * k <= len(x)",
                    text);
        }
    }
}
