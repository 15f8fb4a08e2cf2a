package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What carriers of logs put around lines is peeled before they are read. */
class WrappingTest {
    private static final FormatDetector DETECTOR = new FormatDetector(LogFormats.builtIn());
    private static final Instant NEW_YEAR = Instant.parse("2027-01-01T03:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '\t',
            quoteCharacter = '`',
            value = {
                "clf\t\t{\"log\":\"203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \\\"GET /v1/orders HTTP/2.0\\\" 429 169 \\\"-\\\" \\\"curl/8.9.1\\\"\\n\",\"stream\":\"stdout\",\"attrs\":{\"tag\":\"edge\"},\"time\":\"2026-11-30T19:40:02.124518312Z\"}",
                "clf\t\t2026-11-30T19:40:02.124518312Z stdout F 203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/2.0\" 429 169 \"-\" \"curl/8.9.1\"",
                "clf\tlb1\t{\"__REALTIME_TIMESTAMP\":\"1796067602117456\",\"_HOSTNAME\":\"lb1\",\"MESSAGE\":\"203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \\\"GET /v1/orders HTTP/2.0\\\" 429 169 \\\"-\\\" \\\"curl/8.9.1\\\"\"}",
                "clf\t\t{\"stream\":{\"app\":\"ingress\",\"pod\":\"edge-7c9d\"},\"values\":[[\"1796067602124518312\",\"203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \\\"GET /v1/orders HTTP/2.0\\\" 429 169 \\\"-\\\" \\\"curl/8.9.1\\\"\"]]}",
                "clf\t\t{\"labels\":{\"pod\":\"edge\"},\"line\":\"203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \\\"GET /v1/orders HTTP/2.0\\\" 429 169 \\\"-\\\" \\\"curl/8.9.1\\\"\",\"timestamp\":\"2026-11-30T19:40:02.124518312Z\"}",
                "clf\torders-1\t[pod/orders-1/app] 203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/2.0\" 429 169 \"-\" \"curl/8.9.1\"",
                "clf\torders-1\torders-1  | 203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/2.0\" 429 169 \"-\" \"curl/8.9.1\"",
                "clf\t\t2026-11-30T19:40:02.117Z 203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/2.0\" 429 169 \"-\" \"curl/8.9.1\"",
                "apigw-json\t\t{\"timestamp\":1796067602117,\"logStreamName\":\"a\",\"message\":\"{\\\"requestId\\\":\\\"7f6c\\\",\\\"routeKey\\\":\\\"GET /v1\\\",\\\"requestTime\\\":\\\"30/Nov/2026:19:40:02 +0000\\\",\\\"httpMethod\\\":\\\"GET\\\",\\\"path\\\":\\\"/v1/orders\\\",\\\"status\\\":\\\"429\\\"}\"}",
                "ecs\t\t{\"_index\":\"logs\",\"_id\":\"1\",\"_source\":{\"@timestamp\":\"2026-11-30T19:40:02Z\",\"ecs\":{\"version\":\"8.11.0\"},\"http\":{\"request\":{\"method\":\"GET\"},\"response\":{\"status_code\":429}},\"url\":{\"path\":\"/v1/orders\"}}}",
                "pino-http\torders-2\t[pod/orders-2/app] 2026-11-30T19:40:02.124518312Z stdout F {\"time\":1796067602000,\"req\":{\"id\":1,\"method\":\"GET\",\"url\":\"/v1/orders\"},\"res\":{\"statusCode\":429},\"responseTime\":0}",
                "fastly\tcache-1\t<134>2026-11-30T19:40:02Z cache-lhr7380 accesslog[482131]: {\"timestamp\":\"2026-11-30T19:40:02+0000\",\"url\":\"/v1/orders\",\"request_method\":\"GET\",\"response_status\":429,\"fastly_server\":\"cache-1\"}",
                "traefik\tlb1\t<134>1 2026-11-30T19:40:02.117Z lb1 traefik - - - 203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/2.0\" 429 17 \"-\" \"-\" 48213 \"orders@kubernetes\" \"-\" 0ms",
                "uvicorn\t\t2026-11-30T19:40:02.000000000Z stdout F INFO:     203.0.113.24:0 - \"GET /v1/orders HTTP/1.1\" 429 Too Many Requests",
                "lograge\t\t{\"log\":\"method=GET path=/v1/orders format=json controller=OrdersController action=index status=429 duration=0.00 view=0.00\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-30T19:40:02Z\"}"
            })
    void theLineInsideIsReadAsIfItStoodAlone(String format, String node, String line) {
        FormatDetector.Verdict verdict = detect(line.repeat(1), FormatHint.none());
        assertThat(verdict.format().id()).isEqualTo(format);
        assertThat(verdict.score()).isEqualTo(1);
        Map<String, Object> row = FormatFolder.read(verdict.format().newReader(), line);
        assertThat(row)
                .containsEntry("status", 429L)
                .containsEntry("path", "/v1/orders")
                .containsEntry("logged_at", "2026-11-30T19:40:02Z");
        assertThat(Optional.ofNullable((String) row.get("node"))).isEqualTo(Optional.ofNullable(node));
        assertThat(verdict.format().fields()).extracting("name").containsAll(row.keySet());
    }

