package dev.why429.analyzers.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.attribute.Tables;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinTest {
    @TempDir
    Path folder;

    private Tables tables;

    @BeforeEach
    void open() {
        tables = new Tables(folder);
    }

    @AfterEach
    void close() {
        tables.close();
    }

    @Test
    void oneLogAloneIsViewedAndNotCopied() {
        int edge = tables.log("gateway", "nginx", "edge");
        tables.request(edge, 1, 200).request(edge, 2, 200);
        tables.join();
        assertThat(tables.exchanges()).containsExactly(List.of("F1:1"), List.of("F1:2"));
        assertThat(tables.store()
                        .query(
                                "SELECT count(*) AS n FROM duckdb_views() WHERE view_name = 'exchanges'",
                                r -> r.integer("n")))
                .containsExactly(1L);
    }

    @Test
    void idsJoinThoughClocksAreSecondsApart() {
        int edge = tables.log("gateway", "nginx", "edge");
        int app = tables.log("app", "express", "app1");
        for (int i = 0; i < 5; i++) {
            tables.request(edge, i * 1000L, 200, "request_id", "0123456789abcde" + i);
            tables.request(app, i * 1000L + 4000, 200, "request_id", "0123456789abcde" + i);
        }
        Join.Result result = tables.join();
        assertThat(tables.exchanges())
                .hasSize(5)
                .allSatisfy(lines -> assertThat(lines).hasSize(2));
        assertThat(result.offsets())
                .singleElement()
                .satisfies(offset -> assertThat(offset.offsetMicros()).isEqualTo(4_000_000));
    }

    @Test
    void countersOfOneProcessJoinNothing() {
        int edge = tables.log("gateway", "nginx", "edge");
        int app = tables.log("app", "express", "app1");
        tables.request(edge, 0, 200, "request_id", "1", "path", "/x");
        tables.request(app, 90_000, 200, "request_id", "1", "path", "/y");
        tables.join();
        assertThat(tables.exchanges()).hasSize(2);
    }

    @Test
    void anIdThatAClientSendsAgainIsSeveralRequests() {
        int edge = tables.log("gateway", "nginx", "edge");
        int app = tables.log("app", "express", "app1");
        for (int i = 0; i < 2; i++) {
            tables.request(edge, i * 1000L + 5, 429, "request_id", "client-made-id-1", "duration_micros", 5000L);
            tables.request(app, i * 1000L + 4, 429, "request_id", "client-made-id-1", "duration_micros", 1000L);
        }
        tables.join();
        assertThat(tables.exchanges()).containsExactlyInAnyOrder(List.of("F1:1", "F2:2"), List.of("F1:3", "F2:4"));
    }

    @Test
    void withoutIdsGroupsOfTheSameSizeArePairedInOrder() {
        int edge = tables.log("gateway", "nginx", "edge", 1);
        int app = tables.log("app", "gunicorn", "app1", 1);
        tables.request(edge, 0, 200, "path", "/x").request(edge, 1000, 200, "path", "/x");
        tables.request(app, 0, 200, "path", "/x").request(app, 1000, 200, "path", "/x");
        tables.join();
        assertThat(tables.exchanges()).containsExactlyInAnyOrder(List.of("F1:1", "F2:3"), List.of("F1:2", "F2:4"));
    }

    @Test
    void whatTheApplicationNeverSawStaysAlone() {
        int edge = tables.log("gateway", "nginx", "edge", 1);
        int app = tables.log("app", "gunicorn", "app1", 1);
        tables.request(edge, 0, 429).request(edge, 20_000, 429).request(edge, 40_000, 429);
        tables.request(app, 20_000, 429);
        tables.join();
        assertThat(tables.exchanges())
                .containsExactlyInAnyOrder(List.of("F1:1"), List.of("F1:2", "F2:4"), List.of("F1:3"));
    }

    @Test
    void aGatewayAskedByOneAddressStandsBehindTheOneAskedByMany() {
        int inner = tables.log("gateway", "spring-cloud-gateway", "gw", 1);
        int outer = tables.log("gateway", "nginx", "edge", 1);
        for (int i = 0; i < 10; i++) {
            tables.request(outer, i * 1000L, 200, "client_ip", "192.0.2." + i);
            tables.request(inner, i * 1000L, 200, "client_ip", "198.51.100.1");
        }
        Join.Result result = tables.join();
        assertThat(result.depthByFile()).containsEntry(outer, 0).containsEntry(inner, 1);
        assertThat(tables.exchanges()).hasSize(10);
    }

    @Test
    void arrivalComesFromTheLogThatKnowsTheDuration() {
        int edge = tables.log("gateway", "nginx", "edge", 1);
        int app = tables.log("app", "express", "app1");
        tables.request(edge, 1000, 200, "request_id", "0123456789abcdef");
        tables.request(
                app,
                1400,
                200,
                "request_id",
                "0123456789abcdef",
                "arrived_at",
                Tables.START.plusMillis(1390),
                "arrival_uncertainty_micros",
                1000L);
        tables.join();
        assertThat(tables.store()
                        .query(
                                "SELECT arrived_at, arrival_uncertainty_micros AS u FROM exchanges",
                                row -> row.instant("arrived_at") + " " + row.integer("u")))
                .containsExactly("2026-11-30T19:40:01.390Z 1000");
    }
}
