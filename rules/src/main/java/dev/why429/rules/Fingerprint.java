package dev.why429.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * By what one piece of software is recognised as the one that denied a request.
 *
 * @param id folder of the rule, {@code express-rate-limit}
 * @param layer cdn, gateway, app or third_party: the folder above it
 * @param component how the result names it
 * @param reason limit, limiter_error, backend_error or not_a_limit
 * @param statuses what it answers; the first is its default
 * @param servers words of which one must be part of a log's component or format before the log markers are looked at; empty: any log of the layer
 * @param sources where the knowledge is from
 */
public record Fingerprint(
        String id,
        String layer,
        String component,
        String reason,
        List<Integer> statuses,
        List<String> servers,
        List<Marker> markers,
        List<String> sources) {
    /** A weight at or above this is a claim of certainty. */
    public static final double CERTAIN = 0.9;

    /** What is only remembered and was never checked counts less. */
    private static final double MEMORY = 0.7;

    /** Where a marker is looked for. */
    public enum Place {
        /** a column of the request table */
        LOG,
        /** a column of the limiter's notice about the same request */
        NOTICE,
        /** a response header, logged or captured */
        HEADER,
        /** the captured body */
        BODY,
        /** what the layers together say: generated, passed_on, … */
        FACT
    }

    /**
     * @param place where to look
     * @param name column, header (lower case) or fact; empty for the body
     * @param pattern RE2, found anywhere in the value unless anchored
     * @param absent hits where the header or column is not there
     * @param against speaks against this fingerprint
     * @param denies a log line that bears it is a denial whatever its status
     * @param weight how much one hit convinces, 0 to 1, already lowered where the knowledge is from memory
     */
    public record Marker(
            Place place,
            String name,
            Optional<String> pattern,
            boolean absent,
            boolean against,
            boolean denies,
            double weight) {
        /** The marker in words: {@code header ratelimit is "limit=…, remaining=0"}. */
        public String text() {
            String where = place == Place.BODY
                    ? "body"
                    : place == Place.LOG || place == Place.FACT
                            ? name
                            : place.name().toLowerCase(Locale.ROOT) + " " + name;
            return absent
                    ? "no " + where
                    : where + pattern.map(p -> " " + PatternWords.of(p)).orElse("");
        }
    }

    static Fingerprint from(RuleFile file, YamlDocument document, List<RuleProblem> problems) {
        JsonNode tree = document.tree();
        List<Marker> markers = new ArrayList<>();
        int index = 0;
        for (JsonNode node : tree.path("markers")) {
            markers.add(marker(node));
            check(file, document, index, markers.get(index), problems);
            index++;
        }
        String layerFolder = file.folder().substring(0, file.folder().lastIndexOf('/'));
        return new Fingerprint(
                file.id(),
                layerFolder.substring(layerFolder.lastIndexOf('/') + 1),
                tree.path("component").asString(""),
                tree.path("reason").asString("limit"),
                numbers(tree.path("statuses")),
                texts(tree.path("servers")),
                List.copyOf(markers),
                texts(tree.path("sources")));
    }

    private static void check(
            RuleFile file, YamlDocument document, int index, Marker marker, List<RuleProblem> problems) {
        int line = document.lineOf("/markers/" + index);
        Field.Table table = marker.place() == Place.LOG ? Field.Table.REQUESTS : Field.Table.NOTICES;
        boolean column = marker.place() == Place.LOG || marker.place() == Place.NOTICE;
        if (column
                && Fields.dictionary()
                        .find(marker.name())
                        .filter(field -> field.in(table))
                        .isEmpty()) {
            problems.add(new RuleProblem(
                    file.path(),
                    line,
                    "no column \"" + marker.name() + "\" of the " + table.name().toLowerCase(Locale.ROOT)
                            + " table in fields.yaml"));
        }
        if (!marker.name().equals(marker.name().toLowerCase(Locale.ROOT))) {
            problems.add(new RuleProblem(file.path(), line, "\"" + marker.name() + "\" must be written in lower case"));
        }
        if (marker.denies() && !column) {
            problems.add(new RuleProblem(
                    file.path(), line, "only a marker in the log or in a notice can say that a line is a denial"));
        }
    }

    private static Marker marker(JsonNode node) {
        boolean remembered = node.path("known_from").asString("").equals("memory");
        double weight = node.path("weight").asDouble(0);
        return new Marker(
                Place.valueOf(node.path("in").asString().toUpperCase(Locale.ROOT)),
                node.path("name").asString(""),
                Optional.ofNullable(node.get("matches")).map(JsonNode::asString),
                node.path("absent").asBoolean(false),
                node.path("against").asBoolean(false),
                node.path("denies").asBoolean(false),
                remembered ? weight * MEMORY : weight);
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        node.forEach(item -> texts.add(item.asString()));
        return List.copyOf(texts);
    }

    private static List<Integer> numbers(JsonNode node) {
        List<Integer> numbers = new ArrayList<>();
        node.forEach(item -> numbers.add(item.asInt()));
        return List.copyOf(numbers);
    }
}
