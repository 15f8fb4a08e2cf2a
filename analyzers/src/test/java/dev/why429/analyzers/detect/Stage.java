package dev.why429.analyzers.detect;

import dev.why429.analyzers.store.CaseStore;
import java.nio.file.Path;
import java.util.List;

/**
 * The tables of a case as the earlier stages would leave them, from one short table: {@code traffic}, one row a client request. The edge (F1)
 * logs every request at its end with milliseconds, an inner node (F2 and on, in the order of their names) those that say which one served them.
 */
final class Stage {
    private Stage() {}

    private static final List<String> TABLES = List.of("""
            CREATE TABLE IF NOT EXISTS inputs(file INTEGER, path VARCHAR, sha256 VARCHAR, format VARCHAR, layer VARCHAR, component VARCHAR,
                node VARCHAR, time_zone VARCHAR, time_resolution_seconds DOUBLE, time_means VARCHAR, lines BIGINT, requests BIGINT,
                notices BIGINT, rejected BIGINT)""", """
            CREATE TABLE IF NOT EXISTS captures(capture INTEGER, source VARCHAR, position INTEGER, captured_at TIMESTAMP, client_ip VARCHAR,
                method VARCHAR, path VARCHAR, host VARCHAR, status BIGINT, request_headers VARCHAR, response_headers VARCHAR, body VARCHAR,
                request_id VARCHAR)""", """
            CREATE TABLE IF NOT EXISTS exchange_lines(exchange BIGINT, file INTEGER, line BIGINT, layer VARCHAR, depth SMALLINT,
                joined_by VARCHAR)""", """
            CREATE TABLE IF NOT EXISTS exchanges(exchange BIGINT, arrived_at TIMESTAMP, arrival_uncertainty_micros BIGINT, status BIGINT,
                outer_file INTEGER, outer_line BIGINT, client_ip VARCHAR, peer_ip VARCHAR, forwarded VARCHAR, api_key VARCHAR,
                "user" VARCHAR, tenant VARCHAR, method VARCHAR, path VARCHAR, host VARCHAR, user_agent VARCHAR, request_id VARCHAR,
                bytes BIGINT, duration_micros BIGINT)""", """
            CREATE TABLE IF NOT EXISTS attributions(exchange BIGINT, visible BOOLEAN, layer VARCHAR, component VARCHAR, reason VARCHAR,
                confidence DOUBLE, class INTEGER, file INTEGER, line BIGINT, capture INTEGER)""", """
            CREATE TABLE IF NOT EXISTS quotas(file INTEGER, line BIGINT, capture INTEGER, exchange BIGINT, dialect VARCHAR, policy VARCHAR,
                limit_value DOUBLE, remaining DOUBLE, reset_seconds DOUBLE, reset_at TIMESTAMP, window_seconds DOUBLE, partition_key VARCHAR,
                retry_after_seconds DOUBLE, retry_after_at TIMESTAMP, reset_form VARCHAR, retry_after_form VARCHAR)""", """
            CREATE TABLE IF NOT EXISTS denial_classes(class INTEGER, layer VARCHAR, component VARCHAR, reason VARCHAR, confidence DOUBLE,
                because VARCHAR[], evidence VARCHAR[])""", """
            CREATE TABLE traffic(t DOUBLE, client_ip VARCHAR DEFAULT '203.0.113.1', api_key VARCHAR, user_agent VARCHAR DEFAULT 'agent/1',
                path VARCHAR DEFAULT '/', status BIGINT DEFAULT 200, denied_by VARCHAR, reason VARCHAR DEFAULT 'limit', node VARCHAR,
                ahead DOUBLE DEFAULT 0, took DOUBLE DEFAULT 0.004, sent_forwarded VARCHAR, inner_ip VARCHAR, inner_status BIGINT,
                response_headers VARCHAR, upstream_status VARCHAR, upstream_addr VARCHAR, edge_logs BOOLEAN DEFAULT true,
                hidden BOOLEAN DEFAULT false, method VARCHAR DEFAULT 'GET', "user" VARCHAR, attempt BIGINT, asked_as VARCHAR, policy VARCHAR,
                limit_value DOUBLE, remaining DOUBLE, reset_seconds DOUBLE, window_seconds DOUBLE, retry_after DOUBLE, pod VARCHAR,
                request_headers VARCHAR, response_body VARCHAR, other_fields VARCHAR)""");

