package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Format strings as people write them into their servers' configuration. */
class LogFormatsTest {
    private static final LogFormats FORMATS = LogFormats.builtIn();

    private static Map<String, Object> read(String pattern, String line) {
        return read(pattern, FormatHint.none(), line);
    }

    private static Map<String, Object> read(String pattern, FormatHint hint, String line) {
        return FormatFolder.read(FORMATS.compile(pattern, hint).newReader(), line);
    }

    @Test
    void nginxVariablesWithoutAColumnAreReadOver() {
        assertThat(read(
                        "$msec $connection $remote_addr $scheme://$host$request_uri $status $gzip_ratio $sent_http_retry_after",
                        "1796068314.028 17 203.0.113.9 https://api.example.com/v1/a?b=c 429 - 12"))
                .isEqualTo(Map.of(
                        "logged_at", "2026-11-30T19:51:54.028Z",
                        "arrived_at", "2026-11-30T19:51:54.028Z",
                        "client_ip", "203.0.113.9",
                        "host", "api.example.com",
                        "path", "/v1/a?b=c",
                        "status", 429L,
                        "response_headers", "{\"retry-after\":\"12\"}"));
    }

    @Test
    void requestHeadersGoToTheirColumnsByTheirUsualNamesAndTheRestIntoOneObject() {
        assertThat(read(
                        "$time_iso8601 $status \"$http_x_api_key\" \"$http_x_tenant_id\" \"$http_x_plan\" \"$http_accept\"",
                        "2026-11-30T19:40:02+00:00 429 \"ak_1\" \"acme\" \"go\\x22ld\" \"-\""))
                .containsEntry("api_key", "ak_1")
                .containsEntry("tenant", "acme")
                .containsEntry("request_headers", "{\"x-plan\":\"go\\\"ld\"}");
    }

    @Test
    void aHeaderCanBeDeclaredToSayWho() {
        FormatHint hint = new FormatHint(
                Optional.empty(), Optional.empty(), Optional.empty(), ZoneOffset.UTC, Map.of("X-Client", "api_key"));
        assertThat(read("$time_iso8601 $status \"$http_x_client\"", hint, "2026-11-30T19:40:02Z 429 \"me\""))
                .containsEntry("api_key", "me");
        assertThat(
                        read(
                                "pino-http",
                                hint,
                                "{\"time\":1796067602124,\"req\":{\"id\":1,\"headers\":{\"x-client\":\"me\"}},\"res\":{\"statusCode\":429}}"))
                .containsEntry("api_key", "me");
    }

    @Test
    void apacheSaysStartOrEndInTheToken() {
        String line = "203.0.113.9 [30/Nov/2026:19:40:02 +0000] \"GET /a HTTP/1.1\" 429 1500000";
        assertThat(read("%a %t \"%r\" %>s %D", line)).containsEntry("arrived_at", "2026-11-30T19:40:02Z");
        assertThat(read("%a %{end}t \"%r\" %>s %D", line)).containsEntry("arrived_at", "2026-11-30T19:40:00.500Z");
        assertThat(read(
                        "%a [%{begin:usec}t] \\\"%m %U%q %H\\\" %>s %{ms}T",
                        "203.0.113.9 [1796067602117001] \"GET /a?b=1 HTTP/1.1\" 429 7"))
                .containsEntry("path", "/a?b=1")
                .containsEntry("arrived_at", "2026-11-30T19:40:02.117001Z")
                .containsEntry("arrival_uncertainty_micros", 1L)
                .containsEntry("duration_micros", 7000L);
    }

    @Test
    void apacheHeadersOfRequestAndResponse() {
        assertThat(
                        read(
                                "%h %t \"%r\" %>s \"%{X-Forwarded-For}i\" \"%{X-Api-Key}i\" \"%{Retry-After}o\" \"%{X-Plan}i\" rid=%{UNIQUE_ID}e",
                                "10.0.0.1 [30/Nov/2026:19:40:02 +0000] \"GET /a HTTP/1.1\" 429 \"203.0.113.9, 10.0.0.2\" \"k\" \"12\" \"gold\" rid=aw3X"))
                .containsEntry("forwarded", "203.0.113.9, 10.0.0.2")
                .containsEntry("api_key", "k")
                .containsEntry("response_headers", "{\"retry-after\":\"12\"}")
                .containsEntry("request_headers", "{\"x-plan\":\"gold\"}")
                .containsEntry("request_id", "aw3X");
    }

