package dev.why429.analyzers.attribute;

import dev.why429.analyzers.store.CaseStore;

/**
 * Spells in which a limiter denied because it could not reach its store: nearly every request of the log is denied, of every client at once,
 * without the headers that the same limiter's other denials carry; or a notice says so. Fills the temporary table {@code store_failures(file, line,
 * noticed)}.
 */
final class StoreFailures {
    /** Denials further apart than this are two spells. */
    private static final int GAP_SECONDS = 10;

    /** How much of the traffic must be denied in a spell; the rest are paths without a limit. */
    private static final double NEARLY_ALL = 0.85;

    private static final int LEAST_DENIALS = 5;

    private StoreFailures() {}

    static void find(CaseStore store) {
        store.execute("""
                CREATE TEMP TABLE bare AS
                SELECT d.file, d.line, d.moment, d.client_ip, d.api_key FROM denied d
                WHERE d.own AND d.layer IN ('app', 'unknown')
                  AND d.response_headers IS NOT NULL AND NOT regexp_matches(d.response_headers, %1$s)
                  AND d.depth IN (SELECT depth FROM denied WHERE own AND regexp_matches(response_headers, %1$s))""".formatted(MarkerSql.quoted("\"(x-)?rate-?limit|\"x-rate-limit|\"retry-after")));
        store.execute("""
                INSERT INTO bare
                SELECT d.file, d.line, d.moment, d.client_ip, d.api_key FROM denied d
                WHERE d.own AND d.layer IN ('app', 'unknown') AND d.response_headers IS NULL AND EXISTS (
                  SELECT 1 FROM notices n WHERE n.kind = 'limiter_store_error'
                    AND n.logged_at BETWEEN d.moment - INTERVAL 2 SECOND AND d.moment + INTERVAL 2 SECOND)""");
        store.execute("""
                CREATE TEMP TABLE store_failures AS
                WITH spells AS (
                  SELECT *, sum(begins) OVER (PARTITION BY file ORDER BY moment, line) AS spell FROM (
                    SELECT *, CASE WHEN moment - lag(moment) OVER (PARTITION BY file ORDER BY moment, line) <= INTERVAL %d SECOND
                                   THEN 0 ELSE 1 END AS begins FROM bare)),
                spans AS (
                  SELECT file, spell, min(moment) AS first, max(moment) AS last, count(*) AS denials,
                         count(DISTINCT coalesce(api_key, client_ip)) AS clients
                  FROM spells GROUP BY file, spell),
                judged AS (
                  SELECT s.file, s.spell, s.denials, s.clients,
                         (SELECT count(*) FROM requests r WHERE r.file = s.file AND r.status IS NOT NULL
                            AND r.logged_at BETWEEN s.first AND s.last) AS all_lines,
                         EXISTS (SELECT 1 FROM notices n WHERE n.kind = 'limiter_store_error'
                            AND n.logged_at BETWEEN s.first - INTERVAL 2 SECOND AND s.last + INTERVAL 2 SECOND) AS noticed
                  FROM spans s)
                SELECT l.file, l.line, j.noticed FROM spells l JOIN judged j USING (file, spell)
                WHERE j.denials >= %d AND j.denials >= %s * j.all_lines AND (j.clients > 1 OR j.noticed)""".formatted(GAP_SECONDS, LEAST_DENIALS, NEARLY_ALL));
        store.execute("DROP TABLE bare");
    }
}
