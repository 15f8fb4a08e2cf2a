package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Files of which nothing is said, or only who wrote them. */
class FormatDetectorTest {
    private static final FormatDetector DETECTOR = new FormatDetector(LogFormats.builtIn());

    private static Optional<FormatDetector.Verdict> detect(FormatHint hint, IntFunction<String> line) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            text.append(line.apply(i)).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return DETECTOR.detect(bytes, 0, bytes.length, hint);
    }

    private static String hex(int i) {
        return String.format(Locale.ROOT, "%08x%08x%08x%08x", i * 7919 + 17, i * 104729, i * 31 + 5, i);
    }

    @Test
    void combinedAloneDoesNotSayWhoWroteIt() {
        IntFunction<String> combined = i -> "203.0.113." + i
                + " - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/1.1\" 429 33 \"-\" \"curl/8.9.1\"";
        assertThat(detect(FormatHint.none(), combined).orElseThrow().format())
                .extracting(LogFormat::id, LogFormat::component, LogFormat::layer, LogFormat::timeMeans)
                .containsExactly("clf", "unknown", "unknown", LogFormat.TimeMeans.END);
        assertThat(detect(FormatHint.none().withComponent("nginx"), combined)
                        .orElseThrow()
                        .format())
                .extracting(LogFormat::id, LogFormat::layer, LogFormat::timeMeans)
                .containsExactly("nginx", "gateway", LogFormat.TimeMeans.END);
        assertThat(detect(FormatHint.none().withComponent("apache httpd"), combined)
                        .orElseThrow()
                        .format())
                .extracting(LogFormat::id, LogFormat::timeMeans)
                .containsExactly("apache", LogFormat.TimeMeans.START);
    }

    @Test
    void onlyVarnishMakesEveryTargetAbsolute() {
        assertThat(detect(
                                FormatHint.none(),
                                i -> "203.0.113." + i
                                        + " - - [30/Nov/2026:19:40:02 +0000] \"GET http://api.example.com/v1/orders HTTP/1.1\" 429 33 \"-\" \"curl/8.9.1\"")
                        .orElseThrow()
                        .format())
                .extracting(LogFormat::id, LogFormat::layer, LogFormat::timeMeans)
                .containsExactly("varnishncsa", "cdn", LogFormat.TimeMeans.START);
    }

    @Test
    void combinedWithATailOfKeysIsWorkedOut() {
        FormatDetector.Verdict verdict = detect(
                        FormatHint.none(),
                        i -> "203.0.113." + i
                                + " - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/1.1\" 200 33 \"-\" \"curl/8.9.1\" "
                                + "\"198.51.100." + i + ", 10.0.0.1\" key=\"k" + i + "\" rt=0.0" + (10 + i) + " us="
                                + (i % 5 == 0 ? "502, 200" : "200") + " ua="
                                + (i % 5 == 0 ? "10.0.0.1:80, 10.0.0.2:80" : "10.0.0.1:80") + " rid=" + hex(i))
                .orElseThrow();
        assertThat(verdict.score()).isEqualTo(1.0);
        assertThat(verdict.format())
                .extracting(LogFormat::id, LogFormat::component, LogFormat::layer, LogFormat::pattern)
                .containsExactly(
                        "inferred",
                        "nginx",
                        "gateway",
                        "{client_ip} {_} {user} [{time}] \"{request}\" {status} {bytes} \"{referer}\" \"{user_agent}\" \"{forwarded}\" "
                                + "key=\"{api_key}\" rt={duration} us={upstream_status} ua={upstream_addr} rid={request_id}");
        assertThat(FormatFolder.read(
                        verdict.format().newReader(),
                        "203.0.113.9 - al ice [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/1.1\" 429 33 \"-\" \"curl/8.9.1\" "
                                + "\"-\" key=\"-\" rt=0.012 us=429, 429 ua=10.0.0.1:80, 10.0.0.2:80 rid=abc"))
                .containsEntry("user", "al ice")
                .containsEntry("upstream_status", "429, 429")
                .containsEntry("arrived_at", "2026-11-30T19:40:01.988Z")
                .doesNotContainKeys("forwarded", "api_key");
    }

    @Test
    void bareColumnsAreWorkedOut() {
        LogFormat format = detect(
                        FormatHint.none(),
                        i -> "17960683" + (10 + i) + ".028 203.0.113." + i + " GET /api/orders 200 0.0" + (10 + i)
                                + " 200 10.0.0.1:80 " + hex(i) + " key=k" + i)
                .orElseThrow()
                .format();
        assertThat(format.pattern())
                .isEqualTo(
                        "{time} {client_ip} {method} {path} {status} {duration} {upstream_status} {upstream_addr} {request_id} key={api_key}");
        assertThat(format.resolutionMicros()).isEqualTo(1000);
        assertThat(format.zoneInLine()).isTrue();
    }

    @Test
    void aNumberWithItsUnitIsADurationAndOneWithoutIsNot() {
        LogFormat morgan = detect(
                        FormatHint.none(),
                        i -> "2026-11-30T20:09:15.283Z 203.0.113." + i + " GET /api/items/" + i + " 200 " + i
                                + ".283 ms key=- rid=" + hex(i))
                .orElseThrow()
                .format();
        assertThat(morgan.pattern())
                .isEqualTo("{time} {client_ip} {method} {path} {status} {duration} ms key={api_key} rid={request_id}");

        IntFunction<String> bare = i -> "203.0.113." + i
                + " - - [30/Nov/2026:20:16:46 +0000] \"GET /api/items/23 HTTP/1.1\" 200 11 " + (10 + i);
        assertThat(detect(FormatHint.none(), bare).orElseThrow().format())
                .satisfies(format -> assertThat(format.id()).isEqualTo("inferred"))
                .satisfies(format -> assertThat(format.missing()).contains("duration_micros"));
        assertThat(detect(FormatHint.none().withComponent("spring-cloud-gateway"), bare)
                        .orElseThrow()
                        .format())
                .satisfies(format -> assertThat(format.id()).isEqualTo("netty"))
                .satisfies(format -> assertThat(format.missing()).doesNotContain("duration_micros"));
    }

    @Test
    void logfmtIsWorkedOutByItsKeys() {
        LogFormat format = detect(
                        FormatHint.none(),
                        i ->
                                "time=2026-11-30T20:09:15.283Z method=GET path=/v1/orders status=429 duration=1.42 ip=203.0.113."
                                        + i + " request_id=" + hex(i))
                .orElseThrow()
                .format();
        assertThat(format.pattern())
                .isEqualTo(
                        "time={time} method={method} path={path} status={status} duration={duration} ip={client_ip} request_id={request_id}");
        assertThat(format.missing()).contains("duration_micros");
    }

    @Test
    void stampedProseIsNoticesAndOtherProseIsNotes() {
        assertThat(detect(
                                FormatHint.none(),
                                i -> "2026-11-30T20:04:56.811Z limiter store error: stream " + i + " is gone")
                        .orElseThrow()
                        .format()
                        .id())
                .isEqualTo("words");
        assertThat(detect(FormatHint.none(), i -> "    at process.processTicksAndRejections (node:internal:" + i + ")")
                        .orElseThrow()
                        .format()
                        .id())
                .isEqualTo("text");
        assertThat(detect(FormatHint.none(), i -> "\u0000\u0001\u0002" + i)).isEmpty();
        assertThat(DETECTOR.detect(new byte[0], 0, 0, FormatHint.none())).isEmpty();
    }

    @Test
    void aGivenPatternThatFitsNoLineSaysSoByItsScore() {
        FormatDetector.Verdict verdict = detect(
                        FormatHint.none().withLogFormat("$remote_addr [$time_local] $status"),
                        i -> "nothing of the kind")
                .orElseThrow();
        assertThat(verdict.score()).isZero();
        assertThat(verdict.lines()).isEqualTo(30);
    }

    @Test
    void mixedLinesGoToTheMajority() {
        FormatDetector.Verdict verdict = detect(
                        FormatHint.none(),
                        i -> i % 4 == 0
                                ? "{\"level\":30,\"time\":1796067602124,\"msg\":\"listening\"}"
                                : "{\"level\":30,\"time\":1796067602124,\"req\":{\"id\":1,\"method\":\"GET\",\"url\":\"/a\"},\"res\":{\"statusCode\":200},\"responseTime\":1}")
                .orElseThrow();
        assertThat(verdict.format().id()).isEqualTo("pino-http");
        assertThat(verdict.matched()).isEqualTo(22);
    }

    @Test
    void missingNamesWhatTheLinesHaveNoPlaceFor() {
        LogFormat json = detect(
                        FormatHint.none(),
                        i ->
                                "{\"msec\":1796069026.034,\"remote_addr\":\"203.0.113.4\",\"xff\":\"\",\"method\":\"GET\",\"uri\":\"/a\","
                                        + "\"status\":200,\"request_time\":0.013,\"upstream_status\":\"\",\"upstream_addr\":\"\",\"request_id\":\"r\"}")
                .orElseThrow()
                .format();
        assertThat(json.missing()).containsExactly("api_key", "host", "limit_status");
        assertThat(Map.of("id", json.id(), "resolution", json.resolutionMicros()))
                .isEqualTo(Map.of("id", "nginx-json", "resolution", 1000L));
    }
}
