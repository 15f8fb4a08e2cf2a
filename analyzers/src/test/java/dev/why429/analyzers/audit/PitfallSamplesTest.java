package dev.why429.analyzers.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.rules.Pitfall.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every pitfall's folder: its bad samples are found where expected.txt says, its ok samples stay quiet, for this pitfall and for all others. */
class PitfallSamplesTest {
    private static final dev.why429.rules.Rulebook RULES = dev.why429.rules.Rulebook.builtIn();
    private static final Path PITFALLS = Path.of("..", "rules", "pitfalls");

    static Stream<Path> folders() throws IOException {
        try (Stream<Path> walk = Files.walk(PITFALLS, 2)) {
            return walk.filter(p -> PITFALLS.relativize(p).getNameCount() == 2).sorted().toList().stream();
        }
    }

    static Stream<Path> samples() throws IOException {
        return folders().flatMap(folder -> samples(folder, "ok-").stream());
    }

    @ParameterizedTest
    @MethodSource("folders")
    void bad_samples_are_found_where_expected(Path folder) throws IOException {
        String id = folder.getFileName().toString();
        Path expected = folder.resolve("expected.txt");
        Set<String> wanted = new TreeSet<>(Files.exists(expected) ? Files.readAllLines(expected) : List.of());
        Set<String> found = new TreeSet<>();
        for (Path sample : samples(folder, "bad-")) {
            for (AuditFinding finding : audit(sample).findings()) {
                if (finding.rule().id().equals(id)) {
                    found.add(folder.relativize(sample) + inside(sample, finding));
                }
            }
        }
        assertThat(found).isEqualTo(wanted);
        assertThat(samples(folder, "bad-"))
                .as("every bad sample is found somewhere")
                .allMatch(sample -> found.stream()
                        .anyMatch(place -> place.startsWith(folder.relativize(sample) + "/")
                                || place.startsWith(folder.relativize(sample) + ":")));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void ok_samples_stay_quiet_for_every_pitfall(Path sample) throws IOException {
        List<String> loud = audit(sample).findings().stream()
                .filter(f -> f.severity() == Severity.HIGH || f.severity() == Severity.MEDIUM)
                .map(f -> f.rule().id() + " " + f.place())
                .toList();
        assertThat(loud).isEmpty();
    }

    private static String inside(Path sample, AuditFinding finding) {
        return Files.isDirectory(sample)
                ? "/" + finding.place()
                : ":" + finding.place().line();
    }

    private static AuditReport audit(Path sample) throws IOException {
        Path root = Files.isDirectory(sample) ? sample : sample.getParent();
        List<Path> paths = Files.isDirectory(sample) ? List.of() : List.of(sample.getFileName());
        return AuditRun.run(AuditRequest.of(root).withPaths(paths), RULES);
    }

    private static List<Path> samples(Path folder, String prefix) {
        try (Stream<Path> list = Files.list(folder)) {
            return list.filter(p -> p.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