    private static final List<String> PLAY = List.of("""
            CREATE TABLE played AS
            SELECT *, row_number() OVER (ORDER BY t) AS exchange, epoch_us(TIMESTAMP '2026-03-01 12:00:00') + CAST(t * 1e6 AS BIGINT) AS start_us,
                   CAST(took * 1e6 AS BIGINT) AS took_us,
                   CASE WHEN node IS NULL THEN NULL ELSE 1 + dense_rank() OVER (PARTITION BY node IS NULL ORDER BY node) END AS inner_file,
                   CASE WHEN denied_by = 'gateway' THEN 1 END AS at_edge
            FROM traffic""", """
            INSERT INTO inputs SELECT 1, 'edge.log', '', 'nginx', 'gateway', 'nginx', 'edge', '+00:00', 0.001, 'end', 0, 0, 0, 0
            UNION ALL SELECT DISTINCT inner_file, node || '.log', '', 'pino', 'app', 'express', node, '+00:00', 0.001, 'end', 0, 0, 0, 0
            FROM played WHERE node IS NOT NULL""", """
            INSERT INTO requests(file, line, logged_at, arrived_at, arrival_uncertainty_micros, duration_micros, client_ip, peer_ip, forwarded,
                api_key, "user", method, path, status, user_agent, request_id, response_headers, upstream_status, upstream_addr, node, attempt,
                request_headers, response_body, other_fields)
            SELECT 1, exchange, make_timestamp(start_us + took_us), make_timestamp(start_us), 1000, took_us, client_ip, client_ip, sent_forwarded,
                   api_key, "user", method, path, status, user_agent, coalesce(asked_as, 'id' || exchange),
                   CASE WHEN node IS NULL THEN response_headers END, upstream_status, upstream_addr, pod, attempt, request_headers, response_body, other_fields
            FROM played WHERE edge_logs ORDER BY start_us + took_us""", """
            INSERT INTO requests(file, line, logged_at, arrived_at, arrival_uncertainty_micros, duration_micros, client_ip, peer_ip, forwarded,
                api_key, method, path, status, user_agent, request_id, response_headers)
            SELECT inner_file, row_number() OVER (PARTITION BY inner_file ORDER BY start_us),
                   make_timestamp(start_us + took_us * 3 // 4 + CAST(ahead * 1e6 AS BIGINT)),
                   make_timestamp(start_us + took_us // 4 + CAST(ahead * 1e6 AS BIGINT)), 1000, took_us // 2, coalesce(inner_ip, client_ip), '10.0.0.1',
                   coalesce(sent_forwarded || ', ', '') || client_ip, api_key, method, path, coalesce(inner_status, status), user_agent, 'id' || exchange,
                   response_headers
            FROM played WHERE node IS NOT NULL""", """
            INSERT INTO exchange_lines
            SELECT p.exchange, r.file, r.line, CASE WHEN r.file = 1 THEN 'gateway' ELSE 'app' END, CASE WHEN r.file = 1 OR NOT p.edge_logs THEN 0 ELSE 1 END,
                   'request_id'
            FROM played p JOIN requests r ON r.request_id = 'id' || p.exchange OR (r.file = 1 AND r.line = p.exchange)""", """
            INSERT INTO exchanges
            SELECT p.exchange, make_timestamp(start_us), 1000, p.status, r.file, r.line, p.client_ip, p.client_ip,
                   CASE WHEN p.node IS NULL THEN sent_forwarded ELSE coalesce(sent_forwarded || ', ', '') || p.client_ip END, p.api_key, p."user", NULL,
                   p.method, p.path, 'shop.example', p.user_agent, coalesce(p.asked_as, 'id' || p.exchange), 11, took_us
            FROM played p JOIN requests r ON (r.file = 1 AND r.line = p.exchange) OR (r.request_id = 'id' || p.exchange AND NOT p.edge_logs)""", """
            INSERT INTO attributions
            SELECT p.exchange, NOT p.hidden, denied_by, CASE denied_by WHEN 'gateway' THEN 'nginx limit_req' WHEN 'app' THEN 'express-rate-limit'
                   ELSE 'stripe' END, reason, 0.95, 1, r.file, r.line, NULL
            FROM played p JOIN requests r ON (r.request_id = 'id' || p.exchange OR (r.file = 1 AND r.line = p.exchange))
                 AND r.file = CASE WHEN denied_by = 'gateway' OR p.inner_file IS NULL THEN 1 ELSE p.inner_file END
            WHERE denied_by IS NOT NULL""", """
            INSERT INTO quotas(file, line, exchange, dialect, policy, limit_value, remaining, reset_seconds, reset_at, window_seconds, retry_after_seconds)
            SELECT r.file, r.line, p.exchange, 'x-ratelimit', p.policy, p.limit_value, p.remaining, p.reset_seconds,
                   r.logged_at + to_microseconds(CAST(p.reset_seconds * 1e6 AS BIGINT)), p.window_seconds, p.retry_after
            FROM played p JOIN requests r ON (r.file = 1 AND r.line = p.exchange AND p.inner_file IS NULL) OR (r.request_id = 'id' || p.exchange AND r.file = p.inner_file)
            WHERE p.limit_value IS NOT NULL OR p.remaining IS NOT NULL OR p.retry_after IS NOT NULL""");

    /**
     * Makes a case and plays the traffic.
     *
     * @param traffic statements that fill {@code traffic}
     * @param then statements for what traffic does not say, empty for none
     */
    static CaseStore play(Path folder, String traffic, String then) {
        CaseStore store = CaseStore.create(folder.resolve("case.duckdb"), folder, 2, 512);
        TABLES.forEach(store::execute);
        statements(traffic).forEach(store::execute);
        PLAY.forEach(store::execute);
        statements(then).forEach(store::execute);
        return store;
    }

    private static List<String> statements(String sql) {
        return java.util.Arrays.stream(sql.split(";\\s*\\R|;\\s*$"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
