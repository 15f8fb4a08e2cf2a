package dev.why429.rules;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Names by which headers and log keys are usually known, from {@code names.yaml}. */
public final class KnownNames {
    private static final KnownNames BUILT_IN = read();

    private final Map<String, Field> headers;
    private final Map<String, String> keys;

    private KnownNames(Map<String, Field> headers, Map<String, String> keys) {
        this.headers = headers;
        this.keys = keys;
    }

    public static KnownNames builtIn() {
        return BUILT_IN;
    }

    /**
     * The same names and further headers, which win.
     *
     * @param more header name to field name, {@code x-client → api_key}
     * @throws IllegalArgumentException when there is no such field
     */
    public KnownNames withHeaders(Map<String, String> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, Field> all = new LinkedHashMap<>();
        more.forEach((name, field) ->
                all.put(name.toLowerCase(Locale.ROOT), Fields.dictionary().named(field)));
        headers.forEach(all::putIfAbsent);
        return new KnownNames(all, keys);
    }

    /** Request headers that have a column, lower-case name to field; the names asked first come first. */
    public Map<String, Field> headers() {
        return headers;
    }

    /** The column of a request header, whatever its case. */
    public Optional<Field> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    /** What a key of a {@code key=value} tail usually means: a field of the dictionary, or a word that the reader of such tails knows. */
    public Optional<String> key(String name) {
        return Optional.ofNullable(keys.get(name.toLowerCase(Locale.ROOT)));
    }

    private static KnownNames read() {
        String text = RuleFile.resource(RuleFile.ROOT + "/names.yaml")
                .orElseThrow(() -> new IllegalStateException("names.yaml is not in the jar"));
        JsonNode tree = YamlDocument.parse("rules/names.yaml", text).tree();
        Map<String, Field> headers = new LinkedHashMap<>();
        tree.path("request_headers")
                .properties()
                .forEach(entry -> entry.getValue()
                        .forEach(name ->
                                headers.put(name.asString(), Fields.dictionary().named(entry.getKey()))));
        Map<String, String> keys = new LinkedHashMap<>();
        tree.path("keys")
                .properties()
                .forEach(entry -> entry.getValue().forEach(name -> keys.put(name.asString(), entry.getKey())));
        return new KnownNames(headers, keys);
    }
}
