package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.rules.YamlDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One story of a detector's {@code fires.yaml} or {@code quiet.yaml}.
 *
 * @param traffic statements that fill the table {@code traffic} of {@link Stage}
 * @param then statements for what traffic does not say
 * @param numbers what the finding must carry: the number itself, or {@code {near, by}}
 */
record Story(
        String kind,
        boolean fires,
        String title,
        String traffic,
        String then,
        List<Case.Limiter> limiters,
        List<String> declared,
        Map<String, JsonNode> numbers,
        int findings) {

    static List<Story> of(Path folder, String file) {
        try {
            Path path = folder.resolve(file);
            JsonNode tree =
                    YamlDocument.parse(path.toString(), Files.readString(path)).tree();
            String kind = folder.getFileName().toString();
            boolean fires = file.startsWith("fires");
            return tree.valueStream().map(node -> of(kind, fires, node)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Story of(String kind, boolean fires, JsonNode node) {
        Map<String, JsonNode> numbers = new java.util.LinkedHashMap<>();
        node.path("numbers").properties().forEach(entry -> numbers.put(entry.getKey(), entry.getValue()));
        return new Story(
                kind,
                fires,
                node.path("story").asString(),
                node.path("traffic").asString(),
                node.path("then").asString(""),
                node.path("limiters").valueStream().map(Story::limiter).toList(),
                node.path("declared").valueStream().map(JsonNode::asString).toList(),
                numbers,
                node.path("findings").asInt(1));
    }

    private static Case.Limiter limiter(JsonNode node) {
        return new Case.Limiter(
                node.path("id").asString("L1"),
                node.path("layer").asString("app"),
                node.path("component").asString("express-rate-limit"),
                node.path("algorithm").asString("fixed_window"),
                List.of(),
                texts(node.path("key")),
                List.of(),
                node.path("scope").asString("shared"),
                Optional.of(node.path("nodes").asInt(1)),
                exactly(node.path("limit")),
                exactly(node.path("window_seconds")),
                exactly(node.path("rate_per_second")),
                exactly(node.path("burst")),
                node.path("alignment").asString("clock"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                node.has("cost")
                        ? Optional.of(Map.of("/export", node.path("cost").asDouble()))
                        : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                100,
                0,
                1.0,
                Optional.empty(),
                List.of(),
                List.of(),
                Instant.parse("2026-03-01T12:00:00Z")
                        .plusSeconds(node.path("from_second").asInt(-3600)),
                Instant.parse("2026-03-01T12:00:00Z")
                        .plusSeconds(node.path("to_second").asInt(86400)));
    }

    private static List<String> texts(JsonNode node) {
        return node.valueStream().map(JsonNode::asString).toList();
    }

    private static Optional<Interval> exactly(JsonNode node) {
        return node.isNumber() ? Optional.of(Interval.exactly(node.asDouble())) : Optional.empty();
    }

    @Override
    public String toString() {
        return kind + (fires ? " fires: " : " is quiet: ") + title;
    }
}
