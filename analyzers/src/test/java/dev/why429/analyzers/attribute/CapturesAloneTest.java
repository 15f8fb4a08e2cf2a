package dev.why429.analyzers.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.attribute.FingerprintSet.Recognition;
import dev.why429.analyzers.capture.CaptureReader;
import dev.why429.analyzers.capture.CapturedResponse;
import dev.why429.rules.Rulebook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The captures of the sample incidents, each judged by its looks alone, against who really denied it. */
class CapturesAloneTest {
    private static final Path INCIDENTS = Path.of("..", "sample-logs", "incidents");
    private static final FingerprintSet SET = FingerprintSet.of(Rulebook.builtIn());
    private static final JsonMapper JSON = JsonMapper.shared();

    /** What truth files call a place, and the layer that it is. */
    private static final Map<String, String> LAYERS = Map.of(
            "edge", "gateway",
            "lb", "gateway",
            "haproxy", "gateway",
            "gateway_backend_error", "gateway",
            "app_limiter_error", "app");

    @Test
    void aCaptureIsGivenToTheLayerThatDeniedItOrToNone() throws IOException {
        Map<String, Integer> tally = new TreeMap<>();
        try (Stream<Path> stories = Files.list(INCIDENTS)) {
            for (Path story : stories.filter(Files::isDirectory).sorted().toList()) {
                judge(story, tally);
            }
        }
        assertThat(tally.keySet()).as("none is wrong: %s", tally).containsOnly("quiet", "right", "unnamed");
        // what stays unnamed are the operators' own texts, by which no software is known
        assertThat(tally.get("right")).as("%s", tally).isGreaterThan(3 * tally.get("unnamed"));
    }

    private static void judge(Path story, Map<String, Integer> tally) throws IOException {
        Path file = story.resolve("captures").resolve("captures.ndjson");
        JsonNode truth =
                JSON.readTree(Files.readString(story.resolve("truth.json"))).path("captures_denied_by");
        if (!Files.exists(file)) {
            return;
        }
        List<CapturedResponse> captures;
        try (InputStream in = Files.newInputStream(file)) {
            captures = CaptureReader.read(in, file.toString()).responses();
        }
        assertThat(captures).as("%s", file).hasSize(truth.size());
        for (int i = 0; i < captures.size(); i++) {
            String denier = truth.get(i).asString();
            tally.merge(verdict(captures.get(i), LAYERS.getOrDefault(denier, denier), story), 1, Integer::sum);
        }
    }

    private static String verdict(CapturedResponse capture, String layer, Path story) {
        ObjectNode headers = JSON.createObjectNode();
        capture.responseHeaders().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        Optional<Recognition> seen = SET.recognise(capture.status(), headers, capture.body())
                .filter(r -> r.confidence() >= Judgement.ENOUGH);
        if (layer.isEmpty()) {
            return capture.status() != 429 ? "quiet" : "denied, they say by nobody, in " + story;
        }
        return seen.map(r -> r.fingerprint().layer().equals(layer)
                        ? "right"
                        : "denied by " + layer + ", taken for "
                                + r.fingerprint().id() + " in " + story)
                .orElse("unnamed");
    }
}