    @Test
    void tomcatAndApacheDifferInWhatTheStampMeans() {
        FormatHint tomcat = FormatHint.none().withComponent("Tomcat 10 (Spring Boot)");
        assertThat(FORMATS.compile("%h %l %u %t \"%r\" %s %b", tomcat))
                .extracting(LogFormat::id, LogFormat::timeMeans)
                .containsExactly("tomcat", LogFormat.TimeMeans.END);
        assertThat(FORMATS.compile("%h %l %u %t \"%r\" %s %b", FormatHint.none()))
                .extracting(LogFormat::id, LogFormat::timeMeans)
                .containsExactly("apache", LogFormat.TimeMeans.START);
    }

    @Test
    void morganTokensWithArguments() {
        assertThat(
                        read(
                                ":date[iso] :remote-addr :method :url :status :response-time ms key=:req[x-api-key] rid=:req[x-request-id] ra=:res[retry-after]",
                                "2026-11-30T20:09:15.283Z ::ffff:10.0.3.9 GET /api/items/23 429 30.283 ms key=- rid=cec8 ra=12"))
                .isEqualTo(Map.of(
                        "logged_at", "2026-11-30T20:09:15.283Z",
                        "arrived_at", "2026-11-30T20:09:15.252717Z",
                        "arrival_uncertainty_micros", 1000L,
                        "duration_micros", 30283L,
                        "client_ip", "10.0.3.9",
                        "method", "GET",
                        "path", "/api/items/23",
                        "status", 429L,
                        "request_id", "cec8",
                        "response_headers", "{\"retry-after\":\"12\"}"));
    }

    @Test
    void gunicornWithHeaders() {
        assertThat(read(
                        "%(h)s %(t)s \"%(r)s\" %(s)s %(D)s key=\"%({x-api-key}i)s\"",
                        "10.0.3.9 [30/Nov/2026:19:40:02 +0000] \"GET /a HTTP/1.1\" 429 71000 key=\"k\""))
                .containsEntry("api_key", "k")
                .containsEntry("duration_micros", 71000L)
                .containsEntry("arrived_at", "2026-11-30T19:40:01.929Z");
    }

    @Test
    void haproxyStampsAreInTheZoneThatIsSaid() {
        FormatHint hanoi = new FormatHint(
                Optional.empty(), Optional.empty(), Optional.empty(), ZoneId.of("Asia/Ho_Chi_Minh"), Map.of());
        assertThat(read(
                        "%ci:%cp [%tr] %b/%s %Ta %ST %{+Q}r",
                        hanoi, "203.0.113.9:5188 [01/Dec/2026:02:40:02.117] be/s1 7 429 \"GET /a HTTP/1.1\""))
                .containsEntry("logged_at", "2026-11-30T19:40:02.117Z")
                .containsEntry("upstream_addr", "be/s1");
    }

    @Test
    void aWholeNginxDirectiveCanBeGiven() {
        assertThat(read(
                        "log_format main '$remote_addr [$time_local] '\n    '\"$request\" $status';",
                        "203.0.113.9 [30/Nov/2026:19:40:02 +0000] \"GET /a HTTP/1.1\" 429"))
                .containsEntry("status", 429L);
    }

    @Test
    void anUnknownTokenIsNamedWithItsPlaceAndTheNearestKnown() {
        assertThatThrownBy(() -> FORMATS.compile(":date[iso] :remote-adr :status", FormatHint.none()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\":remote-adr\" at position 12")
                .hasMessageContaining("the nearest known is \"remote-addr\"");
    }

    @Test
    void whatCannotWorkIsSaidInOneSentence() {
        assertThatThrownBy(() -> FORMATS.compile("$remote_addr $status", FormatHint.none()))
                .hasMessageContaining("has no time");
        assertThatThrownBy(() -> FORMATS.compile("[$time_local] $status$body_bytes_sent", FormatHint.none()))
                .hasMessageContaining("\"$status\" and \"$body_bytes_sent\"")
                .hasMessageContaining("touch");
        assertThatThrownBy(() -> FORMATS.compile("nginks", FormatHint.none()))
                .hasMessageContaining("\"nginks\" is neither a format id")
                .hasMessageContaining("pino-http");
        assertThatThrownBy(() -> FORMATS.compile("apache:combinde", FormatHint.none()))
                .hasMessageContaining("has no pattern \"combinde\"");
    }

    @Test
    void aKeyThatWasBlackedOutIsNobodysKey() {
        assertThat(
                        read(
                                "pino-http",
                                "{\"time\":1796067602124,\"req\":{\"id\":\"r\",\"headers\":{\"authorization\":\"[Redacted]\",\"x-api-key\":\"****\"}},\"res\":{\"statusCode\":429}}"))
                .doesNotContainKey("api_key");
    }
}
