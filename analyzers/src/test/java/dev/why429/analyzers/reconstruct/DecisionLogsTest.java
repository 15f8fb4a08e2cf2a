package dev.why429.analyzers.reconstruct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.store.CaseStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An nginx that limits, before two pods that limit too. */
class DecisionLogsTest {
    @TempDir
    Path folder;

    private CaseStore store;
    private long line;

    @BeforeEach
    void tables() {
        store = CaseStore.create(folder.resolve("case.duckdb"), folder, 1, 256);
        for (String table : List.of(
                "inputs(file INTEGER, path VARCHAR, sha256 VARCHAR, format VARCHAR, layer VARCHAR, component VARCHAR, node VARCHAR,"
                        + " time_zone VARCHAR, time_resolution_seconds DOUBLE, time_means VARCHAR, lines BIGINT, requests BIGINT,"
                        + " notices BIGINT, rejected BIGINT)",
                "exchange_lines(exchange BIGINT, file INTEGER, line BIGINT, layer VARCHAR, depth SMALLINT, joined_by VARCHAR)",
                "exchanges(exchange BIGINT, arrived_at TIMESTAMP, arrival_uncertainty_micros BIGINT, status BIGINT, outer_file INTEGER,"
                        + " outer_line BIGINT, client_ip VARCHAR, peer_ip VARCHAR, forwarded VARCHAR, api_key VARCHAR, \"user\" VARCHAR,"
                        + " tenant VARCHAR, method VARCHAR, path VARCHAR, host VARCHAR, user_agent VARCHAR, request_id VARCHAR,"
                        + " bytes BIGINT, duration_micros BIGINT)",
                "attributions(exchange BIGINT, visible BOOLEAN, layer VARCHAR, component VARCHAR, reason VARCHAR, confidence DOUBLE,"
                        + " class INTEGER, file INTEGER, line BIGINT)")) {
            store.execute("CREATE TABLE IF NOT EXISTS " + table);
        }
        input(1, "gateway", "nginx", "edge");
        input(2, "app", "express", "pod1");
        input(3, "app", "express", "pod2");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void input(int file, String layer, String component, String node) {
        store.execute(
                "INSERT INTO inputs VALUES (?, 'x', '', '', ?, ?, ?, '+00:00', 0.001, 'end', 9, 9, 0, 0)",
                file,
                layer,
                component,
                node);
    }

    private void exchange(long exchange, String client) {
        store.execute(
                "INSERT INTO exchanges(exchange, arrived_at, arrival_uncertainty_micros, client_ip, method, path)"
                        + " VALUES (?, make_timestamp(?), 1000, ?, 'GET', '/orders/17?page=2')",
                exchange,
                exchange * 1_000_000,
                client);
    }

    private long line(long exchange, int file, long atMicros, int status, String seenClient) {
        line++;
        store.execute(
                "INSERT INTO requests(file, line, logged_at, arrived_at, arrival_uncertainty_micros, duration_micros, client_ip, path,"
                        + " status) VALUES (?, ?, make_timestamp(?), make_timestamp(?), 1000, 2000, ?, '/orders/17?page=2', ?)",
                file,
                line,
                atMicros + 2000,
                atMicros,
                seenClient,
                status);
        store.execute(
                "INSERT INTO exchange_lines VALUES (?, ?, ?, ?, ?, 'id')",
                exchange,
                file,
                line,
                file == 1 ? "gateway" : "app",
                file == 1 ? 0 : 1);
        return line;
    }

    private void denied(
            long exchange, boolean visible, String layer, String component, String reason, int file, long at) {
        store.execute(
                "INSERT INTO attributions VALUES (?, ?, ?, ?, ?, 1, 1, ?, ?)",
                exchange,
                visible,
                layer,
                component,
                reason,
                file,
                at);
    }

    @Test
    void each_limiter_has_the_requests_that_reached_it() {
        exchange(1, "203.0.113.1");
        line(1, 1, 1_000_000, 200, "203.0.113.1");
        line(1, 2, 1_001_000, 200, "10.0.0.1");
        exchange(2, "203.0.113.1");
        denied(2, true, "gateway", "nginx limit_req", "limit", 1, line(2, 1, 2_000_000, 429, "203.0.113.1"));
        exchange(3, "203.0.113.2");
        line(3, 1, 3_000_000, 429, "203.0.113.2");
        denied(3, true, "app", "express-rate-limit", "limit", 3, line(3, 3, 3_001_000, 429, "10.0.0.1"));

        List<DecisionLog> logs = DecisionLogs.from(store);

        assertThat(logs).hasSize(2);
        DecisionLog app = logs.get(0);
        assertThat(app.layer()).isEqualTo("app");
        assertThat(app.denied()).containsExactly(false, true);
        assertThat(app.nodeNames()).containsExactly("pod1", "pod2");
        assertThat(app.evidence(1)).isEqualTo("F3:" + line);
        DecisionLog gateway = logs.get(1);
        assertThat(gateway.denied()).containsExactly(false, true, false);
        assertThat(gateway.arrivalMicros()).containsExactly(1_000_000, 2_000_000, 3_000_000);
    }

    @Test
    void a_try_that_the_client_never_saw_is_a_decision_of_its_pod() {
        exchange(1, "203.0.113.1");
        line(1, 1, 1_000_000, 200, "203.0.113.1");
        denied(1, false, "app", "express-rate-limit", "limit", 2, line(1, 2, 1_001_000, 429, "10.0.0.1"));
        line(1, 3, 1_005_000, 200, "10.0.0.1");

        DecisionLog app = DecisionLogs.from(store).get(0);

        assertThat(app.denied()).containsExactly(true, false);
        assertThat(app.node()).containsExactly(0, 1);
    }

    @Test
    void what_a_broken_store_denied_is_no_decision() {
        exchange(1, "203.0.113.1");
        denied(1, true, "app", "rate-limiter-flexible", "limiter_error", 2, line(1, 2, 1_000_000, 429, "10.0.0.1"));
        exchange(2, "203.0.113.1");
        denied(2, true, "app", "rate-limiter-flexible", "limit", 2, line(2, 2, 2_000_000, 429, "10.0.0.1"));
        exchange(3, "203.0.113.1");
        line(3, 2, 3_000_000, 200, "10.0.0.1");

        assertThat(DecisionLogs.from(store).get(0).denied()).containsExactly(true, false);
    }

    @Test
    void the_inner_server_sees_the_proxy_where_the_client_is_known_from_the_outer_one() {
        exchange(1, "203.0.113.1");
        denied(1, true, "app", "express-rate-limit", "limit", 2, line(1, 2, 1_000_000, 429, "10.0.0.1"));
        exchange(2, "203.0.113.2");
        line(2, 2, 2_000_000, 200, "10.0.0.1");

        DecisionLog app = DecisionLogs.from(store).get(0);

        assertThat(app.keyValue()[app.keyNames().indexOf("client_ip")]).containsExactly(0, 1);
        assertThat(app.keyValue()[app.keyNames().indexOf("peer_ip")]).containsExactly(0, 0);
        assertThat(app.keyValue()[app.keyNames().indexOf("route")]).containsExactly(0, 0);
        assertThat(app.keyValue()[app.keyNames().indexOf("api_key")]).containsExactly(-1, -1);
    }

    @Test
    void zones_of_nginx_are_limiters_of_their_own_and_bring_their_levels() {
        input(4, "gateway", "nginx", "edge");
        for (int i = 1; i <= 4; i++) {
            exchange(i, "203.0.113.1");
            long at = line(i, 1, i * 1_000_000L, i == 1 ? 200 : 429, "203.0.113.1");
            if (i > 1) {
                denied(i, true, "gateway", "nginx limit_req", "limit", 1, at);
                store.execute(
                        "INSERT INTO notices(file, line, logged_at, client_ip, path, kind, zone, excess_milli)"
                                + " VALUES (4, ?, make_timestamp(?), '203.0.113.1', '/orders/17?page=2', 'limiter_reject', ?, ?)",
                        i,
                        i * 1_000_000L,
                        i == 3 ? "perserver" : "perip",
                        5000 + i);
            }
        }

        List<DecisionLog> logs = DecisionLogs.from(store);

        assertThat(logs).hasSize(2);
        assertThat(logs.get(0).denied()).containsExactly(false, true, true);
        assertThat(logs.get(0).excessMilli()).containsExactly(-1, 5002, 5004);
        assertThat(logs.get(1).denied()).containsExactly(false, true);
    }

    @Test
    void a_quota_header_says_limit_rest_and_window() {
        assertThat(QuotaHeaders.read(
                        "{\"ratelimit-policy\":\"5;w=20\",\"ratelimit\":\"limit=5, remaining=4, reset=20\"}"))
                .isEqualTo(new QuotaHeaders(5, 4, 20));
        assertThat(QuotaHeaders.read("")).isEqualTo(new QuotaHeaders(-1, -1, 0));
    }

    @Test
    void a_route_is_a_path_without_identifiers() {
        assertThat(Routes.template("/orders/17/lines")).isEqualTo("/orders/{id}/lines");
        assertThat(Routes.template("/users/3f2a9c0e-11aa-4b1e-9d2f-0a1b2c3d4e5f"))
                .isEqualTo("/users/{id}");
        assertThat(Routes.template("/")).isEqualTo("/");
        assertThat(Routes.prefix("/api/orders")).isEqualTo("/api");
        assertThat(Routes.network("2001:db8:1:2ff:3::4")).isEqualTo(Routes.network("2001:db8:1:200::1"));
        assertThat(Routes.network("203.0.113.9")).isEqualTo("203.0.113.9");
    }
}
