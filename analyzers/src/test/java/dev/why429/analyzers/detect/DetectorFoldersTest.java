package dev.why429.analyzers.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Detector;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every folder in {@code rules/detectors}: it fires where it says so, with its numbers, and is quiet beside it. */
class DetectorFoldersTest {
    private static final Path FOLDERS = Path.of("..", "rules", "detectors");
    private static final Rulebook RULEBOOK = Rulebook.with(List.of(Path.of("..", "rules")));

    static List<Path> folders() throws IOException {
        try (Stream<Path> folders = Files.list(FOLDERS)) {
            return folders.filter(Files::isDirectory).sorted().toList();
        }
    }

    static Stream<Story> stories() throws IOException {
        return folders().stream()
                .flatMap(folder ->
                        Stream.of("fires.yaml", "quiet.yaml").flatMap(file -> Story.of(folder, file).stream()));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void everyDetectorBringsRowsThatFireAndRowsThatStayQuiet(Path folder) {
        assertThat(Story.of(folder, "fires.yaml")).isNotEmpty();
        assertThat(Story.of(folder, "quiet.yaml")).isNotEmpty();
        assertThat(detector(folder.getFileName().toString()).title()).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("stories")
    void aStoryEndsAsItSays(Story story, @TempDir Path folder) {
        try (CaseStore store = Stage.play(folder, story.traffic(), story.then())) {
            List<Case.Finding> found = look(store, story);
            if (!story.fires()) {
                assertThat(found).isEmpty();
                return;
            }
            assertThat(found).hasSize(story.findings());
            Case.Finding first = found.get(0);
            story.numbers()
                    .forEach(
                            (name, wanted) -> assertNumber(name, first.numbers().get(name), wanted));
            detector(story.kind()).numbers().stream()
                    .filter(number -> !first.numbers().containsKey(number.name()))
                    .forEach(number ->
                            assertThat(number.name()).isIn(story.numbers().keySet()));
            assertThat(first.summary()).doesNotContain("{", "unknown");
            assertThat(first.evidence()).isNotEmpty().allMatch(id -> id.matches("F\\d+:\\d+|C\\d+"));
            assertThat(first.because()).isNotEmpty();
        }
    }

    /** Only the story's own detector: every other one has stories of its own. */
    private static List<Case.Finding> look(CaseStore store, Story story) {
        Case.Denials denials = new Case.Denials(0, Map.of(), Map.of(), List.of());
        Scene scene = new Scene(new DetectionInput(store, RULEBOOK, story.limiters(), denials, story.declared()));
        Detector detector = detector(story.kind());
        if (Needs.unmet(store, detector).isPresent()) {
            return List.of();
        }
        List<Sighting> seen = Detection.lookOf(detector).at(scene);
        return IntStream.range(0, seen.size())
                .mapToObj(i -> Wording.finding(detector, i + 1, seen.get(i), scene.denials()))
                .toList();
    }

    private static Detector detector(String id) {
        return RULEBOOK.all(RuleKind.DETECTOR).stream()
                .filter(detector -> detector.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static void assertNumber(String name, Object got, JsonNode wanted) {
        if (wanted.isNull()) {
            assertThat(got).as(name).isNull();
        } else if (wanted.isObject()) {
            double near = wanted.path("near").asDouble();
            assertThat(middle(got))
                    .as(name)
                    .isCloseTo(near, within(wanted.path("by").asDouble()));
        } else if (wanted.isNumber()) {
            assertThat(middle(got)).as(name).isEqualTo(wanted.asDouble());
        } else if (wanted.isArray()) {
            assertThat(got)
                    .as(name)
                    .isEqualTo(wanted.valueStream().map(JsonNode::asString).toList());
        } else {
            assertThat(got).as(name).hasToString(wanted.asString());
        }
    }

    private static double middle(Object got) {
        if (got instanceof Map<?, ?> map && map.size() == 1) {
            return middle(map.values().iterator().next());
        }
        if (got instanceof Interval interval) {
            return (interval.low().orElseThrow() + interval.high().orElseThrow()) / 2;
        }
        assertThat(got).isInstanceOf(Number.class);
        return ((Number) got).doubleValue();
    }
}
