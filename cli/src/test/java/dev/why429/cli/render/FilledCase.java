package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Figures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A case in which every list has something and every option is once there and once not. */
public final class FilledCase {
    private static final Instant FROM = Instant.parse("2026-11-30T19:04:30Z");
    private static final Instant TO = Instant.parse("2026-11-30T19:14:29.250001Z");

    /** Is laid over every text that comes out of logs or configurations. */
    private final UnaryOperator<String> said;

    private FilledCase(UnaryOperator<String> said) {
        this.said = said;
    }

    /** Three pods, each with its own counter, behind an nginx that limits too. */
    public static Case plain() {
        return new FilledCase(text -> text).build();
    }

    /** The same, with something added to every text that an attacker may have written. */
    public static Case with(String addition) {
        return new FilledCase(text -> text + addition).build();
    }

    /** No denial, no limiter, nothing found. */
    public static Case calm() {
        Case full = plain();
        return new Case(
                full.schema(),
                full.tool(),
                full.inputs(),
                Optional.empty(),
                new Case.Requests(12, Map.of("200", 12L)),
                new Case.Denials(0, Map.of(), Map.of(), List.of()),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new Case.Verdict("Nothing was denied: 12 requests, none answered 429.", 1),
                new Case.Timeline(1, Optional.empty(), Map.of()),
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                Figures.NONE,
                new Case.Run(List.of("logs/"), "normal"));
    }

    private Case build() {
        return new Case(
                Case.SCHEMA,
                new Case.Tool("why429", "0.1.0", "ab".repeat(32)),
                inputs(),
                Optional.of(new Case.Span(FROM, TO)),
                new Case.Requests(14_311, Map.of("200", 9_420L, "429", 4_879L, "503", 12L)),
                denials(),
                List.of(perPod(), edge(), tiered()),
                List.of(podMultiplication(), retryStorm(), missingRetryAfter()),
                List.of(
                        new Case.CaptureVerdict(
                                "C1",
                                said.apply("captures/429-05.txt"),
                                429,
                                "app",
                                "express-rate-limit",
                                "limit",
                                0.9,
                                Optional.of("F2:17"),
                                List.of(said.apply("RateLimit-Policy names the limit \"20-in-20sec\""))),
                        new Case.CaptureVerdict(
                                "C2",
                                "captures/503.txt",
                                503,
                                "unknown",
                                "unknown",
                                "unknown",
                                0.2,
                                Optional.empty(),
                                List.of())),
                List.of(new Case.Replay(
                        said.apply("token-bucket:rate=20/s,burst=40,key=api_key"),
                        "redis 7.0.15",
                        12_001,
                        2_310,
                        0.84,
                        120,
                        2_400,
                        Optional.of(new Case.ReplayDetail(
                                "free_running",
                                17,
                                0.86,
                                1,
                                70,
                                60,
                                45,
                                40,
                                Optional.of(new Case.RetryAware(2_000, 1_500, 10_500, 800)),
                                List.of(new Case.Difference("F1:1", said.apply("api_key=tok_1"), "denied", "allowed")),
                                Optional.of(said.apply("the smallest bucket")),
                                Optional.of(said.apply("limit_req_zone $x")))))),
                List.of("clock_skew", "shared_nat", "ipv6_rotation"),
                List.of(new Case.Skipped("clock_drift", "one node only", "a second node's log")),
                List.of(
                        new Case.BlindSpot(
                                "whether app lines without a request id belong to the edge's", "$request_id"),
                        new Case.BlindSpot(said.apply("when requests began"), "$request_time")),
                new Case.Verdict(
                        said.apply(
                                "Most 429s came from the app: express-rate-limit counts on each of 3 pods alone, 20 per 20 s by"
                                        + " client_ip, so that one client gets 60."),
                        0.97),
                timeline(),
                clients(),
                lines(),
                List.of(
                        new Case.Reject("F1:77", "no_status", said.apply("192.0.2.7 - - [30/Nov/2026:19:04:30")),
                        new Case.Reject("F1:78", "not_text", "\u001b[2J\u0007")),
                List.of(said.apply("the stamps of F2 bear no zone: UTC is assumed, see --tz")),
                figures(),
                new Case.Run(List.of("logs/", said.apply("captures/429-05.txt"), "--redact", "off"), "off"));
    }

