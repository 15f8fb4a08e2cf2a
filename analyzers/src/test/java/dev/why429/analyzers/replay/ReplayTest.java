package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    private static final RedisEngine TWIN = RedisEngine.open("none");

    @TempDir
    Path folder;

    private CaseStore emptyCase() {
        CaseStore store = CaseStore.create(folder.resolve("case.duckdb"), folder.resolve("spill"), 1, 256);
        store.execute("CREATE TABLE exchanges(exchange BIGINT, arrived_at TIMESTAMP, arrival_uncertainty_micros BIGINT,"
                + " status BIGINT, outer_file INTEGER, outer_line BIGINT, client_ip VARCHAR, peer_ip VARCHAR,"
                + " forwarded VARCHAR, api_key VARCHAR, \"user\" VARCHAR, tenant VARCHAR, method VARCHAR, path VARCHAR,"
                + " host VARCHAR, user_agent VARCHAR, request_id VARCHAR, bytes BIGINT, duration_micros BIGINT)");
        store.execute("CREATE TABLE attributions(exchange BIGINT, visible BOOLEAN, layer VARCHAR, component VARCHAR,"
                + " reason VARCHAR, confidence DOUBLE, class INTEGER, file INTEGER, line BIGINT)");
        store.execute("CREATE TABLE exchange_lines(exchange BIGINT, file INTEGER, line BIGINT, layer VARCHAR,"
                + " depth SMALLINT, joined_by VARCHAR)");
        store.execute("CREATE TABLE inputs(file INTEGER, node VARCHAR)");
        return store;
    }

    private static void exchange(
            CaseStore store, int id, String at, Long open, String ip, String user, String path, boolean denied) {
        store.execute(
                "INSERT INTO exchanges(exchange, arrived_at, arrival_uncertainty_micros, outer_file, outer_line, client_ip,"
                        + " \"user\", path, forwarded) VALUES (?, CAST(? AS TIMESTAMP), ?, 1, ?, ?, ?, ?, '203.0.113.9, 10.0.0.1')",
                id,
                at,
                open,
                id,
                ip,
                user,
                path);
        if (denied) {
            store.execute("INSERT INTO attributions(exchange, visible) VALUES (?, TRUE), (?, TRUE)", id, id);
        }
    }

    @Test
    void aCaseIsComparedRequestByRequestThroughRedis() {
        try (CaseStore store = emptyCase()) {
            exchange(store, 1, "2026-01-01 10:00:00.1", 0L, "192.0.2.1", null, "/a", false);
            exchange(store, 2, "2026-01-01 10:00:00.2", 0L, "192.0.2.1", null, "/a", true);
            exchange(store, 3, "2026-01-01 10:00:00.3", 0L, "192.0.2.1", null, "/a", false);
            exchange(store, 4, "2026-01-01 10:00:00.4", 0L, "192.0.2.2", null, "/a", true);
            store.execute("INSERT INTO attributions(exchange, visible) VALUES (3, FALSE)");
            List<Case.Replay> replays = Replay.run(
                    store, List.of(Policy.parse("fixed-window:limit=2,window=60s,key=client_ip")), TestRedis.engine());
            Case.ReplayDetail detail = new Case.ReplayDetail(
                    "free_running",
                    0,
                    0.25,
                    0,
                    2,
                    2,
                    3,
                    3,
                    Optional.of(new Case.RetryAware(1, 1, 3, 0)),
                    List.of(
                            new Case.Difference("F1:2", "client_ip=192.0.2.1", "denied", "allowed"),
                            new Case.Difference("F1:3", "client_ip=192.0.2.1", "allowed", "denied"),
                            new Case.Difference("F1:4", "client_ip=192.0.2.2", "denied", "allowed")),
                    Optional.empty(),
                    Optional.empty());
            assertThat(replays)
                    .containsExactly(new Case.Replay(
                            "fixed-window:limit=2,window=60s,key=client_ip",
                            TestRedis.engine().name(),
                            3,
                            1,
                            0.25,
                            1,
                            2,
                            Optional.of(detail)));
            assertThat(TestRedis.engine().name()).startsWith("redis 7");
        }
    }

    @Test
    void keysAreMadeFromFieldsChainsAndCombinations() {
        try (CaseStore store = emptyCase()) {
            exchange(store, 1, "2026-01-01 10:00:00", 0L, "192.0.2.1", "ann", "/orders/17?x=1", false);
            exchange(store, 2, "2026-01-01 10:00:01", 0L, "192.0.2.77", null, "/orders/18", false);
            exchange(store, 3, "2026-01-01 10:00:02", 0L, "2001:db8:1:2::5", null, "/orders", false);
            exchange(store, 4, "2026-01-01 10:00:03", 0L, "ip_aaaa.bbbb", "-", "/x/9f8e7d6c5b", false);
            store.execute("INSERT INTO inputs VALUES (1, 'edge'), (2, 'pod-1'), (3, 'pod-2')");
            store.execute(
                    "INSERT INTO exchange_lines(exchange, file, depth) VALUES (1,1,0), (1,3,1), (2,1,0), (2,2,1), (3,1,0)");
            assertThat(keys(store, "user|client_net+route"))
                    .containsExactly(
                            "user=ann route=/orders/{id}",
                            "client_net=192.0.2.0/24 route=/orders/{id}",
                            "client_net=2001:db8:1:2::/64 route=/orders",
                            "client_net=ip_aaaa route=/x/{id}");
            assertThat(keys(store, "xff_leftmost")).containsExactly("xff_leftmost=203.0.113.9");
            assertThat(keys(store, "node")).containsExactly("node=pod-2", "node=pod-1", "node=edge", "node=(none)");
            assertThat(keys(store, "global")).containsExactly("global");
            assertThat(keys(store, "api_key")).containsExactly("api_key=(none)");
        }
    }

    private static List<String> keys(CaseStore store, String key) {
        return CaseRequests.read(store, Policy.parse("fixed-window:limit=1,window=1s,cost./orders=3,key=" + key))
                .keyNames();
    }

    @Test
    void requestsOfOneCoarseStampAreSpreadOverIt() {
        try (CaseStore store = emptyCase()) {
            for (int i = 1; i <= 4; i++) {
                exchange(store, i, "2026-01-01 10:00:00", 1_000_000L, "192.0.2.1", null, "/", false);
            }
            exchange(store, 5, "2026-01-01 09:59:59", null, "192.0.2.1", null, "/", false);
            Policy policy = Policy.parse("token-bucket:rate=4/s,burst=1");
            RequestStream stream = CaseRequests.read(store, policy);
            long second = 1_767_261_600_000_000L;
            assertThat(List.of(0, 1, 2, 3, 4))
                    .extracting(i -> stream.arrivalMicros(i) - second)
                    .containsExactly(-1_000_000L, 125_000L, 375_000L, 625_000L, 875_000L);
            Replay.Result result = Replay.replay(stream, policy, TWIN);
            assertThat(result.summary().denied()).isZero();
            assertThat(result.dependsOnStamps()).isEqualTo(3);
        }
    }

    @Test
    void costsCountByPath() {
        try (CaseStore store = emptyCase()) {
            exchange(store, 1, "2026-01-01 10:00:00", 0L, "192.0.2.1", null, "/search?q=1", false);
            exchange(store, 2, "2026-01-01 10:00:00", 0L, "192.0.2.1", null, "/a", false);
            exchange(store, 3, "2026-01-01 10:00:00", 0L, "192.0.2.1", null, "/export", false);
            Policy policy = Policy.parse("token-bucket:rate=1/s,burst=5,cost./search=5,cost./export=50");
            Replay.Result result = Replay.replay(CaseRequests.read(store, policy), policy, TestRedis.engine());
            assertThat(result.summary().denied()).isEqualTo(2);
            assertThat(result.neverAllowed()).isEqualTo(1);
            assertThat(result.keys()).containsExactly(new Replay.KeyResult("client_ip=192.0.2.1", 3, 0, 2));
        }
    }

    @Test
    void beyondTheBoundTheKeysWithDenialsAreConfirmedFirstAndTheEngineSaysSo() {
        RequestStream.Builder requests = new RequestStream.Builder();
        for (int i = 0; i < 1000; i++) {
            requests.add(i * 1000L, i % 2 == 0 ? "busy" : "quiet" + i, 1, i % 4 == 0);
        }
        RequestStream stream = requests.build();
        Policy policy = Policy.parse("fixed-window:limit=10,window=60s");
        Replay.Result result = Replay.replay(stream, policy, TestRedis.engine(), 600);
        assertThat(result.summary().engine())
                .isEqualTo(
                        TestRedis.engine().name()
                                + " for 600 of 1000 decisions (keys with denials first, a sample of the others), java twin for the rest");
        assertThat(result.summary().denied()).isEqualTo(490);
        assertThat(Replay.replay(stream, policy, TWIN).summary().engine()).isEqualTo("java twin");
    }

    @Test
    void anEmptyCaseAgrees() {
        try (CaseStore store = emptyCase()) {
            assertThat(Replay.run(store, List.of(Policy.parse("gcra:rate=1/s,burst=1")), TWIN))
                    .extracting(Case.Replay::policy, Case.Replay::engine, Case.Replay::allowed, Case.Replay::agreement)
                    .containsExactly(tuple("gcra:rate=1/s,burst=1", "java twin", 0L, 1.0));
        }
    }

    @Test
    void requestsOutOfOrderAreRefused() {
        RequestStream.Builder requests = new RequestStream.Builder().add(5, "k", 1, false);
        assertThatThrownBy(() -> requests.add(4, "k", 1, false)).isInstanceOf(IllegalArgumentException.class);
    }
}
