package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What must not matter does not: how the logs are cut, packed, named and ordered, their time zone, how many threads read them. */
class SameCaseTest {
    private static final Path STORY =
            Path.of("..", "sample-logs", "incidents", "haproxy-counts-its-own-denials", "logs");
    private static final DateTimeFormatter HAPROXY_STAMP =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss.SSS", Locale.ENGLISH);

    @TempDir
    private Path folder;

    private List<String> app;
    private List<String> balancer;

    @BeforeEach
    void theStory() throws IOException {
        app = Files.readAllLines(STORY.resolve("app1.log"));
        balancer = Files.readAllLines(STORY.resolve("lb.log"));
    }

    @Test
    void theSameBytesTwiceAndWithAnyNumberOfThreads() throws IOException {
        Path logs = given("one", "lb.log", balancer, "app1.log", app);
        List<byte[]> cases = new ArrayList<>();
        List<byte[]> reports = new ArrayList<>();
        for (String threads : List.of("1", "2", "3")) {
            investigate(logs, "--threads", threads);
            cases.add(Files.readAllBytes(folder.resolve("case").resolve("case.json")));
            reports.add(Files.readAllBytes(folder.resolve("case").resolve("report.html")));
        }
        assertThat(cases.get(1)).isEqualTo(cases.get(0));
        assertThat(cases.get(2)).isEqualTo(cases.get(0));
        assertThat(reports.get(1)).isEqualTo(reports.get(0));
        assertThat(reports.get(2)).isEqualTo(reports.get(0));
    }

    @Test
    void howTheLogsAreNamedCutAndPackedDoesNotMatter() throws IOException {
        String asWritten = told(given("one", "lb.log", balancer, "app1.log", app));
        int half = balancer.size() / 2;
        Path rotated = given(
                "rotated",
                "lb.log.1",
                balancer.subList(0, half),
                "lb.log",
                balancer.subList(half, balancer.size()),
                "app1.log",
                app);
        assertThat(told(rotated)).as("rotated").isEqualTo(asWritten);
        assertThat(told(given("renamed", "z.log", balancer, "a.log", app)))
                .as("named otherwise")
                .isEqualTo(asWritten);
        Path packed = Files.createDirectory(folder.resolve("packed"));
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(packed.resolve("lb.log.gz")))) {
            gzip.write(String.join("\n", balancer).concat("\n").getBytes(StandardCharsets.UTF_8));
        }
        Files.write(packed.resolve("app1.log"), app);
        assertThat(told(packed)).as("packed").isEqualTo(asWritten);
    }

    @Test
    void aFileGivenTwiceIsReadOnce() throws IOException {
        String asWritten = told(given("one", "lb.log", balancer, "app1.log", app));
        assertThat(told(given("twice", "lb.log", balancer, "copy-of-lb.log", balancer, "app1.log", app)))
                .isEqualTo(asWritten);
    }

    @Test
    void aClockOnAnotherZoneTellsTheSame() throws IOException {
        String asWritten = told(given("one", "lb.log", balancer));
        List<String> bangkok =
                balancer.stream().map(SameCaseTest::sevenHoursLater).toList();
        assertThat(bangkok).isNotEqualTo(balancer);
        assertThat(told(given("bangkok", "lb.log", bangkok), "--tz", "Asia/Bangkok"))
                .isEqualTo(asWritten);
    }

    private static String sevenHoursLater(String line) {
        Matcher stamp = Pattern.compile("\\[(\\d\\d/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d\\.\\d{3})\\]")
                .matcher(line);
        if (!stamp.find()) {
            return line;
        }
        OffsetDateTime then = java.time.LocalDateTime.parse(stamp.group(1), HAPROXY_STAMP)
                .atOffset(ZoneOffset.UTC)
                .plusHours(7);
        return line.substring(0, stamp.start(1)) + HAPROXY_STAMP.format(then) + line.substring(stamp.end(1));
    }

    private Path given(String name, Object... filesAndLines) throws IOException {
        Path logs = Files.createDirectory(folder.resolve(name));
        for (int i = 0; i < filesAndLines.length; i += 2) {
            Files.write(
                    logs.resolve((String) filesAndLines[i]),
                    ((List<?>) filesAndLines[i + 1])
                            .stream().map(String.class::cast).toList());
        }
        return logs;
    }

    /** What the case tells, without what names files and lines. */
    private String told(Path logs, String... more) throws IOException {
        investigate(logs, more);
        JsonNode found = new JsonMapper()
                .readTree(Files.readString(folder.resolve("case").resolve("case.json")));
        StringBuilder told = new StringBuilder()
                .append(found.path("requests"))
                .append(found.path("span"))
                .append(found.path("denials").path("by_layer"))
                .append(found.path("denials").path("hidden_by_layer"))
                .append('\n');
        for (JsonNode limiter : found.path("limiters")) {
            for (String field : List.of(
                    "layer",
                    "algorithm",
                    "key",
                    "scope",
                    "limit",
                    "window_seconds",
                    "rate_per_second",
                    "burst",
                    "agreement")) {
                told.append(field).append('=').append(limiter.path(field)).append(' ');
            }
            told.append('\n');
        }
        found.path("findings")
                .forEach(finding -> told.append(finding.path("kind"))
                        .append(finding.path("numbers"))
                        .append('\n'));
        return told.toString();
    }

    private void investigate(Path logs, String... more) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
        List<String> arguments = new ArrayList<>(List.of(
                "investigate",
                logs.toString(),
                "--redact",
                "off",
                "--force",
                "-o",
                folder.resolve("case").toString()));
        arguments.addAll(List.of(more));
        int code = Main.run(new Terminal(print, print, false, false), arguments.toArray(String[]::new));
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    }
}
