package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets planted wherever a log or a capture can hold one must be found in nothing that a run writes: screen, messages, report, case,
 * tables. Each planted secret is unique, so that a leak names its place.
 */
class CanaryTest {
    private static final List<String> TABLES = List.of(
            "requests", "notices", "rejects", "captures", "exchanges", "attributions", "denial_classes", "inputs");

    /** {@code %s} is a unique text of 16 letters and digits. */
    private static final List<String> IN_A_QUERY = List.of(
            "token=%s",
            "access_token=%s",
            "api_key=%s",
            "apikey=%s",
            "key=%s",
            "secret=%s",
            "client_secret=%s",
            "password=%s",
            "passwd=%s",
            "sig=%s",
            "signature=%s",
            "auth=%s",
            "session=%s",
            "sid=%s",
            "code=%s",
            "refresh_token=%s",
            "id_token=%s",
            "X-Amz-Signature=%s",
            "X-Amz-Credential=%s",
            "email=%s%%40example.com",
            "next=https%%3A%%2F%%2Fexample.com%%2F%%3Ftoken%%3D%s",
            "jwt=eyJhbGciOiJIUzI1NiJ9.%s.c2ln",
            "otp=%s",
            "pin=%s");

    private static final List<String> IN_TEXT = List.of(
            "Bearer %s",
            "password=%s",
            "\\\"client_secret\\\": \\\"%s\\\"",
            "sk_live_%s",
            "ghp_%s",
            "xoxb-%s",
            "AKIA%s",
            "https://ops:%s@db.example.com/",
            "x-api-key: %s",
            "%s@mail.example.com",
            "Authorization: Basic %s",
            "eyJhbGciOiJIUzI1NiJ9.eyJ%s.c2lnbmF0dXJl",
            "Cookie: session=%s",
            "glpat-%s",
            "AIza%s");

    private static final List<String> SECRET_HEADERS = List.of(
            "authorization",
            "cookie",
            "x-api-key",
            "proxy-authorization",
            "x-auth-token",
            "x-amz-security-token",
            "x-csrf-token");

    @TempDir
    private Path folder;

    private final List<String> planted = new ArrayList<>();

    @Test
    void noSecretOfAnyKindIsFoundInAnythingThatARunWrites() throws IOException {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Files.writeString(logs.resolve("access.log"), combined());
        Files.writeString(logs.resolve("app.jsonl"), pino());
        Files.writeString(logs.resolve("error.log"), nginxErrors());
        Files.writeString(logs.resolve("response.txt"), captured());
        assertThat(planted).hasSizeGreaterThan(60);
        assertThat(foundAfter("off", logs))
                .as("without redaction: the search itself works")
                .hasSizeGreaterThan(planted.size() * 8 / 10);
        assertThat(foundAfter("normal", logs)).as("--redact normal").isEmpty();
        assertThat(foundAfter("strict", logs)).as("--redact strict").isEmpty();
    }

    private List<String> foundAfter(String mode, Path logs) throws IOException {
        String written = run("investigate", logs.toString(), "--redact", mode, "--force", "-v", "-o", place())
                + everyFileOfTheCase()
                + everyTable();
        String lower = written.toLowerCase(Locale.ROOT);
        return planted.stream()
                .filter(secret -> lower.contains(secret.toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** Alike in shape to real keys; the number tells where it was planted. */
    private String secret(String place) {
        String number = String.format(Locale.ROOT, "%03d", planted.size());
        String value = "Cnry" + place + number + "q7Zk9Wd2";
        planted.add("Cnry" + place + number);
        return value;
    }

    private String combined() {
        StringBuilder lines = new StringBuilder();
        for (String query : IN_A_QUERY) {
            lines.append(line("/v1/a?x=1&" + query.formatted(secret("q")), "-", "curl/8.0"));
        }
        for (String text : IN_TEXT) {
            lines.append(
                    line("/v1/b", "https://example.com/?token=" + secret("r"), "agent " + text.formatted(secret("u"))));
        }
        // a line that cannot be read is kept, and shown
        lines.append("garbage with password=").append(secret("x")).append(" in it\n");
        return lines.toString();
    }

    private static String line(String path, String referer, String agent) {
        return "203.0.113.9 - - [02/Mar/2026:10:00:00 +0000] \"GET " + path + " HTTP/1.1\" 429 162 \"" + referer
                + "\" \"" + agent + "\"\n";
    }

    private String pino() {
        StringBuilder lines = new StringBuilder();
        for (String header : SECRET_HEADERS) {
            lines.append(
                            "{\"level\":30,\"time\":1772445600000,\"req\":{\"id\":1,\"method\":\"GET\",\"url\":\"/v1/c?token=")
                    .append(secret("j"))
                    .append("\",\"headers\":{\"")
                    .append(header)
                    .append("\":\"")
                    .append(secret("h"))
                    .append(
                            "\"},\"remoteAddress\":\"203.0.113.9\"},\"res\":{\"statusCode\":429,\"headers\":{\"set-cookie\":\"sid=")
                    .append(secret("s"))
                    .append("\"}},\"responseTime\":3,\"msg\":\"password=")
                    .append(secret("m"))
                    .append("\"}\n");
        }
        return lines.toString();
    }

    private String nginxErrors() {
        return "2026/03/02 10:00:00 [error] 7#7: *9 limiting requests, excess: 0.400 by zone \"api\", client: 203.0.113.9, server: _, "
                + "request: \"GET /v1/d?api_key=" + secret("e")
                + " HTTP/1.1\", host: \"api.example.com\", referrer: \"https://example.com/?sig="
                + secret("f") + "\"\n";
    }

    private String captured() {
        return "HTTP/1.1 429 Too Many Requests\r\ndate: Mon, 02 Mar 2026 10:00:00 GMT\r\nset-cookie: sid=" + secret("c")
                + "\r\nx-api-key: " + secret("k")
                + "\r\nretry-after: 5\r\ncontent-type: application/json\r\n\r\n{\"error\":\"rate limited\",\"token\":\""
                + secret("b") + "\"}\n";
    }

    private String place() {
        return folder.resolve("case").toString();
    }

    private String run(String... arguments) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(all, true, StandardCharsets.UTF_8);
        int code = Main.run(new Terminal(print, print, false, false), arguments);
        String written = all.toString(StandardCharsets.UTF_8);
        assertThat(code).as(written).isZero();
        return written;
    }

    private String everyFileOfTheCase() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of(place()))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    private String everyTable() {
        StringBuilder all = new StringBuilder();
        for (String table : TABLES) {
            all.append(run("query", place(), "SELECT * FROM " + table, "--format", "csv"));
        }
        return all.toString();
    }
}
