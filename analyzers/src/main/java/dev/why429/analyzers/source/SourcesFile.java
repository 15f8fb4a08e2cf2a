package dev.why429.analyzers.source;

import dev.why429.analyzers.InputProblem;
import dev.why429.rules.RuleProblems;
import dev.why429.rules.YamlDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The file of {@code --sources}: {@code sources: [{path: GLOB, layer, component, node, log_format, time_zone}]}, in YAML or JSON, every key
 * but path optional, paths relative to the file.
 */
final class SourcesFile {
    private static final Set<String> KEYS = Set.of("path", "layer", "component", "node", "log_format", "time_zone");
    private static final long MAX_BYTES = 3L << 20;

    private final String name;
    private final Path folder;
    private final List<String> problems = new ArrayList<>();

    private SourcesFile(Path file) {
        name = file.toString();
        Path parent = file.toAbsolutePath().getParent();
        folder = parent == null ? file.toAbsolutePath() : parent;
    }

    /** @throws InputProblem with every fault of the file, each with its line */
    static List<Hints.Hint> read(Path file) {
        SourcesFile reader = new SourcesFile(file);
        List<Hints.Hint> hints = reader.hints(file);
        if (!reader.problems.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, reader.problems);
        }
        return hints;
    }

    private List<Hints.Hint> hints(Path file) {
        YamlDocument document;
        try {
            if (Files.size(file) > MAX_BYTES) {
                problems.add(name + ": larger than " + MAX_BYTES + " bytes; a sources file is a short list");
                return List.of();
            }
            document = YamlDocument.parse(name, Files.readString(file));
        } catch (IOException e) {
            problems.add("the sources file \"" + name + "\" cannot be read: " + why(e));
            return List.of();
        } catch (RuleProblems e) {
            e.problems().forEach(problem -> problems.add(problem.toString()));
            return List.of();
        }
        JsonNode root = document.tree();
        for (String key : root.propertyNames()) {
            if (!key.equals("sources")) {
                fault(document, "/" + key, "\"" + key + "\" is no key here; expected sources: [{path: …}]");
            }
        }
        JsonNode sources = root.path("sources");
        if (!sources.isArray()) {
            fault(document, "", "expected a list: sources: [{path: GLOB, layer: gateway}]");
            return List.of();
        }
        List<Hints.Hint> hints = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            hint(document, sources.get(i), "/sources/" + i).ifPresent(hints::add);
        }
        return hints;
    }

    private Optional<Hints.Hint> hint(YamlDocument document, JsonNode entry, String at) {
        int before = problems.size();
        if (!entry.isObject()) {
            fault(document, at, "expected {path: GLOB, …}");
            return Optional.empty();
        }
        for (String key : entry.propertyNames()) {
            String where = at + "/" + key.replace("~", "~0").replace("/", "~1");
            if (!KEYS.contains(key)) {
                fault(
                        document,
                        where,
                        "\"" + key + "\" is no key; expected path, layer, component, node, log_format or "
                                + "time_zone");
            } else if (!entry.path(key).isString() || entry.path(key).asString().isBlank()) {
                fault(document, where, "\"" + key + "\" must be a text; put it in quotes");
            }
        }
        Optional<String> path = text(entry, "path");
        if (!entry.has("path")) {
            fault(document, at, "\"path\" is missing");
        }
        Optional<String> layer = text(entry, "layer");
        layer.filter(value -> !Hints.LAYERS.contains(value))
                .ifPresent(value -> fault(
                        document,
                        at + "/layer",
                        "\"" + value + "\" is no layer; expected one of " + String.join(", ", Hints.LAYERS)));
        Optional<ZoneId> zone = text(entry, "time_zone").flatMap(value -> zone(document, at, value));
        Optional<Glob> glob = path.flatMap(value -> glob(document, at, value));
        if (problems.size() > before || glob.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Hints.Hint(
                name + ":" + document.lineOf(at),
                glob.get(),
                false,
                layer,
                text(entry, "component"),
                text(entry, "node"),
                text(entry, "log_format"),
                zone));
    }

    private Optional<ZoneId> zone(YamlDocument document, String at, String value) {
        try {
            return Optional.of(ZoneId.of(value));
        } catch (DateTimeException e) {
            fault(
                    document,
                    at + "/time_zone",
                    "\"" + value + "\" is no time zone; expected an offset as \"+07:00\" or a name as Asia/Bangkok");
            return Optional.empty();
        }
    }

    private Optional<Glob> glob(YamlDocument document, String at, String value) {
        try {
            return Optional.of(Glob.of(value, folder));
        } catch (IllegalArgumentException e) {
            fault(document, at + "/path", "\"" + value + "\" is no glob: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<String> text(JsonNode entry, String key) {
        JsonNode value = entry.path(key);
        return value.isString() && !value.asString().isBlank() ? Optional.of(value.asString()) : Optional.empty();
    }

    private void fault(YamlDocument document, String pointer, String message) {
        problems.add(name + ":" + document.lineOf(pointer) + ": " + message);
    }

    private static String why(IOException e) {
        return e instanceof java.nio.file.NoSuchFileException ? "no such file" : String.valueOf(e.getMessage());
    }
}