    @Test
    void aLineThatACarrierCutIsReadWithItsLastPart() {
        String first =
                "2026-11-30T19:40:02.124518312Z stdout P {\"time\":1796067602124,\"req\":{\"id\":1,\"method\":\"GET\",";
        String other = "2026-11-30T19:40:02.124518313Z stderr F {\"level\":50,\"time\":1796067602124,\"msg\":\"boom\"}";
        String last =
                "2026-11-30T19:40:02.124518314Z stdout F \"url\":\"/v1/orders\"},\"res\":{\"statusCode\":429},\"responseTime\":6}";
        LineReader reader = LogFormats.builtIn()
                .compile("pino-http", FormatHint.none())
                .within(Wrapping.CRI, FormatHint.none())
                .newReader();

        assertThat(FormatFolder.read(reader, first)).containsEntry("rejected", "continued");
        assertThat(FormatFolder.read(reader, other)).containsEntry("rejected", "no_status");
        assertThat(FormatFolder.read(reader, last))
                .containsEntry("path", "/v1/orders")
                .containsEntry("status", 429L);
    }

    @Test
    void aStampWithoutAYearIsOfTheYearThatItCanBeOf() {
        FormatHint hint = FormatHint.none().withReference(NEW_YEAR);
        String old = "<134>Dec 31 23:59:59 lb1 app: method=GET path=/v1/orders status=429 key=acme";
        String young = "<134>Jan  1 00:00:01 lb1 app: method=GET path=/v1/orders status=429 key=acme";
        LineReader reader = detect(old, hint).format().newReader();

        assertThat(FormatFolder.read(reader, old)).containsEntry("logged_at", "2026-12-31T23:59:59Z");
        assertThat(FormatFolder.read(reader, young)).containsEntry("logged_at", "2027-01-01T00:00:01Z");
    }

    @Test
    void theCarriersTimeIsTakenOnlyWhereTheLineHasNone() {
        LineReader reader = LogFormats.builtIn()
                .compile("ndjson", FormatHint.none())
                .within(Wrapping.DOCKER, FormatHint.none())
                .newReader();
        String wrapped =
                "{\"log\":\"{%s\\\"path\\\":\\\"/a\\\",\\\"status\\\":429}\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-30T19:40:02.5Z\"}";

        assertThat(FormatFolder.read(reader, wrapped.formatted("")))
                .containsEntry("logged_at", "2026-11-30T19:40:02.500Z");
        assertThat(FormatFolder.read(reader, wrapped.formatted("\\\"ts\\\":1796067602.1,")))
                .containsEntry("logged_at", "2026-11-30T19:40:02.100Z");
    }

    private static FormatDetector.Verdict detect(String line, FormatHint hint) {
        byte[] bytes = (line + "\n").repeat(5).getBytes(StandardCharsets.UTF_8);
        return DETECTOR.detect(bytes, 0, bytes.length, hint).orElseThrow();
    }

    @Test
    void aZoneIsThatOfTheHint() {
        FormatHint hanoi = new FormatHint(
                Optional.empty(), Optional.empty(), Optional.empty(), ZoneOffset.ofHours(7), Map.of(), NEW_YEAR);
        String line = "<134>Nov 30 19:40:02 lb1 app: method=GET path=/v1/orders status=429 key=acme";

        assertThat(FormatFolder.read(detect(line, hanoi).format().newReader(), line))
                .containsEntry("logged_at", "2026-11-30T12:40:02Z");
    }
}
