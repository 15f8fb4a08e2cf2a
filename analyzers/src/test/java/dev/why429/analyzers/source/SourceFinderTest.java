package dev.why429.analyzers.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.InvestigationRequest.AsHint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFinderTest {
    private static final String LINE =
            "203.0.113.7 - - [10/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 429 0 \"-\" \"-\"\n";

    @TempDir
    Path folder;

    private FoundSources find(String... inputs) {
        return find(Optional.empty(), List.of(), inputs);
    }

    private FoundSources find(Optional<Path> sources, List<AsHint> as, String... inputs) {
        return SourceFinder.find(List.of(inputs), sources, as, folder, InputStream.nullInputStream());
    }

    private void write(String name, String text) throws IOException {
        write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static List<String> paths(FoundSources found) {
        return found.logs().stream().map(LogSource::path).toList();
    }

    @Test
    void everythingInAFolderIsReadOrNamed() throws IOException {
        write("in/edge.access.log", LINE);
        write("in/edge.access.log.1.gz", gzip(LINE));
        write(
                "in/pods/pod1.ndjson",
                "{\"level\":30,\"time\":1796069355651,\"res\":{\"statusCode\":429,\"headers\":{}}}\n");
        write("in/captures/429.txt", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n\r\n");
        write(
                "in/captures/c.ndjson",
                "{\"ts\":\"2026-03-10T10:00:00Z\",\"status\":429,\"headers\":[[\"Retry-After\",\"1\"]],\"body\":\"\"}\n");
        write(
                "in/captures/c.har",
                "{\n \"log\": {\n  \"version\": \"1.2\",\n  \"creator\": {},\n  \"entries\": [\n]}}\n");
        write("in/nginx.conf", "events {}\nhttp {\n  limit_req_zone $binary_remote_addr zone=a:1m rate=5r/s;\n}\n");
        write("in/values.yaml", "replicas: 3\nimage: app\n");
        write("in/truth.json", "{\n \"name\": \"x\",\n \"started_at\": 1796069355\n}\n");
        write("in/notes.txt", "call the partner back\n");
        write("in/core", new byte[200]);
        write("in/empty.log", "");
        write("in/old-case/case.json", "{\"schema\": \"case-v1\"}");
        write("in/.hidden/x.log", LINE);
        FoundSources found = find("in");
        assertThat(paths(found))
                .containsExactly(
                        "in/edge.access.log", "in/edge.access.log.1.gz", "in/notes.txt", "in/pods/pod1.ndjson");
        assertThat(found.logs()).extracting(LogSource::id).containsExactly("F1", "F2", "F3", "F4");
        assertThat(found.logs()).extracting(LogSource::node).containsExactly("edge", "edge", "notes", "pod1");
        assertThat(found.captures())
                .extracting(capture -> capture.path() + " " + capture.kind())
                .containsExactly(
                        "in/captures/429.txt CURL_TEXT", "in/captures/c.har HAR", "in/captures/c.ndjson NDJSON");
        assertThat(found.configs())
                .extracting(config -> config.path() + " " + config.kind())
                .containsExactly("in/nginx.conf nginx", "in/values.yaml yaml");
        assertThat(found.notRead())
                .extracting(notRead -> notRead.path() + ": " + notRead.why())
                .containsExactlyInAnyOrder(
                        "in/old-case: a case folder",
                        "in/core: binary data",
                        "in/empty.log: empty",
                        "in/truth.json: a JSON document, neither a log nor a HAR file");
    }

    @Test
    void whatIsNotThereIsNamed() {
        FoundSources found = find("gone.log", "*.nothing");
        assertThat(found.logs()).isEmpty();
        assertThat(found.warnings())
                .containsExactly(
                        "\"gone.log\" does not exist; give a file, a folder, a glob or - for standard input",
                        "\"*.nothing\" matches no file");
    }

    @Test
    void globsAreExpandedAndAFileIsReadOnce() throws IOException {
        write("a/pod1/access.log", LINE);
        write("a/pod2/access.log", LINE);
        FoundSources found = find("a/*/access.log", "a/pod1/access.log", "a");
        assertThat(paths(found)).containsExactly("a/pod1/access.log", "a/pod2/access.log");
        assertThat(found.logs()).extracting(LogSource::node).containsExactly("pod1", "pod2");
    }

    @Test
    void aPipeIsRecognisedAndThenReadWhole() throws IOException {
        byte[] packed = gzip(LINE.repeat(5000));
        FoundSources found =
                SourceFinder.find(List.of("-"), Optional.empty(), List.of(), folder, new ByteArrayInputStream(packed));
        LogSource log = found.logs().get(0);
        assertThat(log.sample()).startsWith(LINE.getBytes(StandardCharsets.UTF_8));
        try (SourceStream stream = log.open()) {
            assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(LINE.repeat(5000));
        }
    }

    @Test
    void hintsOfTheCommandLineWinOverTheSourcesFile() throws IOException {
        write("in/edge.log", LINE);
        write("in/pod1.log", LINE);
        write("in/sources.yaml", """
                sources:
                  - {path: edge.log, layer: cdn, component: varnish, time_zone: "+07:00"}
                  - {path: "*.log", layer: app, node: n7, log_format: combined}
                  - {path: gone.log}
                """);
        FoundSources found = find(
                Optional.of(Path.of("in/sources.yaml")),
                List.of(new AsHint("gateway", Optional.of("nginx"), Optional.empty(), "edge*")),
                "in");
        LogSource edge = found.logs().get(0);
        assertThat(edge.layer()).contains("gateway");
        assertThat(edge.component()).contains("nginx");
        assertThat(edge.node()).isEqualTo("n7");
        assertThat(edge.zone()).hasToString("Optional[+07:00]");
        assertThat(found.logs().get(1).layer()).contains("app");
        assertThat(found.warnings())
                .singleElement()
                .asString()
                .endsWith("sources.yaml:4: \"gone.log\" matches none of the inputs");
    }

    @Test
    void everyFaultOfASourcesFileIsToldWithItsLine() throws IOException {
        write("bad.yaml", """
                sources:
                  - {path: a.log, layer: edge}
                  - {layer: app, colour: red}
                  - {path: b.log, time_zone: Mars/Olympus}
                files: []
                """);
        assertThatThrownBy(() -> find(Optional.of(folder.resolve("bad.yaml")), List.of(), "."))
                .isInstanceOfSatisfying(InputProblem.class, problem -> {
                    assertThat(problem.kind()).isEqualTo(InputProblem.Kind.USAGE);
                    assertThat(problem.problems()).hasSize(5);
                })
                .hasMessageContaining("bad.yaml:2: \"edge\" is no layer")
                .hasMessageContaining("bad.yaml:3: \"colour\" is no key")
                .hasMessageContaining("bad.yaml:3: \"path\" is missing")
                .hasMessageContaining("bad.yaml:4: \"Mars/Olympus\" is no time zone")
                .hasMessageContaining("bad.yaml:5: \"files\" is no key here");
    }

    @Test
    void linksInACircleAndPipesInAFolderAreNotFollowed() throws IOException, InterruptedException {
        write("in/a.log", LINE);
        Files.createSymbolicLink(folder.resolve("in/loop"), folder.resolve("in"));
        int made = new ProcessBuilder("mkfifo", folder.resolve("in/pipe").toString())
                .start()
                .waitFor();
        FoundSources found = find("in");
        assertThat(paths(found)).containsExactly("in/a.log");
        assertThat(made).isZero();
        assertThat(found.notRead()).singleElement().extracting(NotRead::path).isEqualTo("in/pipe");
    }

    @Test
    void anArchiveOfManyMembersIsReadWholeAndABombIsNot() throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        members.write(gzip(LINE));
        members.write(gzip(LINE));
        write("two.log.gz", members.toByteArray());
        LogSource two = find("two.log.gz").logs().get(0);
        try (SourceStream stream = two.open()) {
            assertThat(stream.readAllBytes()).hasSize(2 * LINE.length());
        }
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bomb)) {
            byte[] zeros = new byte[1 << 20];
            gzip.write(LINE.getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 80; i++) {
                gzip.write(zeros);
            }
        }
        try (SourceStream stream = SourceStream.open("bomb.gz", new ByteArrayInputStream(bomb.toByteArray()))) {
            long read = stream.transferTo(OutputStream.nullOutputStream());
            assertThat(read).isLessThan(70L << 20);
            assertThat(stream.warnings()).singleElement().asString().contains("more than 200 times its size");
        }
    }
}
