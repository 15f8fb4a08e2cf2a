package dev.why429.analyzers.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.InvestigationRequest.RedactMode;
import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
    private static final String JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MjkifQ.dGhpcy1pcy1hLXNpZ25hdHVyZQ";
    /** Each bears the word canary or a shape of its own; none may come through. */
    private static final Map<String, String> SECRETS_IN_TEXT = Map.ofEntries(
            Map.entry("failed: password=canary01 for it", "canary01"),
            Map.entry("config {\"client_secret\": \"canary02\"}", "canary02"),
            Map.entry("Authorization: Bearer canary03canary", "canary03"),
            Map.entry("sent Bearer canary04canary to it", "canary04"),
            Map.entry("got " + JWT + " from it", "eyJzdWIi"),
            Map.entry("stripe said sk_live_canary05CANARY05 is bad", "canary05"),
            Map.entry("push with ghp_canary06canary06canary06", "canary06"),
            Map.entry("mail to canary07@mail.example.com now", "canary07"),
            Map.entry("card 4111 1111 1111 1111 declined", "1111"),
            Map.entry("card 5500005555555559.", "5500005555555559"),
            Map.entry("client: 203.0.113.77, server", "203.0.113.77"),
            Map.entry("from [2001:db8:7::77]:443 came", "2001:db8:7"),
            Map.entry("peer 203.0.113.78:4711 gone", "203.0.113.78"),
            Map.entry("connect to https://canary08:canary09@db.example/", "canary09"),
            Map.entry("session_id=canary10; x", "canary10"),
            Map.entry("x-api-key: canary11", "canary11"),
            Map.entry("hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c", "9f86d081"),
            Map.entry("blob Q2FuYXJ5VGhhdE11c3ROb3RMZWFrMTIzNDU2Nzg5 end", "Q2FuYXJ5"),
            Map.entry("key=canary12 over limit", "canary12"),
            Map.entry("user: canary13 over limit", "canary13"),
            Map.entry("rl:203.0.113.79:GET exceeded", "203.0.113.79"),
            Map.entry("cookie=canary14", "canary14"),
            Map.entry("AKIACANARY15CANARY15", "CANARY15"),
            Map.entry("::ffff:203.0.113.80 denied", "203.0.113.80"));

    private final Redactor redactor = new Redactor(RedactMode.NORMAL, Salt.random());

    @Test
    void noSecretComesThroughFreeText() {
        SECRETS_IN_TEXT.forEach((text, secret) ->
                assertThat(redactor.text(text)).as(text).doesNotContain(secret).isNotEmpty());
    }

    @Test
    void noSecretComesThroughAnyKindOfField() {
        LineRedactor line = redactor.forThread();
        for (Field field : Fields.dictionary().all()) {
            SECRETS_IN_TEXT.forEach((text, secret) -> {
                String value = field.redaction() == Field.Redaction.URL ? "/a?" + text.replace(": ", "=") : text;
                if (field.redaction() != Field.Redaction.NONE && !value.contains("server")) {
                    ParsedLine parsed = new ParsedLine();
                    parsed.setText(field.ordinal(), value.getBytes(StandardCharsets.UTF_8));
                    String stored = new String(line.stored(field.ordinal(), parsed), StandardCharsets.UTF_8);
                    assertThat(stored).as(field.name() + ": " + value).doesNotContain(secret);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
                "limiting requests, excess: 0.400 by zone \"api\"",
                "request completed in 12 ms at 10:00:00, 1796069355651000 us, tokens: 4",
                "id 68e6e0cf-175c-79cf-4c04-c916105a9a29 of express@4.18.2"
            })
    void whatIsNoSecretStays(String text) {
        assertThat(redactor.text(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/orders?page=2&api_key=hush,/v1/orders?page=2&api_key=[redacted]",
        "/cb?code=hush&state=1,/cb?code=[redacted]&state=1",
        "/cb?user%5Bpassword%5D=hush,/cb?user%5Bpassword%5D=[redacted]",
        "/u/jo%40mail.example.com/x,/u/[redacted]/x",
        "/cb?json=%7B%22password%22%3A%22hush%22%7D&x=1,/cb?json=[redacted]&x=1",
        "/files/1?X-Amz-Signature=abc&x=1,/files/1?X-Amz-Signature=[redacted]&x=1",
        "/v1/items/8812?page=3,/v1/items/8812?page=3"
    })
    void queryStringsKeepWhatIsNoSecret(String url, String redacted) {
        assertThat(redactor.url(url)).isEqualTo(redacted);
    }

    @Test
    void addressesStillGroupByNetworkAndKeepTheirClass() {
        AddressText one = address("10.1.2.3");
        AddressText two = address("10.1.2.4:5123");
        AddressText other = address("10.1.3.3");
        assertThat(one.network(24)).isEqualTo(two.network(24)).isNotEqualTo(other.network(24));
        assertThat(one.toString()).isNotEqualTo(two.toString()).endsWith("~private");
        assertThat(redactor.address("::ffff:10.1.2.3")).isEqualTo(redactor.address("10.1.2.3"));
        AddressText six = address("2001:db8:1:aa01::1");
        AddressText near = address("[2001:db8:1:aa02::1]:443");
        assertThat(six.network(48)).isEqualTo(near.network(48));
        assertThat(six.network(56)).isEqualTo(near.network(56));
        assertThat(six.network(64)).isNotEqualTo(near.network(64));
        assertThat(six.isV6()).isTrue();
    }

    private AddressText address(String raw) {
        return AddressText.parse(redactor.address(raw))
                .filter(AddressText::isToken)
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "8.8.8.8,PUBLIC", "10.0.0.1,PRIVATE", "172.31.0.1,PRIVATE", "172.32.0.1,PUBLIC", "192.168.1.1,PRIVATE",
        "127.0.0.1,LOOPBACK", "100.64.0.1,SHARED", "169.254.1.1,LINK_LOCAL", "203.0.113.9,DOCUMENTATION",
                "0.0.0.0,RESERVED",
        "::1,LOOPBACK", "fe80::1%eth0,LINK_LOCAL", "fd00::1,PRIVATE", "2001:db8::1,DOCUMENTATION", "2606:4700::1,PUBLIC"
    })
    void theClassOfAnAddressSurvivesRedaction(String raw, AddressClass expected) {
        assertThat(AddressText.parse(raw).orElseThrow().addressClass()).isEqualTo(expected);
        assertThat(address(raw).addressClass()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-", "1.2.3", "1.2.3.4.5", "256.1.1.1", "a.b.c.d", "10:00:00", "ip_x~nonsense", "example.com"
            })
    void whatIsNoAddressIsNotReadAsOne(String text) {
        assertThat(AddressText.parse(text)).isEmpty();
    }

    @Test
    void rawAddressesTellTheirNetworksToo() {
        assertThat(AddressText.parse("203.0.113.9").orElseThrow().network(24)).isEqualTo("203.0.113.0/24");
        assertThat(AddressText.parse("2001:DB8:0:1:0:0:0:1").orElseThrow())
                .hasToString("2001:db8:0:1::1")
                .extracting(address -> address.network(56))
                .isEqualTo("2001:db8::/56");
    }

    @Test
    void forwardedListsKeepTheirOrderAndTheirForm() {
        String ten = redactor.address("10.0.0.1");
        String documentation = redactor.address("203.0.113.9");
        assertThat(redactor.addressList("203.0.113.9, unknown, 10.0.0.1"))
                .isEqualTo(documentation + ", unknown, " + ten);
        assertThat(redactor.addressList("for=203.0.113.9;proto=https, for=\"10.0.0.1:80\""))
                .isEqualTo("for=" + documentation + ";proto=https, for=" + ten);
    }

    @Test
    void headersKeepWhatLimitsSayAndLoseWhoAsked() {
        Map<String, List<String>> headers = redactor.headers(Map.of(
                "ratelimit", List.of("\"5-in-1min\"; r=0; t=60; pk=:OGE1ZGE1:"),
                "retry-after", List.of("12"),
                "set-cookie", List.of("sid=canary; path=/; HttpOnly"),
                "authorization", List.of("Bearer canary"),
                "x-api-key", List.of("canary"),
                "x-forwarded-for", List.of("203.0.113.9")));
        assertThat(headers.get("retry-after")).containsExactly("12");
        assertThat(headers.get("ratelimit").get(0))
                .startsWith("\"5-in-1min\"; r=0; t=60; pk=:tok_")
                .doesNotContain("OGE1");
        assertThat(headers.get("set-cookie")).containsExactly("sid=[redacted]; path=/; HttpOnly");
        assertThat(headers.get("x-api-key")).containsExactly(redactor.identity("canary"));
        assertThat(headers.get("authorization")).containsExactly("Bearer " + redactor.identity("canary"));
        assertThat(headers.toString()).doesNotContain("canary", "203.0.113.9");
    }

    @Test
    void oneSaltGivesTheSameTokensAndAnotherDoesNot(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("salt");
        redactor.salt().write(file);
        Redactor again = new Redactor(RedactMode.NORMAL, Salt.read(file));
        Redactor other = new Redactor(RedactMode.NORMAL, Salt.random());
        assertThat(again.identity("key")).isEqualTo(redactor.identity("key")).matches("tok_[0-9a-f]{12}");
        assertThat(again.address("8.8.8.8"))
                .isEqualTo(redactor.address("8.8.8.8"))
                .matches("ip_[0-9a-f]{10}\\.[0-9a-f]{6}");
        assertThat(other.identity("key")).isNotEqualTo(redactor.identity("key"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void strictAlsoHidesDevicesHostsAndIds() {
        Redactor strict = new Redactor(RedactMode.STRICT, Salt.random());
        assertThat(strict.url("/v1/orders/8812/items?page=3"))
                .matches("/v1/orders/tok_[0-9a-f]{12}/items\\?page=\\[redacted]");
        assertThat(strict.headers(Map.of("user-agent", List.of("okhttp/4")))
                        .get("user-agent")
                        .get(0))
                .startsWith("tok_");
    }

    @Test
    void offChangesNothing() {
        SECRETS_IN_TEXT
                .keySet()
                .forEach(text -> assertThat(Redactor.off().text(text)).isEqualTo(text));
        assertThat(Redactor.off().address("8.8.8.8")).isEqualTo("8.8.8.8");
    }
}
