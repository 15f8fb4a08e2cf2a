package dev.why429.analyzers.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaptureReaderTest {
    private static CaptureReader.Reading read(String text) throws IOException {
        return CaptureReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "c.txt");
    }

    private static CapturedResponse only(String text) throws IOException {
        List<CapturedResponse> responses = read(text).responses();
        assertThat(responses).hasSize(1);
        return responses.get(0);
    }

    @Test
    void curlWithHeadersGivesStatusHeadersBodyAndId() throws IOException {
        CapturedResponse response = only("""
                HTTP/1.1 429 Too Many Requests
                Date: Mon, 30 Nov 2026 19:40:02 GMT
                Retry-After: 5
                Set-Cookie: a=1
                Set-Cookie: b=2
                X-Request-Id: 8e1b05628405b27f

                slow down
                """);
        assertThat(response.status()).isEqualTo(429);
        assertThat(response.header("Retry-After")).contains("5");
        assertThat(response.responseHeaders().get("set-cookie")).containsExactly("a=1", "b=2");
        assertThat(response.body()).isEqualTo("slow down");
        assertThat(response.requestId()).contains("8e1b05628405b27f");
        assertThat(response.capturedAt()).contains(Instant.parse("2026-11-30T19:40:02Z"));
    }

    @Test
    void http2HasNoReasonAndLinesMayEndInCarriageReturns() throws IOException {
        CapturedResponse response = only("HTTP/2 429\r\nretry-after: 7\r\n\r\n{\"a\":1}");
        assertThat(response.status()).isEqualTo(429);
        assertThat(response.header("retry-after")).contains("7");
        assertThat(response.body()).isEqualTo("{\"a\":1}");
    }

    @Test
    void ofContinueAndRedirectTheLastBlockIsTheAnswer() throws IOException {
        CapturedResponse response = only("""
                HTTP/1.1 100 Continue

                HTTP/1.1 301 Moved Permanently
                Location: /b

                HTTP/1.1 429 Too Many Requests
                Server: last

                x""");
        assertThat(response.status()).isEqualTo(429);
        assertThat(response.header("server")).contains("last");
    }

    @Test
    void twoFinalAnswersInOneFileAreTwoCaptures() throws IOException {
        assertThat(read("HTTP/1.1 200 OK\nA: 1\n\nok\nHTTP/1.1 429 Too Many Requests\nA: 2\n\nno\n")
                        .responses())
                .extracting(CapturedResponse::status, CapturedResponse::position)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(200, 1), org.assertj.core.groups.Tuple.tuple(429, 2));
    }

    @Test
    void verboseCurlTellsTheRequestToo() throws IOException {
        CapturedResponse response = only("""
                *   Trying 192.0.2.7:443...
                > GET /v1/orders?page=2 HTTP/2
                > Host: api.example.com
                > user-agent: curl/8.5.0
                >
                < HTTP/2 429
                < x-ratelimit-remaining: 0
                <
                { [27 bytes data]
                {"error":"rate_limited"}
                * Connection #0 to host api.example.com left intact
                """);
        assertThat(response.method()).contains("GET");
        assertThat(response.path()).contains("/v1/orders?page=2");
        assertThat(response.host()).contains("api.example.com");
        assertThat(response.header("x-ratelimit-remaining")).contains("0");
        assertThat(response.body()).isEqualTo("{\"error\":\"rate_limited\"}");
    }

    @Test
    void jsonLinesHoldHeadersAsPairsAndAnUnreadableLineIsNamed() throws IOException {
        CaptureReader.Reading reading = read("""
                {"ts": "2026-11-30T20:16:46.234Z", "client": "192.0.2.9", "method": "GET", "url": "/a", "request_headers": {"Host": "h"}, "status": 429, "headers": [["Retry-After", "3"], ["X-Request-Id", "abc"]], "body": "no"}
                {"status": 429, "headers": [["A"
                """);
        assertThat(reading.responses()).singleElement().satisfies(response -> {
            assertThat(response.clientIp()).contains("192.0.2.9");
            assertThat(response.path()).contains("/a");
            assertThat(response.host()).contains("h");
            assertThat(response.header("retry-after")).contains("3");
            assertThat(response.requestId()).contains("abc");
            assertThat(response.capturedAt()).contains(Instant.parse("2026-11-30T20:16:46.234Z"));
        });
        assertThat(reading.problems()).singleElement().asString().contains("c.txt:2");
    }

    @Test
    void aHarBodyMayBePackedInBase64AndABlockedAnswerHasNoStatus() throws IOException {
        CaptureReader.Reading reading = read("""
                {"log": {"version": "1.2", "entries": [
                  {"startedDateTime": "2026-11-30T20:16:46.234Z", "request": {"method": "POST", "url": "https://h.example/x?y=1", "headers": []},
                   "response": {"status": 429, "headers": [{"name": "RateLimit", "value": "a"}], "content": {"encoding": "base64", "text": "bm8="}}},
                  {"request": {"method": "GET", "url": "https://h.example/z"}, "response": {"status": 0, "headers": []}}]}}
                """);
        assertThat(reading.responses()).singleElement().satisfies(response -> {
            assertThat(response.body()).isEqualTo("no");
            assertThat(response.host()).contains("h.example");
            assertThat(response.path()).contains("/x?y=1");
            assertThat(response.header("ratelimit")).contains("a");
        });
        assertThat(reading.problems()).singleElement().asString().contains("entry 2");
    }

    @Test
    void logsAreNoCaptures() {
        for (String log : List.of(
                "192.0.2.1 - - [30/Nov/2026:19:40:02 +0000] \"GET / HTTP/1.1\" 429 0\n",
                "{\"level\":30,\"time\":1796067602117,\"req\":{\"method\":\"GET\",\"headers\":{}},\"res\":{\"statusCode\":429,\"headers\":{}}}",
                "{\"time\":\"x\",\"status\":429,\"bytes\":1}",
                "",
                "\u0000\u0001")) {
            assertThat(CaptureReader.recognise(log.getBytes(StandardCharsets.UTF_8)))
                    .as(log)
                    .isEmpty();
        }
    }

    @Test
    void hostileNestingEndsInAProblemAndNotInAFailure() throws IOException {
        CaptureReader.Reading reading = read("{\"log\": {\"version\": \"1.2\", \"entries\": " + "[".repeat(100_000));
        assertThat(reading.responses()).isEmpty();
        assertThat(reading.problems()).hasSize(1);
    }

    @Test
    void programsPrintResponsesOverSeveralLinesOrAsAList() throws IOException {
        CapturedResponse dump = only("""
                {
                  "status_code": 429,
                  "headers": {"Retry-After": "5", "X-RateLimit-Limit": 10},
                  "text": "slow down"
                }
                """);
        assertThat(dump.status()).isEqualTo(429);
        assertThat(dump.header("x-ratelimit-limit")).contains("10");
        assertThat(dump.body()).isEqualTo("slow down");
        CapturedResponse nested = only("""
                [
                  {"request": {"method": "POST", "url": "https://api.example.com/v1/a?b=c", "headers": {"Accept": "*/*"}},
                   "response": {"status": 503, "headers": [{"name": "Server", "value": "nginx"}], "data": {"a": 1}}}
                ]
                """);
        assertThat(nested.method()).contains("POST");
        assertThat(nested.path()).contains("/v1/a?b=c");
        assertThat(nested.requestHeaders()).containsKey("accept");
        assertThat(nested.header("server")).contains("nginx");
        assertThat(nested.body()).isEqualTo("{\"a\":1}");
    }

    @Test
    void aBrowsersNotesKeepTheOrigin() throws IOException {
        CapturedResponse response = only(
                "{\"url\":\"https://api.example.com/a\",\"method\":\"GET\","
                        + "\"origin\":\"https://app.example.org\",\"status\":429,\"response_headers\":{\"retry-after\":\"1\"}}");
        assertThat(response.requestHeaders()).containsEntry("origin", List.of("https://app.example.org"));
        assertThat(response.host()).contains("api.example.com");
    }
}
