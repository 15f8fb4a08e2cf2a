package dev.why429.rules;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Names by which headers and log keys are usually known, from {@code names.yaml}. */
public final class KnownNames {
    /** What loggers put before the name of a response header: {@code sent_http_retry_after}, {@code downstream_Retry-After}. */
    private static final java.util.regex.Pattern LOGGED_HEADER =
            java.util.regex.Pattern.compile("^(?:downstream|sent-http|resp|res|response|header)-");

    private static final KnownNames BUILT_IN = read();

    private final Map<String, Field> headers;
    private final Map<String, String> keys;
    private final Map<String, String> quotas;
    private final Map<String, String> line;
    private final Map<String, String> limiter;
    private final Map<String, String> files;

    private KnownNames(Map<String, Field> headers, JsonNode tree) {
        this(
                headers,
                words(tree.path("keys"), false),
                words(tree.path("quota_keys"), true),
                words(tree.path("line_keys"), true),
                words(tree.path("limiter_keys"), true),
                words(tree.path("file_names"), false));
    }

    private KnownNames(
            Map<String, Field> headers,
            Map<String, String> keys,
            Map<String, String> quotas,
            Map<String, String> line,
            Map<String, String> limiter,
            Map<String, String> files) {
        this.headers = headers;
        this.keys = keys;
        this.quotas = quotas;
        this.line = line;
        this.limiter = limiter;
        this.files = files;
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
        return new KnownNames(all, keys, quotas, line, limiter, files);
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

    /** The response header whose value a key holds: {@code rl_remaining → x-ratelimit-remaining}, {@code RateLimit-Limit → ratelimit-limit}. */
    public Optional<String> quotaHeader(String name) {
        String lower = LOGGED_HEADER
                .matcher(name.toLowerCase(Locale.ROOT).replace('_', '-'))
                .replaceFirst("");
        if (lower.contains("ratelimit") || lower.contains("rate-limit") || lower.contains("retry-after")) {
            return Optional.of(lower);
        }
        String loose = loose(name);
        return loose.equals("retryafter") ? Optional.of("retry-after") : Optional.ofNullable(quotas.get(loose));
    }

    /** What a key of a line means whose writer decided its names; see {@code line_keys}. */
    public Optional<String> lineKey(String name) {
        return Optional.ofNullable(line.get(loose(name)));
    }

    /** What a key of a limiter's own line means; see {@code limiter_keys}. */
    public Optional<String> limiterKey(String name) {
        return Optional.ofNullable(limiter.get(loose(name)));
    }

    /** The layer that a word of a file's name speaks of: {@code kong → gateway}. */
    public Optional<String> layerOfFileName(String word) {
        return Optional.ofNullable(files.get(word.toLowerCase(Locale.ROOT)));
    }

    private static String loose(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
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
        return new KnownNames(headers, tree);
    }

    private static Map<String, String> words(JsonNode meanings, boolean loose) {
        Map<String, String> words = new LinkedHashMap<>();
        meanings.properties()
                .forEach(entry -> entry.getValue()
                        .forEach(name ->
                                words.putIfAbsent(loose ? loose(name.asString()) : name.asString(), entry.getKey())));
        return words;
    }
}
