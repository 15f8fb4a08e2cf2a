package dev.why429.analyzers;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.why429.analyzers.audit.AuditFuzz;
import dev.why429.analyzers.capture.CaptureFuzz;
import dev.why429.analyzers.parse.LineFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The fuzz targets on the rules' own samples and on damaged copies of them, always the same; {@code .ci/fuzz} runs them for as long as one likes.
 * An input that broke something lies in {@code src/test/resources/fuzz/<target>/} and is tried for ever.
 */
class FuzzSeedsTest {
    private static final Path RULES = Path.of("..", "rules");
    private static final Path BROKE = Path.of("src", "test", "resources", "fuzz");
    private static final byte[][] BAITS = Stream.of(
                    "\"",
                    "\\",
                    "[",
                    "]",
                    "{",
                    "}",
                    "%",
                    "\u0000",
                    "-",
                    "99999999999999999999",
                    "\u202e",
                    ":",
                    "=",
                    "$",
                    "${",
                    "#",
                    "'",
                    "\t",
                    "é")
            .map(bait -> bait.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);

    private interface Target {
        void run(byte[] data) throws IOException;
    }

    @Test
    void lines() throws IOException {
        List<byte[]> seeds = new ArrayList<>(broke("LineFuzz"));
        for (Path file : files(RULES.resolve("formats"), name -> name.endsWith(".log"))) {
            Files.readString(file, StandardCharsets.ISO_8859_1)
                    .lines()
                    .limit(4)
                    .forEach(line -> seeds.add(line.getBytes(StandardCharsets.ISO_8859_1)));
        }
        attack(seeds, 60, LineFuzz::fuzzerTestOneInput);
    }

    @Test
    void captures() throws IOException {
        List<byte[]> seeds = new ArrayList<>(broke("CaptureFuzz"));
        for (Path file : files(RULES.resolve("fingerprints"), name -> name.endsWith(".http"))) {
            seeds.add(Files.readAllBytes(file));
        }
        attack(seeds, 40, CaptureFuzz::fuzzerTestOneInput);
    }

    @Test
    void configurationsAndPrograms() throws IOException {
        List<byte[]> seeds = new ArrayList<>(broke("AuditFuzz"));
        for (Path file : files(RULES.resolve("pitfalls"), name -> AuditFuzz.kind(name) >= 0)) {
            byte[] text = Files.readAllBytes(file);
            byte[] seed = new byte[text.length + 1];
            seed[0] = (byte) AuditFuzz.kind(file.getFileName().toString());
            System.arraycopy(text, 0, seed, 1, text.length);
            seeds.add(seed);
        }
        attack(seeds, 1, AuditFuzz::fuzzerTestOneInput);
    }

    private static void attack(List<byte[]> seeds, int copies, Target target) {
        Random random = new Random(429);
        for (byte[] seed : seeds) {
            tryOn(target, seed);
            for (int i = 0; i < copies; i++) {
                tryOn(target, damaged(seed, random));
            }
        }
    }

    private static void tryOn(Target target, byte[] data) {
        assertThatCode(() -> target.run(data))
                .as(() -> "input, as ISO 8859-1: " + new String(data, StandardCharsets.ISO_8859_1))
                .doesNotThrowAnyException();
    }

    private static byte[] damaged(byte[] seed, Random random) {
        byte[] data = seed;
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(data.length + 1);
            int until = Math.min(data.length, at + random.nextInt(12));
            byte[] between = random.nextInt(3) == 0
                    ? new byte[] {(byte) random.nextInt(256)}
                    : BAITS[random.nextInt(BAITS.length)];
            byte[] next = new byte[at + between.length + data.length - until];
            System.arraycopy(data, 0, next, 0, at);
            System.arraycopy(between, 0, next, at, between.length);
            System.arraycopy(data, until, next, at + between.length, data.length - until);
            data = next;
        }
        return data;
    }

    private static List<byte[]> broke(String target) throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        if (Files.isDirectory(BROKE.resolve(target))) {
            for (Path file : files(BROKE.resolve(target), name -> true)) {
                inputs.add(Files.readAllBytes(file));
            }
        }
        return inputs;
    }

    private static List<Path> files(Path folder, Predicate<String> wanted) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> wanted.test(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }
}
