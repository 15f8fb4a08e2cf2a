package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole program on each story of {@code sample-logs/incidents}, against what really happened ({@code truth.json}) and against the answer
 * that was read and found good ({@code expected/answer.txt}). After a wanted change, {@code -Dwhy429.write.expected=true} writes the answers
 * anew: read the difference before committing it.
 */
class IncidentsTest {
    private static final Path STORIES = Path.of("..", "sample-logs", "incidents");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Calibration CALIBRATION = new Calibration();

    /** Always the same, since how long a path is decides where a line of the answer is cut. */
    private final Path folder = Path.of("target", "story");

    static Stream<String> stories() throws IOException {
        try (Stream<Path> found = Files.list(STORIES)) {
            return found
                    .filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("stories")
    @DisplayName("the story is told as it happened")
    void tellsTheStory(String story) throws IOException {
        Path incident = STORIES.resolve(story);
        String answer = investigate(incident);
        JsonNode found = JSON.readTree(Files.readString(folder.resolve("case").resolve("case.json")));
        JsonNode truth = JSON.readTree(Files.readString(incident.resolve("truth.json")));

        everyLineIsAccountedFor(found);
        eachDenialIsGivenToItsLayer(found, truth);
        CALIBRATION.add(found, truth);
        assertThat(kinds(found)).as("causes found").containsAll(texts(truth.path("faults"), "kind"));
        assertThat(kinds(found)).as("causes that were not there").doesNotContainAnyElementsOf(forbidden(truth));
        assertThat(Files.size(folder.resolve("case").resolve("report.html"))).isBetween(5_000L, 3_000_000L);
        sameAsExpected(incident.resolve("expected").resolve("answer.txt"), answer);
    }

    @AfterAll
    static void confidenceMeansWhatItSays(TestReporter reporter) {
        reporter.publishEntry("calibration", CALIBRATION.table());
        assertThat(CALIBRATION.rightOf(0.9)).as(CALIBRATION.table()).isGreaterThanOrEqualTo(0.97);
    }

    private String investigate(Path incident) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        String place = folder.resolve("case").toString();
        int code = Main.run(
                terminal,
                "investigate",
                incident.resolve("logs").toString(),
                incident.resolve("captures").toString(),
                "--sources",
                incident.resolve("sources.yaml").toString(),
                "--redact",
                "off",
                "--force",
                "-o",
                place);
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        return out.toString(StandardCharsets.UTF_8).replace(place, "CASE");
    }

    private static void everyLineIsAccountedFor(JsonNode found) {
        for (JsonNode input : found.path("inputs")) {
            assertThat(input.path("requests").asLong()
                            + input.path("notices").asLong()
                            + input.path("rejected").asLong())
                    .as(input.path("path").asString())
                    .isEqualTo(input.path("lines").asLong())
                    .isPositive();
        }
    }

    private static void eachDenialIsGivenToItsLayer(JsonNode found, JsonNode truth) {
        Map<String, Long> layers = new TreeMap<>();
        Map<String, Long> reasons = new TreeMap<>();
        for (JsonNode denial : truth.path("denials")) {
            if (denial.has("layer")) {
                String layer = denial.path("layer").asString();
                String named = layer.equals("edge") || layer.equals("lb") ? "gateway" : layer;
                layers.merge(named, denial.path("count").asLong(), Long::sum);
                reasons.merge(
                        denial.path("reason").asString(), denial.path("count").asLong(), Long::sum);
            }
        }
        Map<String, Long> layersFound = new TreeMap<>();
        found.path("denials")
                .path("by_layer")
                .properties()
                .forEach(e -> layersFound.put(e.getKey(), e.getValue().asLong()));
        Map<String, Long> reasonsFound = new TreeMap<>();
        for (JsonNode c : found.path("denials").path("classes")) {
            reasonsFound.merge(c.path("reason").asString(), c.path("count").asLong(), Long::sum);
        }
        alike(layersFound, layers, "layers");
        alike(reasonsFound, reasons, "reasons");
        long hidden = 0;
        for (JsonNode count : found.path("denials").path("hidden_by_layer")) {
            hidden += count.asLong();
        }
        assertThat(hidden)
                .as("hidden denials")
                .isEqualTo(truth.path("hidden_denials").path("count").asLong(0));
    }

    /** Equal but for one request in fifty: a few lie at the edge of an outage. */
    private static void alike(Map<String, Long> found, Map<String, Long> wanted, String what) {
        assertThat(found.keySet()).as(what).isEqualTo(wanted.keySet());
        wanted.forEach((name, count) ->
                assertThat(found.get(name)).as(what + " " + name).isCloseTo(count, within(Math.max(1, count / 50))));
    }

    private static List<String> kinds(JsonNode found) {
        return texts(found.path("findings"), "kind");
    }

    private static List<String> forbidden(JsonNode truth) {
        List<String> kinds = new ArrayList<>();
        truth.path("must_not_report").forEach(kind -> kinds.add(kind.asString()));
        truth.path("may_report").forEach(kind -> kinds.remove(kind.asString()));
        kinds.removeAll(texts(truth.path("faults"), "kind"));
        return kinds;
    }

    private static List<String> texts(JsonNode list, String name) {
        List<String> values = new ArrayList<>();
        list.forEach(entry -> values.add(entry.path(name).asString()));
        return values;
    }

    private static void sameAsExpected(Path expected, String answer) throws IOException {
        if (Boolean.getBoolean("why429.write.expected")) {
            Files.createDirectories(expected.getParent());
            Files.writeString(expected, answer);
        }
        assertThat(answer).as(expected.toString()).isEqualTo(Files.readString(expected));
    }
}
