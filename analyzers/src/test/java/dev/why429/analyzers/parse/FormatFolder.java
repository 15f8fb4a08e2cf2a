package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A folder of rules/formats with its samples, expected rows and lines to reject. */
record FormatFolder(Format format, List<Sampled> samples, List<String> rejects) {
    private static final Path FORMATS = Path.of("..", "rules", "formats");
    private static final JsonMapper JSON = JsonMapper.shared();

    /** @param patternOrId what {@link LogFormats#compile} takes to read this line */
    record Sampled(String line, String patternOrId, Optional<String> shape, Map<String, Object> row) {}

    static List<FormatFolder> all() {
        return Rulebook.builtIn().all(RuleKind.FORMAT).stream()
                .map(FormatFolder::read)
                .toList();
    }

    private static FormatFolder read(Format format) {
        Path folder = FORMATS.resolve(format.id());
        List<String> lines = lines(folder.resolve("samples.log"));
        List<String> rows = lines(folder.resolve("expected.ndjson"));
        if (lines.size() != rows.size()) {
            throw new IllegalStateException(
                    format.id() + " has " + lines.size() + " samples and " + rows.size() + " expected rows");
        }
        List<Sampled> samples = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> entry : JSON.readTree(rows.get(i)).properties()) {
                JsonNode value = entry.getValue();
                row.put(entry.getKey(), value.isNumber() ? (Object) value.asLong() : value.asString());
            }
            Object pattern = row.remove("_pattern");
            Optional<String> shape = format.patterns().stream()
                    .filter(p -> pattern == null || p.id().equals(pattern))
                    .findFirst()
                    .flatMap(Format.Pattern::shape);
            samples.add(
                    new Sampled(lines.get(i), pattern == null ? format.id() : format.id() + ":" + pattern, shape, row));
        }
        return new FormatFolder(format, samples, lines(folder.resolve("reject.log")));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a reader makes of a line: field to value, instants as RFC 3339; only the reason under {@code rejected} when it is none. */
    static Map<String, Object> read(LineReader reader, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return read(reader, bytes, 0, bytes.length);
    }

    static Map<String, Object> read(LineReader reader, byte[] bytes, int from, int to) {
        ParsedLine line = new ParsedLine();
        Map<String, Object> row = new LinkedHashMap<>();
        if (!reader.read(bytes, from, to, line)) {
            row.put("rejected", line.rejectReason());
            return row;
        }
        for (Field field : Fields.dictionary().all()) {
            int at = field.ordinal();
            if (line.has(at)) {
                row.put(
                        field.name(),
                        field.type() == Field.Type.INSTANT
                                ? Instant.EPOCH
                                        .plus(line.number(at), ChronoUnit.MICROS)
                                        .toString()
                                : line.isNumber(at) ? (Object) line.number(at) : line.text(at));
            }
        }
        return row;
    }

    @Override
    public String toString() {
        return format.id();
    }
}
