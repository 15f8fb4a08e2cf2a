package dev.why429.analyzers.attribute;

import dev.why429.analyzers.store.CaseStore;
import java.util.List;

/**
 * Finds the denied lines, and per exchange where the trail of each denial ends. Fills the temporary tables {@code denied} (lines), {@code store_failures}
 * and {@code trails} (one row per denial).
 */
final class DenialTables {
    private final CaseStore store;
    private final MarkerSql markers;

    DenialTables(CaseStore store, MarkerSql markers) {
        this.store = store;
        this.markers = markers;
    }

    void fill() {
        notices();
        lines();
        StoreFailures.find(store);
        trails();
    }

    /**
     * The limiter's own notice about a request: same client, method and path, and at most a second apart. A notice that names no request is about
     * every request of its client at that moment that failed without being passed on.
     */
    private void notices() {
        store.execute("""
                CREATE TEMP TABLE noticed AS
                WITH failed AS (
                  SELECT r.file, r.line, r.client_ip, r.method, split_part(r.path, '?', 1) AS path,
                         epoch_us(r.logged_at) // 1000000 AS s, p.logs_upstream
                  FROM requests r JOIN places p USING (file)
                  WHERE r.status >= 400 AND p.layer <> 'app'
                    AND r.upstream_addr IS NULL AND r.upstream_status IS NULL
                    AND EXISTS (SELECT 1 FROM notices WHERE kind = 'limiter_reject')),
                told AS (
                  SELECT DISTINCT client_ip, method, split_part(path, '?', 1) AS path, message, zone,
                         epoch_us(logged_at) // 1000000 + d AS s
                  FROM notices, (VALUES (-1), (0), (1)) AS around(d) WHERE kind = 'limiter_reject')
                SELECT file, line, min(message) AS message, min(zone) AS zone FROM (
                  SELECT r.file, r.line, n.message, n.zone FROM failed r JOIN told n USING (client_ip, method, path, s)
                  UNION ALL
                  SELECT r.file, r.line, n.message, n.zone FROM failed r
                  JOIN (SELECT * FROM told WHERE path IS NULL) n USING (client_ip, s) WHERE r.logs_upstream)
                GROUP BY file, line""");
    }

    private void lines() {
        store.execute("""
                CREATE TEMP TABLE denied AS
                SELECT e.exchange, e.depth, p.layer, e.joined_by, r.file, r.line, r.client_ip, r.api_key, r.duration_micros,
                       r.response_headers, r.upstream_status, r.upstream_addr,
                       r.response_body, r.logged_message, r.other_fields, %2$s, n.message AS notice_message, n.zone AS notice_zone,
                       (r.status = 429 OR n.message IS NOT NULL OR %1$s) AS own,
                       (n.message IS NOT NULL OR %1$s) AS marked,
                       p.logs_upstream, r.logged_at AS moment,
                       TRY_CAST(regexp_extract(r.upstream_status, '([0-9]{3})[^0-9]*$', 1) AS INTEGER) AS last_upstream,
                       len(regexp_extract_all(coalesce(r.upstream_status, ''), '429')) AS upstream_denials
                FROM requests r LEFT JOIN noticed n ON n.file = r.file AND n.line = r.line
                JOIN exchange_lines e ON e.file = r.file AND e.line = r.line
                JOIN places p ON p.file = r.file
                WHERE r.status = 429 OR n.message IS NOT NULL OR contains(r.upstream_status, '429') OR %1$s""".formatted(markers.deniesInLog(), markers.logColumns("r")));
        store.execute("DROP TABLE noticed");
    }

