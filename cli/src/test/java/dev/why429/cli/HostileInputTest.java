package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code sample-logs/hostile} in every way it can be given: markup, terminal sequences, forged lines, broken bytes, bombs. Nothing of it may
 * act where it is shown, and nothing may end in an internal failure.
 */
class HostileInputTest {
    private static final Path HOSTILE = Path.of("..", "sample-logs", "hostile");
    /** Escape, the other C0 controls but line feed, carriage return and tab, DEL, C1, bidirectional and zero-width characters. */
    private static final String ACTS_IN_A_TERMINAL =
            "(?s).*[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069].*";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static Stream<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(HOSTILE)) {
            return Stream.concat(Stream.of(HOSTILE), all.filter(Files::isRegularFile).sorted().toList().stream());
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingOfItActsInTheAnswerOrTheReport(Path input) throws IOException {
        for (String redact : List.of("off", "normal")) {
            int code = run("investigate", input.toString(), "--redact", redact, "--force", "-v", "-o", place());
            assertThat(code).as(shown()).isIn(ExitCode.DONE, ExitCode.NO_USABLE_INPUT);
            assertThat(shown()).doesNotMatch(ACTS_IN_A_TERMINAL);
            if (code == ExitCode.DONE) {
                new JsonMapper()
                        .readTree(Files.readString(folder.resolve("case").resolve("case.json")));
                nothingActs(Jsoup.parse(Files.readString(folder.resolve("case").resolve("report.html"))));
            }
        }
        run("formats", input.toString());
        assertThat(shown()).doesNotMatch(ACTS_IN_A_TERMINAL);
    }

    private static void nothingActs(Document report) {
        for (Element element : report.getAllElements()) {
            assertThat(element.attributes().asList())
                    .as(element.tagName())
                    .noneMatch(attribute -> attribute.getKey().startsWith("on")
                            || attribute
                                    .getValue()
                                    .strip()
                                    .toLowerCase(Locale.ROOT)
                                    .startsWith("javascript:"));
        }
        assertThat(report.select("img, iframe, object, embed, form, base, link[href^=http]"))
                .isEmpty();
        assertThat(report.select("script").stream().map(Element::data)).noneMatch(code -> code.contains("alert("));
    }

    @ParameterizedTest
    @MethodSource("auditFormats")
    void nothingOfItActsInAnAudit(String format) throws IOException {
        int code = run("audit", "--format", format, copied().toString());
        assertThat(code).as(shown()).isIn(ExitCode.DONE, ExitCode.FINDINGS);
        assertThat(shown()).doesNotMatch(ACTS_IN_A_TERMINAL).doesNotContain("\n::error::");
    }

    /** What is audited lies below the working directory. */
    private static Path copied() throws IOException {
        Path copy = Files.createDirectories(Path.of("target", "hostile"));
        try (Stream<Path> all = Files.list(HOSTILE.resolve("config"))) {
            for (Path file : all.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return copy;
    }

    static List<String> auditFormats() {
        return List.of("text", "json", "sarif", "gitlab", "github", "junit");
    }

    @Test
    void aTableForASpreadsheetHoldsNoFormula() {
        run(
                "investigate",
                HOSTILE.resolve("markup.access.log").toString(),
                "--redact",
                "off",
                "--force",
                "-o",
                place());
        assertThat(run("query", place(), "SELECT user_agent FROM requests", "--format", "csv"))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"'=cmd").doesNotContain("\"=cmd");
    }

    @Test
    void aBombIsReadUntilItIsNotBelievedAnyMore() throws IOException {
        Path bomb = folder.resolve("bomb.access.log.gz");
        byte[] line = "203.0.113.1 - - [02/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 429 162 \"-\" \"-\"\n"
                .repeat(10_000)
                .getBytes(StandardCharsets.US_ASCII);
        try (GZIPOutputStream gzip = new GZIPOutputStream(Files.newOutputStream(bomb))) {
            gzip.write(line);
            byte[] nothing = new byte[1 << 20];
            for (int i = 0; i < 256; i++) {
                gzip.write(nothing);
            }
        }
        assertThat(Files.size(bomb)).isLessThan(1 << 20);
        assertThat(run("investigate", bomb.toString(), "-o", place()))
                .as(shown())
                .isZero();
        assertThat(shown()).contains("bomb.access.log.gz").contains("10,000");
    }

    private String place() {
        return folder.resolve("case").toString();
    }

    private String shown() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        return Main.run(terminal, arguments);
    }
}
