package dev.why429.analyzers.detect;

import dev.why429.analyzers.store.CaseStore;
import java.util.List;

/**
 * Temporary tables of what limiters themselves said:
 *
 * <ul>
 *   <li>{@code answers}: one row per policy that one response names, of a log line or of a capture, with the request beside it; {@code id} is the
 *       evidence, {@code client} the finest identity that the request shows
 *   <li>{@code keyed}: one row per message or dump line of a limiter that names a key; {@code address} is the first address in the key
 *   <li>{@code notes}: sentences of people: small text files that no log format knows
 * </ul>
 */
final class AnswerTables {
    /** More lines than a person writes. */
    private static final int LONGEST_NOTES = 500;

    private AnswerTables() {}

    static void fill(CaseStore store) {
        List.of("answers", "keyed", "notes").forEach(table -> store.execute("DROP TABLE IF EXISTS temp." + table));
        // a case that was made before there were quotas has none
        store.execute("""
                CREATE TABLE IF NOT EXISTS quotas(file INTEGER, line BIGINT, capture INTEGER, exchange BIGINT, dialect VARCHAR, policy VARCHAR,
                    limit_value DOUBLE, remaining DOUBLE, reset_seconds DOUBLE, reset_at TIMESTAMP, window_seconds DOUBLE, partition_key VARCHAR,
                    retry_after_seconds DOUBLE, retry_after_at TIMESTAMP, reset_form VARCHAR, retry_after_form VARCHAR)""");
        store.execute(ANSWERS);
        store.execute(KEYED);
        store.execute(NOTES, LONGEST_NOTES);
    }

    private static final String ANSWERS = """
            CREATE TEMP TABLE answers AS
            SELECT 'F' || r.file || ':' || r.line AS id, r.file, r.line, NULL AS capture, x.exchange, r.logged_at AS moment, epoch_us(r.logged_at) AS at_us,
                   r.status, coalesce(r.status = 429 OR (a.exchange IS NOT NULL AND r.status >= 400), false) AS denied, i.layer, i.component,
                   coalesce(nullif(r.node, ''), i.node, '') AS node, r.method, split_part(r.path, '?', 1) AS route,
                   coalesce(x.api_key, x."user", x.tenant, x.client_ip, r.client_ip, '') AS client,
                   CASE WHEN x.api_key IS NOT NULL THEN 'api_key' WHEN x."user" IS NOT NULL THEN 'user' WHEN x.tenant IS NOT NULL THEN 'tenant'
                        ELSE 'client_ip' END AS client_field,
                   r.client_ip, r.peer_ip, coalesce(r.forwarded, x.forwarded) AS forwarded, r.user_agent, coalesce(r.request_id, x.request_id) AS request_id,
                   r.attempt, r.duration_micros, r.upstream_status, lower(r.response_headers) AS headers, r.other_fields,
                   q.dialect, q.policy, q.limit_value, q.remaining, q.reset_seconds, epoch_us(q.reset_at) AS reset_us, q.reset_form, q.window_seconds,
                   q.partition_key, q.retry_after_seconds, q.retry_after_form
            FROM quotas q JOIN requests r ON r.file = q.file AND r.line = q.line LEFT JOIN inputs i ON i.file = r.file
            LEFT JOIN exchanges x ON x.exchange = q.exchange
            LEFT JOIN (SELECT DISTINCT exchange FROM attributions WHERE reason NOT IN ('backend_error', 'not_a_limit')) a ON a.exchange = q.exchange
            UNION ALL
            SELECT 'C' || c.capture, NULL, NULL, c.capture, q.exchange, c.captured_at, epoch_us(c.captured_at),
                   c.status, coalesce(c.status = 429, false), '', '', '', c.method, split_part(c.path, '?', 1), coalesce(c.client_ip, ''), 'client_ip',
                   c.client_ip, NULL, NULL, NULL, c.request_id, NULL, NULL, NULL, lower(c.response_headers), NULL,
                   q.dialect, q.policy, q.limit_value, q.remaining, q.reset_seconds, epoch_us(q.reset_at), q.reset_form, q.window_seconds,
                   q.partition_key, q.retry_after_seconds, q.retry_after_form
            FROM quotas q JOIN captures c ON c.capture = q.capture
            """;

    private static final String KEYED = """
            CREATE TEMP TABLE keyed AS
            SELECT 'F' || n.file || ':' || n.line AS id, n.file, n.line, n.logged_at AS moment, epoch_us(n.logged_at) AS at_us, n.kind, i.layer, i.component,
                   coalesce(nullif(n.node, ''), i.node, '') AS node, n.limiter_key, n.counted, n.limit_value, n.window_seconds, n.allowed, n.forwarded, n.client_ip,
                   n.message, n.other_fields,
                   regexp_extract(n.limiter_key, '(?:[0-9]{1,3}[.]){3}[0-9]{1,3}|ip_[0-9a-z]+(?:[.][0-9a-z]+)+(?:~[a-z_]+)?|(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}', 0) AS address
            FROM notices n LEFT JOIN inputs i ON i.file = n.file WHERE n.limiter_key IS NOT NULL
            """;

    private static final String NOTES = """
            CREATE TEMP TABLE notes AS
            SELECT 'F' || n.file || ':' || n.line AS id, n.file, n.line, n.logged_at AS moment, n.message AS text
            FROM notices n JOIN inputs i ON i.file = n.file WHERE i.format = 'text' AND n.kind = 'message' AND n.line <= ? AND n.message IS NOT NULL
            """;
}