    private Figures figures() {
        return new Figures(
                List.of(bucket("pod1", "window"), bucket(said.apply("pod2"), "window"), bucket("", "level")),
                Optional.of(new Figures.Retries(
                        480,
                        12,
                        300,
                        250,
                        Optional.of(20.0),
                        List.of(
                                new Figures.DelayBin(Optional.of(0.01), 3, 0),
                                new Figures.DelayBin(Optional.of(0.03), 310, 4),
                                new Figures.DelayBin(Optional.of(1.0), 120, 80),
                                new Figures.DelayBin(Optional.empty(), 35, 916)))),
                List.of(
                        new Figures.ClockOffset("F2", said.apply("pod1"), "edge", 0.0004, 0.5, 4_000),
                        new Figures.ClockOffset("F1", "pod2", "edge", -2.104, 0.004, 1_578)),
                List.of(new Figures.Sharing(
                        "L1", said.apply("ip_c41"), 10, Map.of("api_keys", 9L, "addresses", 1L), 3_000, 700, 8, 630)));
    }

    private Figures.Bucket bucket(String node, String counts) {
        List<Double> at = new ArrayList<>();
        List<Double> level = new ArrayList<>();
        List<Double> denied = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            at.add(i * 0.5);
            level.add(Math.min(20.0, i % 40));
            if (i % 40 > 20) {
                denied.add(i * 0.5);
            }
        }
        return new Figures.Bucket(
                counts.equals("window") ? "L1" : "L2",
                List.of("client_ip"),
                said.apply("ip_c41"),
                node,
                counts,
                Optional.of(Case.Interval.between(20, 21)),
                FROM,
                45,
                at,
                level,
                denied,
                List.of(0.0, 20.0, 40.0),
                90,
                denied.size());
    }

    private List<Case.Input> inputs() {
        return List.of(
                new Case.Input(
                        "F1",
                        said.apply("edge.access.log"),
                        "0f".repeat(32),
                        "nginx",
                        "gateway",
                        "nginx",
                        "edge",
                        "+00:00",
                        1,
                        "end",
                        14_319,
                        14_311,
                        0,
                        8),
                new Case.Input(
                        "F2",
                        "pod1.ndjson.gz",
                        "1e".repeat(32),
                        "pino-http",
                        "app",
                        "express",
                        said.apply("pod1"),
                        "epoch",
                        0.001,
                        "end",
                        4_770,
                        4_760,
                        10,
                        0));
    }

    private Case.Denials denials() {
        Map<String, Long> byLayer = new LinkedHashMap<>();
        byLayer.put("app", 4_213L);
        byLayer.put("gateway", 578L);
        byLayer.put("unknown", 100L);
        return new Case.Denials(
                4_891,
                byLayer,
                Map.of("app", 37L),
                List.of(
                        new Case.DenialClass(
                                "app",
                                said.apply("express-rate-limit"),
                                "limit",
                                4_250,
                                0.98,
                                List.of(said.apply("the pod's own line says 429"), "the body is \"Too many requests\""),
                                List.of("F2:17", "F2:18")),
                        new Case.DenialClass(
                                "gateway",
                                "nginx limit_req",
                                "limit",
                                578,
                                0.99,
                                List.of("error log: limiting requests"),
                                List.of("F1:9")),
                        new Case.DenialClass("unknown", "unknown", "unknown", 100, 0.5, List.of(), List.of("F1:400"))));
    }

    private Case.Limiter perPod() {
        return new Case.Limiter(
                "L1",
                "app",
                said.apply("express-rate-limit"),
                "fixed_window",
                List.of("sliding_window_counter"),
                List.of("client_ip"),
                List.of(List.of("api_key"), List.of("user", "tenant")),
                "per_node",
                Optional.of(3),
                Optional.of(Case.Interval.exactly(20)),
                Optional.of(Case.Interval.between(19.8, 20.1)),
                Optional.empty(),
                Optional.empty(),
                "first_request",
                Optional.of(true),
                Optional.empty(),
                Optional.of(0.5),
                Optional.of(Map.of(said.apply("/search"), 5.0)),
                Optional.of(60.0),
                Optional.of(new Case.Declared(said.apply("20 per 20 s"), "RateLimit-Policy header")),
                9_000,
                18,
                0.998,
                Optional.of(new Case.RunnerUp("the same by api_key", 412.5)),
                List.of(said.apply("no denial below 20")),
                List.of("F2:18"),
                FROM,
                TO);
    }

    private static Case.Limiter edge() {
        return new Case.Limiter(
                "L2",
                "gateway",
                "nginx limit_req",
                "leaky_bucket",
                List.of("token_bucket"),
                List.of(),
                List.of(),
                "unknown",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Case.Interval(Optional.of(9.5), Optional.empty())),
                Optional.of(new Case.Interval(Optional.empty(), Optional.of(21.0))),
                "none",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                578,
                0,
                1,
                Optional.empty(),
                List.of(),
                List.of(),
                FROM,
                TO);
    }

    private Case.Limiter tiered() {
        return new Case.Limiter(
                "L3",
                "gateway",
                "haproxy stick-table",
                "sliding_window_counter",
                List.of(),
                List.of("api_key"),
                List.of(),
                "shared",
                Optional.of(1),
                Optional.empty(),
                Optional.of(Case.Interval.exactly(10)),
                Optional.empty(),
                Optional.empty(),
                "clock",
                Optional.of(false),
                Optional.of(List.of(
                        new Case.Tier(
                                Optional.of(Case.Interval.exactly(100)),
                                Optional.empty(),
                                Optional.empty(),
                                12,
                                List.of(said.apply("tok_5f2a"))),
                        new Case.Tier(
                                Optional.of(Case.Interval.between(400, 410)),
                                Optional.empty(),
                                Optional.empty(),
                                1,
                                List.of()))),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                800,
                4,
                0.995,
                Optional.empty(),
                List.of(),
                List.of(),
                FROM,
                TO);
    }

    private Case.Finding podMultiplication() {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("pods", 3);
        numbers.put("per_pod_limit", Case.Interval.exactly(20));
        numbers.put("effective_limit", 60);
        numbers.put("window_seconds", Case.Interval.between(19.8, 20.1));
        numbers.put("nodes", List.of("pod1", "pod2", "pod3"));
        numbers.put("offsets", Map.of("pod1", 0.5));
        return new Case.Finding(
                "pod_multiplication-1",
                "pod_multiplication",
                "high",
                0.97,
                said.apply("Each of 3 pods counts alone"),
                said.apply("A client gets 60 requests per 20 s, not 20: every pod keeps its own counters."),
                Optional.of("L1"),
                Map.of("api_key", said.apply("tok_5f2a")),
                Optional.of(FROM),
                Optional.of(TO),
                numbers,
                List.of(said.apply("the limit of 20 fits each pod, not their sum")),
                List.of("F2:17", "F2:18", "F2:9999"),
                said.apply("one pod denying while another's count is below 20 for the same key"),
                new Case.Fix(said.apply("Count in one shared store."), said.apply("Nothing.")),
                Optional.of("state-per-process"),
                4_100);
    }

    private static Case.Finding retryStorm() {
        return new Case.Finding(
                "retry_storm-1",
                "retry_storm",
                "medium",
                0.9,
                "12 clients retry at once after a 429",
                "Three of four of their requests are retries.",
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of("clients", 12, "amplification", 3.9512),
                List.of(),
                List.of(),
                "",
                new Case.Fix("Send Retry-After.", "Wait as long as Retry-After says, with jitter."),
                Optional.empty(),
                0);
    }

    private static Case.Finding missingRetryAfter() {
        return new Case.Finding(
                "missing_retry_after-1",
                "missing_retry_after",
                "info",
                1,
                "429 without Retry-After",
                "No capture has one.",
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                List.of(),
                List.of(),
                "",
                new Case.Fix("", ""),
                Optional.of("retry-after-missing"),
                0);
    }

    private static Case.Timeline timeline() {
        List<Long> allowed = new ArrayList<>();
        List<Long> app = new ArrayList<>();
        List<Long> gateway = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            allowed.add(60L + Math.round(18 * Math.sin(i / 7.0)));
            app.add(i > 25 && i < 90 ? 40L + i % 11 * 4L : i % 3);
            gateway.add(i > 60 && i < 80 ? 25L : 0L);
        }
        return new Case.Timeline(
                5, Optional.of(FROM), Map.of("allowed", allowed, "denied_app", app, "denied_gateway", gateway));
    }

    private List<Case.Client> clients() {
        List<Case.Client> clients = new ArrayList<>();
        for (int i = 0; i < 55; i++) {
            clients.add(new Case.Client(
                    "api_key",
                    said.apply("tok_" + Integer.toHexString(0x5f2a + i)),
                    900 - i,
                    400 - i,
                    Map.of("app", 300L - i, "gateway", 100L)));
        }
        return clients;
    }

    private Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put(
                "F2:17",
                said.apply(
                        "{\"level\":30,\"req\":{\"method\":\"GET\",\"url\":\"/v1/orders\"},\"res\":{\"statusCode\":429}}"));
        lines.put(
                "F2:18",
                said.apply(
                        "{\"level\":30,\"req\":{\"method\":\"GET\",\"url\":\"/search?q=x\"},\"res\":{\"statusCode\":429}}"));
        lines.put(
                "F1:9",
                "ip_c41 - - [30/Nov/2026:19:04:30 +0000] \"GET /v1/orders HTTP/1.1\" 429 162 \"-\" \"client/1.0\"");
        lines.put(
                "F1:400",
                "ip_c42 - - [30/Nov/2026:19:05:30 +0000] \"GET /v1/orders HTTP/1.1\" 429 162 \"-\" \"client/1.0\"");
        return lines;
    }
}
