package dev.why429.analyzers.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.InvestigationRequest.RedactMode;
import dev.why429.analyzers.Progress;
import dev.why429.analyzers.redact.Redactor;
import dev.why429.analyzers.redact.Salt;
import dev.why429.analyzers.source.FoundSources;
import dev.why429.analyzers.source.SourceFinder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IngestTest {
    private static final String GOOD = "203.0.113.7 1767225600000000 GET /a?token=hush 429 okhttp/4.12.0";

    @TempDir
    Path folder;

    private List<FileResult> results = List.of();
    private List<String> requests = List.of();
    private List<String> rejects = List.of();

    private void load(Redactor redactor) throws IOException {
        FoundSources found =
                SourceFinder.find(List.of("in"), Optional.empty(), List.of(), folder, InputStream.nullInputStream());
        List<FormattedSource> inputs = found.logs().stream()
                .map(log -> new FormattedSource(log, CombinedLines.requests()))
                .toList();
        Path file = Files.createTempDirectory(folder, "case").resolve("case.duckdb");
        try (CaseStore store = CaseStore.create(file, folder, 2, 256)) {
            results = Ingest.load(store, inputs, redactor, 2, Progress.SILENT);
            requests = store.query(
                    "SELECT * FROM requests ORDER BY file, line",
                    row -> row.integer("file") + ":" + row.integer("line") + "@" + row.integer("byte_offset") + " "
                            + row.text("client_ip") + " " + row.instant("logged_at") + " " + row.text("path") + " "
                            + row.integer("status") + " " + row.text("user_agent"));
            rejects = store.query(
                    "SELECT * FROM rejects ORDER BY file, line",
                    row -> row.integer("file") + ":" + row.integer("line") + "@" + row.integer("byte_offset") + " "
                            + row.text("reason") + " " + row.text("text"));
        }
    }

    private void write(String name, byte[] bytes) throws IOException {
        Files.createDirectories(folder.resolve("in"));
        Files.write(folder.resolve("in").resolve(name), bytes);
    }

    private void write(String name, String text, Charset charset) throws IOException {
        write(name, text.getBytes(charset));
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    @Test
    void everyLineBecomesARequestOrARejectWithItsPlace() throws IOException {
        write(
                "edge.log",
                GOOD + "\r\n\nshort 10:00:00\n203.0.113.7 1 GET /boom 200 x\n" + GOOD,
                StandardCharsets.UTF_8);
        load(Redactor.off());
        assertThat(requests)
                .containsExactly(
                        "1:1@0 203.0.113.7 2026-01-01T00:00:00Z /a?token=hush 429 okhttp/4.12.0",
                        "1:5@" + (GOOD.length() + 48)
                                + " 203.0.113.7 2026-01-01T00:00:00Z /a?token=hush 429 okhttp/4.12.0");
        assertThat(rejects)
                .containsExactly(
                        "1:2@" + (GOOD.length() + 2) + " empty ",
                        "1:3@" + (GOOD.length() + 3) + " too_short short 10:00:00",
                        "1:4@" + (GOOD.length() + 18) + " reader_failed 203.0.113.7 1 GET /boom 200 x");
        FileResult result = results.get(0);
        assertThat(result.lines()).isEqualTo(5);
        assertThat(result.requests()).isEqualTo(2);
        assertThat(result.rejectedByReason()).isEqualTo(Map.of("empty", 1L, "too_short", 1L, "reader_failed", 1L));
        assertThat(result.sha256()).hasSize(64);
    }

    @Test
    void valuesAreRedactedBeforeTheyAreStored() throws IOException {
        write("edge.log", GOOD + "\n203.0.113.7 10:00:00 short\n", StandardCharsets.UTF_8);
        load(new Redactor(RedactMode.NORMAL, Salt.random()));
        assertThat(requests.get(0))
                .contains("~documentation", "/a?token=[redacted]")
                .doesNotContain("203.0.113.7");
        assertThat(rejects.get(0)).doesNotContain("203.0.113.7");
    }

    @Test
    void manyThreadsManyFilesAndManySegmentsLoseNothing() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append(i % 1000 == 0 ? "junk 00:00:00" : GOOD).append('\n');
        }
        write("a.log", text.toString(), StandardCharsets.UTF_8);
        write("a.log.1.gz", gzip("junk 00:00:01" + text.substring("junk 00:00:00".length())));
        write("b.log", GOOD + "\n", StandardCharsets.UTF_8);
        load(Redactor.off());
        assertThat(results.stream().map(result -> result.lines() + "=" + result.requests() + "+" + result.rejected()))
                .containsExactly("20000=19980+20", "20000=19980+20", "1=1+0");
        assertThat(requests.stream().filter(row -> row.startsWith("2:20000@")))
                .singleElement()
                .asString()
                .startsWith("2:20000@" + (text.length() - GOOD.length() - 1) + " ");
    }

    @Test
    void aTruncatedArchiveGivesWhatItHeldAndAWarning() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            text.append(GOOD, 0, 34)
                    .append(Integer.toHexString(i * 7919))
                    .append(GOOD, 34, GOOD.length())
                    .append('\n');
        }
        byte[] whole = gzip(text.toString());
        write("edge.log.gz", Arrays.copyOf(whole, whole.length / 2));
        load(Redactor.off());
        FileResult result = results.get(0);
        assertThat(result.requests()).isGreaterThan(100);
        assertThat(result.warnings()).singleElement().asString().contains("GZIP data ends or is damaged");
    }

    @Test
    void aLineOf100MegabytesIsOneRejectAndTheNextLineIsRead() throws IOException {
        Files.createDirectories(folder.resolve("in"));
        try (OutputStream out = Files.newOutputStream(folder.resolve("in/edge.log"))) {
            out.write((GOOD + "\n10:00:00 ").getBytes(StandardCharsets.UTF_8));
            byte[] block = new byte[1 << 20];
            Arrays.fill(block, (byte) 'x');
            for (int i = 0; i < 100; i++) {
                out.write(block);
            }
            out.write(("\n" + GOOD + "\n").getBytes(StandardCharsets.UTF_8));
        }
        load(Redactor.off());
        assertThat(requests).hasSize(2);
        assertThat(requests.get(1)).startsWith("1:3@" + (GOOD.length() + 1 + 9 + (100 << 20) + 1) + " ");
        assertThat(results.get(0).rejectedByReason()).isEqualTo(Map.of("too_long", 1L));
        assertThat(rejects.get(0)).hasSizeLessThan(2200);
    }

    @Test
    void marksWideCharactersNulsAndWrongBytesAreRead() throws IOException {
        write("bom.log", "\ufeff" + GOOD + "\n", StandardCharsets.UTF_8);
        write("wide.log", "\ufeff" + GOOD + " ü\n", StandardCharsets.UTF_16LE);
        byte[] wrong = (GOOD + " \0 ?\n").getBytes(StandardCharsets.UTF_8);
        wrong[wrong.length - 2] = (byte) 0xff;
        write("wrong.log", wrong);
        load(Redactor.off());
        assertThat(rejects).isEmpty();
        assertThat(requests.get(0)).startsWith("1:1@3 203.0.113.7");
        assertThat(requests.get(1)).endsWith("okhttp/4.12.0 ü");
        assertThat(requests.get(2)).endsWith("okhttp/4.12.0 \0 \ufffd");
    }

    @Test
    void moreRejectsThanFitMemoryAreAllKept() throws IOException {
        write("edge.log", "junk 00:00:00\n".repeat(30_000), StandardCharsets.UTF_8);
        load(Redactor.off());
        assertThat(rejects).hasSize(30_000);
        assertThat(results.get(0).rejected()).isEqualTo(30_000);
    }
}
