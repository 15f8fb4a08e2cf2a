package dev.why429.analyzers.attribute.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseQuotasTest {
    private static final Instant NOW = Instant.parse("2026-11-30T19:40:02Z");

    /** Headers as one text: {@code Name: value | Name: value}. */
    private static List<Quota> read(String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header : text.split(" \\| ", -1)) {
            int colon = header.indexOf(": ");
            headers.put(header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 2));
        }
        return ResponseQuotas.read(headers, Optional.of(NOW));
    }

    private static String text(Quota quota) {
        return quota.dialect() + " " + quota.policy().orElse("-") + " limit=" + number(quota.limit()) + " left="
                + number(quota.remaining()) + " reset=" + number(quota.reset().flatMap(WaitTime::seconds)) + " window="
                + number(quota.windowSeconds()) + " key=" + quota.partitionKey().orElse("-") + " wait="
                + number(quota.retryAfter().flatMap(WaitTime::seconds));
    }

    private static String number(Optional<Double> value) {
        return value.map(v -> v == Math.rint(v) ? Long.toString(Math.round(v)) : Double.toString(v))
                .orElse("-");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '~',
            value = {
                "X-RateLimit-Limit: 5 | X-RateLimit-Remaining: 0 | X-RateLimit-Reset: 1796067660 | Retry-After: 58 > x-ratelimit - limit=5 left=0 reset=58 window=- key=- wait=58",
                "x-ratelimit-limit: 5 | x-ratelimit-remaining: 0 | x-ratelimit-reset: 58 | retry-after: 60000 > x-ratelimit - limit=5 left=0 reset=58 window=- key=- wait=60000",
                "X-RateLimit-Limit: 5 | X-RateLimit-Remaining: 0 | X-RateLimit-Reset: 1796067660000 > x-ratelimit - limit=5 left=0 reset=58 window=- key=- wait=-",
                "X-RateLimit-Limit: 5 | X-RateLimit-Remaining: 0 | X-RateLimit-Reset: 58000 | Retry-After: 58 > x-ratelimit - limit=5 left=0 reset=58 window=- key=- wait=58",
                "RateLimit: \"5-in-1min\"; r=0; t=42 | RateLimit-Policy: \"5-in-1min\"; q=5; w=60; pk=:MTQ0OTE5YjA2N2Jm: | Retry-After: 42 > ratelimit-draft-8 5-in-1min limit=5 left=0 reset=42 window=60 key=:MTQ0OTE5YjA2N2Jm: wait=42",
                "Ratelimit: \"default\";r=50;t=30 | Ratelimit-Policy: \"default\";q=100;w=60 > ratelimit-draft-8 default limit=100 left=50 reset=30 window=60 key=- wait=-",
                "RateLimit: limit=5, remaining=0, reset=42 | RateLimit-Policy: 5;w=60 > ratelimit-draft-7 - limit=5 left=0 reset=42 window=60 key=- wait=-",
                "RateLimit-Limit: 5 | RateLimit-Remaining: 0 | RateLimit-Reset: 42 | RateLimit-Policy: 5;w=60 > ratelimit-draft-7 - limit=5 left=0 reset=42 window=60 key=- wait=-",
                "RateLimit-Policy: 5;w=60 > ratelimit-draft-7 - limit=5 left=- reset=- window=60 key=- wait=-",
                "RateLimit-Limit: 20 | RateLimit-Remaining: 0 | RateLimit-Reset: 7 | X-RateLimit-Limit-Minute: 20 | X-RateLimit-Remaining-Minute: 0 | Retry-After: 7 > ratelimit-draft-6 minute limit=20 left=0 reset=7 window=60 key=- wait=7",
                "X-RateLimit-Remaining: 0 | X-RateLimit-Requested-Tokens: 1 | X-RateLimit-Burst-Capacity: 20 | X-RateLimit-Replenish-Rate: 10 > x-ratelimit-replenish - limit=20 left=0 reset=- window=2 key=- wait=-",
                "ratelimit-limit: 100;w=21600 | ratelimit-remaining: 0;w=21600 | docker-ratelimit-source: 2001:db8:801:2000:: > ratelimit-draft-3 - limit=100 left=0 reset=- window=21600 key=2001:db8:801:2000:: wait=-",
                "X-Rate-Limit-Limit: 1.00 | X-Rate-Limit-Duration: 1 | X-Rate-Limit-Request-Remote-Addr: 192.0.2.1:4711 > x-rate-limit - limit=1 left=- reset=- window=1 key=192.0.2.1:4711 wait=-",
                "X-Rate-Limit-Retry-After-Seconds: 12 > retry-after - limit=- left=- reset=- window=- key=- wait=12",
                "X-Retry-In: 1m2.5s | Retry-After: 63 > retry-after - limit=- left=- reset=- window=- key=- wait=63",
                "x-ratelimit-limit: 5000 | x-ratelimit-remaining: 4207 | x-ratelimit-used: 793 | x-ratelimit-resource: core | x-ratelimit-reset: 1796067662 > x-ratelimit core limit=5000 left=4207 reset=60 window=- key=- wait=-",
                "X-Shopify-Shop-Api-Call-Limit: 40/40 | Retry-After: 2.0 > shopify shop limit=40 left=0 reset=- window=- key=- wait=2",
                "Sforce-Limit-Info: api-usage=99000/100000 > salesforce api-usage limit=100000 left=1000 reset=- window=- key=- wait=-",
                "X-RateLimit-Limit: 3 per 10s > x-ratelimit - limit=3 left=- reset=- window=10 key=- wait=-",
                "X-RateLimit-Limit: 5 | X-RateLimit-Remaining: 0 | X-RateLimit-Reset-After: 0.65 | X-RateLimit-Bucket: abcd > x-ratelimit abcd limit=5 left=0 reset=0.65 window=- key=- wait=-",
                "Retry-After: Mon, 30 Nov 2026 19:41:02 GMT > retry-after - limit=- left=- reset=- window=- key=- wait=60",
                "Retry-After: soon > ''",
                "X-RateLimit-Reset: Invalid Date | X-RateLimit-Remaining: undefined > ''",
                "Content-Type: text/plain > ''"
            })
    void eachDialectSaysTheSame(String headers, String expected) {
        assertThat(read(headers).stream().map(ResponseQuotasTest::text).toList())
                .isEqualTo(expected.equals("''") ? List.of() : List.of(expected));
    }

    @Test
    void severalPoliciesOfOneAnswer() {
        assertThat(read(
                                "x-ratelimit-limit: 10, 10;w=1;name=\"per-ip\", 1000;w=3600 | x-ratelimit-remaining: 0 | x-ratelimit-reset: 1")
                        .stream()
                        .map(ResponseQuotasTest::text))
                .containsExactly(
                        "envoy per-ip limit=10 left=0 reset=1 window=1 key=- wait=-",
                        "envoy - limit=1000 left=- reset=- window=3600 key=- wait=-");
        assertThat(read(
                                "x-ratelimit-limit-requests: 60 | x-ratelimit-remaining-requests: 59 | x-ratelimit-reset-requests: 1s"
                                        + " | x-ratelimit-limit-tokens: 150000 | x-ratelimit-remaining-tokens: 0 | x-ratelimit-reset-tokens: 6m0s | retry-after: 20")
                        .stream()
                        .map(ResponseQuotasTest::text))
                .containsExactly(
                        "x-ratelimit requests limit=60 left=59 reset=1 window=- key=- wait=20",
                        "x-ratelimit tokens limit=150000 left=0 reset=360 window=- key=- wait=20");
        assertThat(read("anthropic-ratelimit-requests-limit: 50 | anthropic-ratelimit-requests-remaining: 0"
                                + " | anthropic-ratelimit-requests-reset: 2026-11-30T19:41:00Z")
                        .stream()
                        .map(ResponseQuotasTest::text))
                .containsExactly("anthropic-ratelimit requests limit=50 left=0 reset=58 window=- key=- wait=-");
        assertThat(read(
                                "X-HubSpot-RateLimit-Daily: 250000 | X-HubSpot-RateLimit-Daily-Remaining: 249000"
                                        + " | X-HubSpot-RateLimit-Max: 100 | X-HubSpot-RateLimit-Remaining: 0 | X-HubSpot-RateLimit-Interval-Milliseconds: 10000")
                        .stream()
                        .map(quota -> quota.limit().orElseThrow() + " per "
                                + quota.windowSeconds().orElseThrow()))
                .containsExactly("250000.0 per 86400.0", "100.0 per 10.0");
    }

    @Test
    void eachPolicyKeepsItsOwnWait() {
        List<Quota> quotas = read("X-RateLimit-Limit-burst: 3 | X-RateLimit-Limit-steady: 100 | Retry-After-burst: 4");
        assertThat(quotas).extracting(quota -> quota.policy().orElseThrow()).containsExactly("burst", "steady");
        assertThat(quotas.get(0).retryAfter().flatMap(WaitTime::seconds)).contains(4.0);
        assertThat(quotas.get(1).retryAfter()).isEmpty();
    }

    @Test
    void aResetThatNoClockCanMeanIsNoMoment() {
        Quota quota =
                read("X-RateLimit-Limit: 5 | X-RateLimit-Reset: 1000000001").get(0);
        assertThat(quota.reset()).isEmpty();
        assertThat(read("X-RateLimit-Limit: 5 | X-RateLimit-Reset: 1796067600")
                        .get(0)
                        .reset()
                        .flatMap(WaitTime::seconds))
                .contains(-2.0);
    }

    @Test
    void withoutAClockADeltaHasNoMoment() {
        Quota quota = ResponseQuotas.read(Map.of("x-ratelimit-limit", "5", "x-ratelimit-reset", "58"), Optional.empty())
                .get(0);
        assertThat(quota.reset().flatMap(WaitTime::seconds)).contains(58.0);
        assertThat(quota.reset().flatMap(WaitTime::at)).isEmpty();
    }
}
