package dev.why429.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The dictionary of the request table and the notice table, read from {@code fields.yaml}. */
public final class Fields {
    private static final Fields DICTIONARY = read();

    private final List<Field> all;
    private final Map<String, Field> byName = new HashMap<>();

    private Fields(List<Field> all) {
        this.all = List.copyOf(all);
        all.forEach(field -> byName.put(field.name(), field));
    }

    public static Fields dictionary() {
        return DICTIONARY;
    }

    public List<Field> all() {
        return all;
    }

    public List<Field> of(Field.Table table) {
        return all.stream().filter(field -> field.in(table)).toList();
    }

    public Optional<Field> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** @throws IllegalArgumentException when there is no such field: a mistake in the program, since rule files are validated */
    public Field named(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("no field \"" + name + "\" in fields.yaml"));
    }

    private static Fields read() {
        String text = RuleFile.resource(RuleFile.ROOT + "/fields.yaml")
                .orElseThrow(() -> new IllegalStateException("fields.yaml is not in the jar"));
        List<Field> fields = new ArrayList<>();
        for (JsonNode entry : YamlDocument.parse("rules/fields.yaml", text).tree()) {
            fields.add(new Field(
                    fields.size(),
                    entry.path("name").asString(),
                    Field.Type.valueOf(constant(entry, "type")),
                    entry.path("unit").asString(""),
                    Field.Table.valueOf(constant(entry, "table")),
                    Field.Redaction.valueOf(constant(entry, "redact")),
                    entry.path("meaning").asString()));
        }
        return new Fields(fields);
    }

    private static String constant(JsonNode entry, String key) {
        return entry.path(key).asString().toUpperCase(Locale.ROOT);
    }
}
