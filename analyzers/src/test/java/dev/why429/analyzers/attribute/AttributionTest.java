package dev.why429.analyzers.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.casefile.Case;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttributionTest {
    private static final String OWN =
            "{\"ratelimit-policy\":\"5;w=60\",\"ratelimit\":\"limit=5, remaining=0, reset=9\",\"retry-after\":\"9\"}";

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

    private static String id(int n) {
        return "8e1b05628405b27f6ba9" + n;
    }

    @Test
    void whoDidNotAskTheNextHopMadeTheDenial() {
        int edge = tables.log("gateway", "nginx", "edge");
        tables.request(edge, 1, 200, "upstream_status", "200", "upstream_addr", "10.0.0.5:80");
        tables.request(edge, 2, 429);
        Case.Denials denials = tables.denials();
        assertThat(denials.byLayer()).isEqualTo(Map.of("gateway", 1L));
        assertThat(denials.classes().get(0).component()).isEqualTo("nginx limit_req");
        assertThat(denials.classes().get(0).reason()).isEqualTo("limit");
        assertThat(denials.classes().get(0).evidence()).containsExactly("F1:2");
    }

    @Test
    void whatWasPassedOnBelongsToTheApplicationEvenWithoutItsLog() {
        int edge = tables.log("gateway", "nginx", "edge");
        tables.request(edge, 1, 429, "upstream_status", "429", "upstream_addr", "10.0.0.5:80");
        Attribution.Result result = tables.attribute();
        assertThat(result.denials().byLayer()).isEqualTo(Map.of("app", 1L));
        assertThat(result.denials().classes().get(0).confidence()).isLessThan(0.9);
        assertThat(result.blindSpots())
                .anySatisfy(spot -> assertThat(spot.what()).contains("application"));
    }

    @Test
    void aFailingBackendDressedAs429IsABackendError() {
        int edge = tables.log("gateway", "nginx", "edge");
        tables.request(edge, 1, 429, "upstream_status", "502", "upstream_addr", "10.0.0.5:80");
        Case.DenialClass only = tables.denials().classes().get(0);
        assertThat(only.layer()).isEqualTo("gateway");
        assertThat(only.reason()).isEqualTo("backend_error");
        assertThat(only.component()).isEqualTo("nginx error_page");
    }

    @Test
    void aLimiterThatAnswers503IsFoundByItsMark() {
        int edge = tables.log("gateway", "nginx", "edge");
        tables.request(edge, 1, 503, "limit_status", "REJECTED");
        tables.request(
                edge, 2, 503, "upstream_status", "503", "upstream_addr", "10.0.0.5:80", "limit_status", "PASSED");
        tables.request(edge, 3, 200, "upstream_status", "200", "limit_status", "REJECTED_DRY_RUN");
        assertThat(tables.denials().byLayer()).isEqualTo(Map.of("gateway", 1L));
    }

    @Test
    void whatALimiterInDryRunWouldHaveRefusedIsToldAndIsNoDenial() {
        int edge = tables.log("gateway", "nginx", "edge");
        int errors = tables.log("gateway", "nginx", "edge");
        tables.request(edge, 1, 200, "upstream_status", "200", "limit_status", "REJECTED_DRY_RUN");
        tables.request(edge, 2, 200, "upstream_status", "200", "limit_status", "DELAYED_DRY_RUN");
        tables.request(edge, 3, 200, "upstream_status", "200", "limit_status", "PASSED");
        tables.notice(errors, 1, "limiter_dry_run", "limiting requests, dry run, excess: 5.020 by zone \"api\"");
        Attribution.Result result = tables.attribute();
        assertThat(result.denials().total()).isZero();
        assertThat(result.blindSpots())
                .extracting(Case.BlindSpot::what)
                .anyMatch(what -> what.startsWith("2 line(s) of F" + edge))
                .anyMatch(what -> what.startsWith("1 line(s) of F" + errors));
    }

    @Test
    void aLimiterThatAnswers503IsFoundByItsNotice() {
        int edge = tables.log("gateway", "nginx", "edge", 1);
        int errors = tables.log("gateway", "nginx", "edge", 1);
        tables.request(edge, 1000, 503);
        tables.request(edge, 9000, 503);
        tables.notice(errors, 1000, "limiter_reject", "limiting requests, excess: 5.020 by zone \"api\"");
        Case.Denials denials = tables.denials();
        assertThat(denials.total()).isEqualTo(1);
        assertThat(denials.classes().get(0).because()).anyMatch(text -> text.contains("limiting requests"));
    }

    @Test
    void triesThatTheGatewayHidAreCountedApart() {
        int edge = tables.log("gateway", "nginx", "edge");
        int pod1 = tables.log("app", "express", "pod1");
        int pod2 = tables.log("app", "express", "pod2");
        tables.request(edge, 10, 200, "upstream_status", "429, 200", "upstream_addr", "a, b", "request_id", id(1));
        tables.request(pod1, 8, 429, "request_id", id(1));
        tables.request(pod2, 9, 200, "request_id", id(1));
        tables.request(edge, 20, 429, "upstream_status", "429, 429", "upstream_addr", "a, b", "request_id", id(2));
        tables.request(pod1, 18, 429, "request_id", id(2));
        tables.request(pod2, 19, 429, "request_id", id(2));
        Case.Denials denials = tables.denials();
        assertThat(denials.byLayer()).isEqualTo(Map.of("app", 1L));
        assertThat(denials.hiddenByLayer()).isEqualTo(Map.of("app", 2L));
    }

    @Test
    void hiddenTriesAreKnownFromTheGatewaysListAlone() {
        int edge = tables.log("gateway", "nginx", "edge");
        tables.request(edge, 10, 200, "upstream_status", "429, 429, 200", "upstream_addr", "a, b, c");
        Case.Denials denials = tables.denials();
        assertThat(denials.total()).isZero();
        assertThat(denials.hiddenByLayer()).isEqualTo(Map.of("app", 2L));
    }

    @Test
    void twoLinesOfOneServerAboutOneAnswerAreOneDenial() {
        int app = tables.log("app", "fastify", "app1");
        tables.request(app, 10, 429, "request_id", id(1), "logged_message", "Rate limit exceeded, retry in 1 minute");
        tables.request(app, 11, 429, "request_id", id(1), "duration_micros", 1000L);
        tables.request(app, 12, 200, "request_id", id(2), "duration_micros", 1000L);
        Case.Denials denials = tables.denials();
        assertThat(denials.byLayer()).isEqualTo(Map.of("app", 1L));
        assertThat(denials.hiddenByLayer()).isEmpty();
    }

    @Test
    void anAnswerOfTheProviderIsNotTheApplicationsOwn() {
        int app = tables.log("app", "express", "app1");
        tables.request(app, 1, 429, "response_headers", OWN);
        tables.request(
                app,
                2,
                429,
                "response_headers",
                "{\"ratelimit-policy\":\"5;w=60\",\"ratelimit\":\"limit=5, remaining=4, reset=9\",\"stripe-should-retry\":\"true\"}");
        tables.request(
                app,
                3,
                429,
                "response_headers",
                "{\"ratelimit-policy\":\"5;w=60\",\"ratelimit\":\"limit=5, remaining=4, reset=9\"}");
        Case.Denials denials = tables.denials();
        assertThat(denials.byLayer()).isEqualTo(Map.of("app", 1L, "third_party", 2L));
        assertThat(denials.classes())
                .extracting(Case.DenialClass::component)
                .containsExactlyInAnyOrder("express-rate-limit", "stripe", "third party");
    }

    @Test
    void aFailingStoreDeniesEverybodyAtOnceWithoutTheUsualHeaders() {
        int app = tables.log("app", "express", "app1");
        for (int i = 0; i < 20; i++) {
            tables.request(app, i * 100L, i % 4 == 0 ? 429 : 200, "response_headers", i % 4 == 0 ? OWN : "{}");
        }
        for (int i = 0; i < 20; i++) {
            tables.request(
                    app,
                    60_000 + i * 100L,
                    429,
                    "response_headers",
                    "{\"etag\":\"x\"}",
                    "client_ip",
                    "192.0.2." + i % 5);
        }
        assertThat(tables.denials().classes())
                .extracting(Case.DenialClass::reason, Case.DenialClass::count)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("limit", 5L),
                        org.assertj.core.groups.Tuple.tuple("limiter_error", 20L));
    }

    @Test
    void aCaseWithoutADenialSaysNothing() {
        int app = tables.log("app", "express", "app1");
        tables.request(app, 1, 200);
        Attribution.Result result = tables.attribute();
        assertThat(result.denials().total()).isZero();
        assertThat(result.denials().classes()).isEmpty();
        assertThat(result.blindSpots()).isEmpty();
    }
}