    private void trails() {
        coverage();
        store.execute("""
                CREATE TEMP TABLE ends AS
                SELECT d.exchange, max(d.depth) FILTER (WHERE own) AS deepest,
                       max(d.upstream_denials) AS asked, arg_max(d.file, d.upstream_denials * 100 + d.depth) AS asked_file,
                       arg_max(d.line, d.upstream_denials * 100 + d.depth) AS asked_line,
                       coalesce(bool_or(own AND d.depth = o.depth), FALSE) AS visible
                FROM denied d
                JOIN (SELECT exchange, min(depth) AS depth FROM exchange_lines
                      WHERE exchange IN (SELECT exchange FROM denied) GROUP BY exchange) o USING (exchange)
                GROUP BY d.exchange""");
        // one try per log: an application may write two lines about one answer
        store.execute("""
                CREATE TEMP TABLE tries AS
                SELECT *, row_number() OVER (PARTITION BY exchange ORDER BY moment DESC, file DESC) AS back FROM (
                  SELECT d.exchange, d.file, d.line, d.moment, e.visible
                  FROM denied d JOIN ends e ON e.exchange = d.exchange AND d.depth = e.deepest
                  WHERE d.own
                  QUALIFY row_number() OVER (PARTITION BY d.exchange,
                            CASE WHEN d.logs_upstream OR d.layer IN ('cdn', 'gateway') THEN 0 ELSE d.file END
                            ORDER BY (d.response_headers IS NULL), (d.duration_micros IS NULL), d.line DESC) = 1)""");
        store.execute("""
                CREATE TEMP TABLE trails AS
                SELECT d.*, t.visible, t.back, (t.visible AND t.back = 1) AS seen,
                       CASE WHEN marked THEN 'GENERATED'
                            WHEN logs_upstream AND last_upstream IS NULL AND upstream_addr IS NULL THEN 'GENERATED'
                            WHEN last_upstream = 429 THEN 'PASSED_ON'
                            WHEN last_upstream >= 500 THEN 'REWRITTEN_5XX'
                            WHEN last_upstream IS NOT NULL THEN 'REWRITTEN'
                            WHEN layer IN ('app', 'third_party') THEN 'ANSWERED'
                            WHEN c.coverage >= 0.8 THEN 'UNSEEN_BELOW'
                            WHEN c.coverage > 0 THEN 'UNSEEN_BELOW_IN_A_SPARSE_LOG'
                            ELSE 'UNKNOWN_ORIGIN' END AS role
                FROM tries t JOIN denied d ON d.file = t.file AND d.line = t.line LEFT JOIN coverage c ON c.file = t.file""");
        // tries that only the gateway's list of upstream statuses tells of
        store.execute("""
                INSERT INTO trails BY NAME
                SELECT d.exchange, d.file, d.line, d.layer, d.depth, d.joined_by, d.moment, d.status, d.upstream_status, d.logs_upstream,
                       FALSE AS visible, FALSE AS own, FALSE AS marked, FALSE AS seen, 'PASSED_ON' AS role, 0 AS back
                FROM ends e JOIN denied d ON d.exchange = e.exchange AND d.file = e.asked_file AND d.line = e.asked_line
                LEFT JOIN (SELECT exchange, count(*) AS n FROM trails GROUP BY exchange) t ON t.exchange = e.exchange
                CROSS JOIN range(1, 1000) AS numbers(k)
                WHERE k <= e.asked - coalesce(t.n, 0)""");
        for (String table : List.of("ends", "tries")) {
            store.execute("DROP TABLE " + table);
        }
    }

    /** Per log: of its requests that were not denied, the share of which the logs behind have a line. */
    private void coverage() {
        store.execute("""
                CREATE TEMP TABLE coverage AS
                SELECT p.file, coalesce(c.coverage, 0) AS coverage
                FROM places p LEFT JOIN (
                  SELECT o.file, count(i.exchange) / count(*) AS coverage
                  FROM (SELECT e.exchange, e.file, e.depth FROM exchange_lines e JOIN requests r USING (file, line)
                        WHERE r.status < 400 AND e.depth < (SELECT max(depth) FROM places) LIMIT 300000) o
                  LEFT JOIN (SELECT exchange, max(depth) AS depth FROM exchange_lines WHERE joined_by <> 'alone'
                             GROUP BY exchange) i
                    ON i.exchange = o.exchange AND i.depth > o.depth
                  GROUP BY o.file) c USING (file)""");
    }
}
