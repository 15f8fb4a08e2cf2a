package dev.why429.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * How the lines of one server's log are written.
 *
 * @param components names that a person may call the server by, the usual one first; empty for a format that many servers write
 * @param layer where such a server usually stands; {@code unknown} when that says nothing
 * @param stampAtStart whether the stamp marks the request's arrival (else the end of its response), where a token does not say otherwise
 * @param syslogPrefix whether a line may come with the head that syslog puts before it
 * @param generic whether the format fits lines of many writers and is only asked when nothing else fits
 * @param keepsUnknown for JSON: whether keys that no path names are kept, since whoever runs the server chooses them
 * @param unit the unit of a bare whole number that ends a line of common or combined, where this server writes only that there
 * @param markers for JSON: of each group, at least one path must be in the line
 * @param absent for JSON: paths that only another's lines have
 */
public record Format(
        String id,
        String title,
        Reading reading,
        List<String> components,
        String layer,
        Field.Table table,
        boolean stampAtStart,
        boolean syslogPrefix,
        boolean generic,
        boolean keepsUnknown,
        Optional<Unit> unit,
        Spelling spelling,
        Escaping escaping,
        List<Token> tokens,
        List<Pattern> patterns,
        List<JsonField> json,
        List<List<String>> markers,
        List<String> absent,
        Optional<Expressions> expressions,
        Optional<Advice> advice) {

    /** Ways of taking lines apart. */
    public enum Reading {
        TEXT,
        JSON,
        REGEX,
        /** words and {@code key=value} pairs in any order after a time and a level */
        WORDS,
        /** columns that a {@code #Fields:} line names; a column marked as bracketed shows whose log it is */
        W3C,
        /** free text, perhaps after a time */
        NOTE,
        /** a key and its count */
        KEY_COUNT
    }

    /** How a server spells tokens in its own log format setting. */
    public enum Spelling {
        /** nginx: {@code $remote_addr} */
        DOLLAR,
        /** Apache, Tomcat, varnishncsa: {@code %h %>s %{Referer}i} */
        PERCENT,
        /** HAProxy: {@code %ci %{+Q}r %[src]} */
        PERCENT_WORD,
        /** gunicorn: {@code %(h)s} */
        PERCENT_PAREN,
        /** morgan: {@code :remote-addr :req[x-api-key]} */
        COLON
    }

    /** What stands for a byte that would end the value too early. */
    public enum Escaping {
        NONE,
        /** a backslash with x and two hexadecimal digits, with u and four, or with the byte itself */
        BACKSLASH,
        /** HAProxy: {@code #22} */
        HASH
    }

    /** What a value is, and so how it is read. */
    public enum Value {
        TEXT,
        PATH,
        QUERY,
        ADDRESS,
        PORT,
        INTEGER,
        STATUS,
        DURATION,
        DURATION_LIST,
        STAMP,
        REQUEST_LINE,
        METHOD,
        PROTOCOL,
        HTTP_VERSION,
        LIST,
        REQUEST_HEADER,
        RESPONSE_HEADER,
        CAPTURES,
        SERVER,
        MILLI,
        /** a target without the slash that it begins with */
        RELATIVE_PATH,
        /** a word for what a limiter or firewall did: {@code BLOCK}, {@code ALLOW} */
        DECISION,
        /** kept under its token's name beside the columns */
        OTHER,
        SKIP
    }

    /** Unit of a number that is a time. */
    public enum Unit {
        S,
        MS,
        US,
        NS
    }

    /**
     * One word of a server's format string.
     *
     * @param token its name; a trailing {@code *} stands for the rest of the name
     * @param field column that the value goes to; empty for a value that has several ({@code request_line}) or none
     * @param atStart for stamps: whether it marks the arrival; empty: as the format says
     * @param bracketed whether the server writes brackets around the value by itself
     */
    public record Token(
            String token,
            Value value,
            Optional<Field> field,
            Optional<Unit> unit,
            Optional<Boolean> atStart,
            boolean bracketed) {}

    /**
     * A well-known format string.
     *
     * @param shape patterns of one shape write the same bytes: only a person can tell them apart
     * @param onlyWhenNamed whether its lines cannot show the unit of a number, so that it is used only when the component is known
     */
    public record Pattern(String id, String pattern, Optional<String> shape, boolean onlyWhenNamed) {}

    /**
     * A column and where it lies in a JSON line.
     *
     * @param paths keys joined by dots, the best first
     */
    public record JsonField(
            Optional<Field> field,
            Value value,
            Optional<Unit> unit,
            Optional<Boolean> atStart,
            Optional<Long> resolutionMicros,
            List<String> paths) {}

    /**
     * Lines that are told apart by regular expressions (RE2 syntax); named groups are token names.
     *
     * @param before what every alternative begins with
     * @param after what every alternative ends with
     */
    public record Expressions(String before, String after, List<Alternative> alternatives) {}

    /**
     * @param contains words of which a line that fits has one: looked for first, since that costs next to nothing; empty when unknown
     * @param kind for a notice: its kind
     */
    public record Alternative(String pattern, List<String> contains, Optional<String> kind) {}

    /**
     * What to write into the server's configuration so that its log says more.
     *
     * @param setting the whole setting, to be copied
     */
    public record Advice(String setting) {}

    static Format from(RuleFile file, YamlDocument document, List<RuleProblem> problems) {
        return new FormatBinder(file, document, problems).bind();
    }

    /** Reads the document; it is valid against the schema. */
    private record FormatBinder(RuleFile file, YamlDocument document, List<RuleProblem> problems) {
        Format bind() {
            JsonNode tree = document.tree();
            List<Token> tokens = new ArrayList<>();
            List<JsonField> json = new ArrayList<>();
            List<Pattern> patterns = new ArrayList<>();
            JsonNode tokenNodes = tree.path("tokens");
            for (int i = 0; i < tokenNodes.size(); i++) {
                JsonNode node = tokenNodes.get(i);
                tokens.add(new Token(
                        node.path("token").asString(),
                        value(node),
                        field(node, "/tokens/" + i),
                        unit(node),
                        atStart(node),
                        node.path("bracketed").asBoolean(false)));
            }
            JsonNode jsonNodes = tree.path("json");
            for (int i = 0; i < jsonNodes.size(); i++) {
                JsonNode node = jsonNodes.get(i);
                json.add(new JsonField(
                        field(node, "/json/" + i),
                        value(node),
                        unit(node),
                        atStart(node),
                        node.has("resolution_micros")
                                ? Optional.of(node.path("resolution_micros").asLong())
                                : Optional.empty(),
                        strings(node.path("paths"))));
            }
            for (JsonNode node : tree.path("patterns")) {
                patterns.add(new Pattern(
                        node.path("id").asString(),
                        node.path("pattern").asString(),
                        optional(node, "shape"),
                        node.path("only_when_named").asBoolean(false)));
            }
            List<List<String>> markers = new ArrayList<>();
            tree.path("markers").forEach(group -> markers.add(strings(group)));
            return new Format(
                    file.id(),
                    tree.path("title").asString(),
                    Reading.valueOf(upper(tree, "reading")),
                    strings(tree.path("components")),
                    tree.path("layer").asString(),
                    Field.Table.valueOf(upper(tree, "table")),
                    tree.path("time_means").asString().equals("start"),
                    tree.path("syslog_prefix").asBoolean(false),
                    tree.path("generic").asBoolean(false),
                    tree.path("keeps_unknown").asBoolean(false),
                    optional(tree, "last_number").map(FormatBinder::unit),
                    tree.has("spelling") ? Spelling.valueOf(upper(tree, "spelling")) : Spelling.PERCENT,
                    tree.has("escaping") ? Escaping.valueOf(upper(tree, "escaping")) : Escaping.NONE,
                    List.copyOf(tokens),
                    List.copyOf(patterns),
                    List.copyOf(json),
                    List.copyOf(markers),
                    strings(tree.path("absent")),
                    expressions(tree.path("expressions")),
                    optional(tree, "advice").map(Advice::new));
        }

        private static Optional<Expressions> expressions(JsonNode node) {
            if (!node.isObject()) {
                return Optional.empty();
            }
            List<Alternative> alternatives = new ArrayList<>();
            for (JsonNode one : node.path("alternatives")) {
                List<String> contains = new ArrayList<>();
                one.path("contains").forEach(word -> contains.add(word.asString()));
                alternatives.add(new Alternative(one.path("pattern").asString(), contains, optional(one, "kind")));
            }
            return Optional.of(new Expressions(
                    node.path("before").asString(), node.path("after").asString(), alternatives));
        }

        private Optional<Field> field(JsonNode node, String pointer) {
            if (!node.has("field")) {
                return Optional.empty();
            }
            String name = node.path("field").asString();
            Optional<Field> field = Fields.dictionary().find(name);
            if (field.isEmpty()) {
                problems.add(new RuleProblem(
                        file.path(),
                        document.lineOf(pointer + "/field"),
                        "no field \"" + name + "\"; fields.yaml lists them"));
            }
            return field;
        }

        private static Value value(JsonNode node) {
            return Value.valueOf(node.path("value").asString("text").toUpperCase(Locale.ROOT));
        }

        private static Unit unit(String text) {
            return Unit.valueOf(text.toUpperCase(Locale.ROOT));
        }

        private static Optional<Unit> unit(JsonNode node) {
            return optional(node, "unit").map(FormatBinder::unit);
        }

        private static Optional<Boolean> atStart(JsonNode node) {
            return optional(node, "means").map("start"::equals);
        }

        private static Optional<String> optional(JsonNode node, String key) {
            return node.has(key) ? Optional.of(node.path(key).asString()) : Optional.empty();
        }

        private static String upper(JsonNode node, String key) {
            return node.path(key).asString().toUpperCase(Locale.ROOT);
        }

        private static List<String> strings(JsonNode node) {
            List<String> all = new ArrayList<>();
            node.forEach(one -> all.add(one.asString()));
            return List.copyOf(all);
        }
    }
}
