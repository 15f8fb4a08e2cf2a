package dev.why429.analyzers.attribute;

import dev.why429.analyzers.store.CaseStore;

/**
 * Spells in which a limiter denied because it could not reach its store: nearly every request of the log is denied, of every client at once,
 * without the headers that the same limiter's other denials carry, or with numbers in the body that never were ({@code undefined}); or a notice says
 * so. Fills the temporary table {@code store_failures(file, line, how)}.
 */
final class StoreFailures {
    /** Denials further apart than this are two spells. */
    private static final int GAP_SECONDS = 10;

    /** How much of the traffic must be denied in a spell; the rest are paths without a limit. */
    private static final double NEARLY_ALL = 0.85;

    private static final int LEAST_DENIALS = 5;

    /** Where the limiter itself, or what it wrote, says that it failed. */
    private static final int LEAST_TOLD_DENIALS = 2;

    /** A body made of values that the store never gave: {@code Used undefined, resets Invalid Date}. */
    private static final String GARBLED = "\\b(undefined|NaN|Invalid Date|\\[object Object\\]|<nil>|%!d)";

    /** A store's client that says it is well again; not "not ready", not "disconnected". */
    private static final String WELL = "(^|[^a-z-])(ready|connected|reconnected|recovered|restored)\\b";

    private static final String UNWELL = "\\b(not|never|no longer|cannot be) (ready|connected|recovered|restored)";

    private StoreFailures() {}

    /** How a failure is known. */
    enum How {
        TOLD(0.95, "the limiter said that its store failed at that moment"),
        GARBLED(0.93, "the body names numbers that never were: the limiter got no answer from its store"),
        BARE(0.85, "every client was denied at once, without the headers of the same limiter's other denials");

        private final double confidence;
        private final String text;

        How(double confidence, String text) {
            this.confidence = confidence;
            this.text = text;
        }

        double confidence() {
            return confidence;
        }

        String text() {
            return text;
        }
    }

    static void find(CaseStore store) {
        outages(store);
        String quota = MarkerSql.quoted("\"(x-)?rate-?limit|\"x-rate-limit");
        store.execute("""
                CREATE TEMP TABLE bare AS
                SELECT d.file, d.line, d.moment, d.client_ip, d.api_key,
                       coalesce(regexp_matches(r.response_body, %3$s), FALSE) AS garbled
                FROM denied d JOIN requests r ON r.file = d.file AND r.line = d.line
                WHERE d.own AND (d.layer IN ('app', 'unknown') OR (d.upstream_status IS NULL AND d.upstream_addr IS NULL))
                  AND (coalesce(regexp_matches(r.response_body, %3$s), FALSE)
                    OR (d.layer IN ('app', 'unknown') AND d.response_headers IS NOT NULL
                        AND NOT regexp_matches(d.response_headers, %2$s)
                        AND d.depth IN (SELECT depth FROM denied WHERE own AND regexp_matches(response_headers, %2$s)))
                    OR (NOT d.marked AND NOT coalesce(regexp_matches(d.response_headers, %1$s), FALSE) AND EXISTS (
                        SELECT 1 FROM outages o
                        WHERE d.moment BETWEEN o.first - INTERVAL 2 SECOND AND o.last + INTERVAL 2 SECOND)))""".formatted(
                quota, MarkerSql.quoted("\"(x-)?rate-?limit|\"x-rate-limit|\"retry-after"), MarkerSql.quoted(GARBLED)));
        store.execute("""
                CREATE TEMP TABLE store_failures AS
                WITH spells AS (
                  SELECT *, sum(begins) OVER (PARTITION BY file ORDER BY moment, line) AS spell FROM (
                    SELECT *, CASE WHEN moment - lag(moment) OVER (PARTITION BY file ORDER BY moment, line) <= INTERVAL %d SECOND
                                   THEN 0 ELSE 1 END AS begins FROM bare)),
                spans AS (
                  SELECT file, spell, min(moment) AS first, max(moment) AS last, count(*) AS denials,
                         count(DISTINCT coalesce(api_key, client_ip)) AS clients, bool_or(garbled) AS garbled
                  FROM spells GROUP BY file, spell),
                judged AS (
                  SELECT s.file, s.spell, s.denials, s.clients, s.garbled,
                         (SELECT count(*) FROM requests r WHERE r.file = s.file AND r.status IS NOT NULL
                            AND r.logged_at BETWEEN s.first AND s.last) AS all_lines,
                         EXISTS (SELECT 1 FROM outages o
                            WHERE o.first <= s.last + INTERVAL 2 SECOND AND o.last >= s.first - INTERVAL 2 SECOND) AS told
                  FROM spans s)
                SELECT l.file, l.line, CASE WHEN j.told THEN 'TOLD' WHEN j.garbled THEN 'GARBLED' ELSE 'BARE' END AS how
                FROM spells l JOIN judged j USING (file, spell)
                WHERE j.denials >= CASE WHEN j.told OR j.garbled THEN %d ELSE %d END AND j.denials >= %s * j.all_lines
                  AND (j.clients > 1 OR j.told OR j.garbled)""".formatted(GAP_SECONDS, LEAST_TOLD_DENIALS, LEAST_DENIALS, NEARLY_ALL));
        store.execute("DROP TABLE bare");
        store.execute("DROP TABLE outages");
    }

    /** From each complaint about the store until the same log says that all is well again; where it never does, the moment of the complaint. */
    private static void outages(CaseStore store) {
        store.execute("""
                CREATE TEMP TABLE outages AS
                SELECT min(first) AS first, last FROM (
                  SELECT e.file, e.logged_at AS first, coalesce(min(w.logged_at), e.logged_at) AS last
                  FROM (SELECT DISTINCT file, logged_at FROM notices WHERE kind = 'limiter_store_error' AND logged_at IS NOT NULL) e
                  LEFT JOIN (SELECT file, logged_at FROM notices
                             WHERE kind <> 'limiter_store_error' AND regexp_matches(lower(message), %s)
                               AND NOT regexp_matches(lower(message), %s)) w
                    ON w.file = e.file AND w.logged_at > e.logged_at
                  GROUP BY e.file, e.logged_at)
                GROUP BY file, last""".formatted(MarkerSql.quoted(WELL), MarkerSql.quoted(UNWELL)));
    }
}
