package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.LogFormat.TimeMeans;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Advice;
import dev.why429.rules.Format.Pattern;
import dev.why429.rules.Format.Reading;
import dev.why429.rules.Format.Spelling;
import dev.why429.rules.KnownNames;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Makes formats from what {@code rules/formats} describes and from format strings that people give. */
public final class LogFormats {
    static final String UNKNOWN = "unknown";
    private static final List<Reading> LAST_RESORTS = List.of(Reading.WORDS, Reading.KEY_COUNT, Reading.NOTE);
    private static final java.util.Set<String> NOT_IN_WORDS =
            java.util.Set.of("limit_status", "termination_state", "response_flags", "request_headers");
    private static final java.util.regex.Pattern NGINX_DIRECTIVE = java.util.regex.Pattern.compile(
            "^\\s*log_format\\s+\\S+\\s+(?:escape=\\w+\\s+)?(['\"].*)$", java.util.regex.Pattern.DOTALL);
    private static final java.util.regex.Pattern HAPROXY_WORD =
            java.util.regex.Pattern.compile("%(?:\\{[-+QX,]+})?(?:ci|tr|trl|trg|ST|HM|HU|tsc|TR|ft|\\[)");

    private final List<Format> formats;

    private LogFormats(List<Format> formats) {
        this.formats = formats;
    }

    public static LogFormats builtIn() {
        return of(Rulebook.builtIn());
    }

    /** The formats of a rulebook, those of a person's own folders too. */
    public static LogFormats of(Rulebook rulebook) {
        return new LogFormats(rulebook.all(RuleKind.FORMAT));
    }

    /**
     * One way of reading that detection may try.
     *
     * @param named whether the hint names a component that writes this format
     */
    record Candidate(Format format, Optional<Pattern> pattern, boolean named, LogFormat compiled) {}

    List<Candidate> candidates(FormatHint hint) {
        List<Candidate> all = new ArrayList<>();
        for (Format format : formats) {
            boolean named = names(format, hint);
            if (LAST_RESORTS.contains(format.reading())) {
                continue;
            }
            if (format.reading() != Reading.TEXT) {
                all.add(new Candidate(format, Optional.empty(), named, compile(format, Optional.empty(), hint)));
                continue;
            }
            for (Pattern pattern : format.patterns()) {
                if (named || !pattern.onlyWhenNamed()) {
                    all.add(new Candidate(
                            format,
                            Optional.of(pattern),
                            named,
                            compile(format, Optional.of(pattern.pattern()), hint)));
                }
            }
        }
        return all;
    }

    /** Ways of reading what no format of a server fits, the one that gets most out of a line first. */
    List<LogFormat> lastResorts(FormatHint hint) {
        return LAST_RESORTS.stream()
                .flatMap(reading -> formats.stream().filter(format -> format.reading() == reading))
                .map(format -> compile(format, Optional.empty(), hint))
                .toList();
    }

    /**
     * Makes a format from a server's own format string ({@code $remote_addr …}, {@code %h …}, {@code :remote-addr …}), from the id of a
     * format ({@code pino-http}), or from the id of one of its patterns ({@code apache:vhost_combined}).
     *
     * @throws IllegalArgumentException one sentence that says what is wrong with it, and where
     */
    public LogFormat compile(String patternOrId, FormatHint hint) {
        String given = patternOrId.strip();
        String[] parts = given.split(":", 2);
        for (Format format : formats) {
            if (!format.id().equals(parts[0])) {
                continue;
            }
            if (format.reading() != Reading.TEXT) {
                return compile(format, Optional.empty(), hint);
            }
            Pattern pattern = format.patterns().stream()
                    .filter(p -> parts.length == 1 || p.id().equals(parts[1]))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("format \"" + format.id()
                            + "\" has no pattern \"" + parts[1] + "\"; it has "
                            + format.patterns().stream().map(Pattern::id).toList()));
            return compile(format, Optional.of(pattern.pattern()), hint);
        }
        Format family = family(given, hint);
        return compile(family, Optional.of(nginxDirective(given)), hint);
    }

    /** The setting that makes the server's log say what this format's lines lack; empty when none is known. */
    public Optional<String> advice(LogFormat format) {
        if (format.missing().isEmpty()) {
            return Optional.empty();
        }
        FormatHint byComponent = FormatHint.none().withComponent(format.component());
        return formats.stream()
                .filter(f -> f.id().equals(format.id()) || names(f, byComponent))
                .flatMap(f -> f.advice().stream())
                .map(Advice::setting)
                .findFirst();
    }

    /** Whether the hint's component is one that writes this format. */
    static boolean names(Format format, FormatHint hint) {
        String said = hint.component().orElse("").toLowerCase(Locale.ROOT);
        List<String> words = Arrays.asList(said.split("[^a-z0-9.-]+"));
        return !said.isEmpty()
                && format.components().stream()
                        .anyMatch(name -> said.equals(name)
                                || words.contains(name)
                                || (name.contains(" ") && said.contains(name)));
    }

    Optional<Format> named(FormatHint hint) {
        return formats.stream()
                .filter(f -> f.reading() == Reading.TEXT && names(f, hint))
                .findFirst();
    }

    private Format family(String given, FormatHint hint) {
        Spelling spelling = spelling(given);
        List<Format> same = formats.stream()
                .filter(f -> f.reading() == Reading.TEXT && f.spelling() == spelling)
                .filter(f -> !f.components().isEmpty())
                .filter(f -> spelling != Spelling.DOLLAR || f.id().equals("nginx"))
                .toList();
        return same.stream()
                .filter(f -> names(f, hint))
                .findFirst()
                .or(() -> same.stream().filter(f -> f.id().equals("apache")).findFirst())
                .or(() -> same.stream().findFirst())
                .orElseThrow(() -> new IllegalArgumentException("no server is known that writes \"" + given + "\""));
    }

    private Spelling spelling(String given) {
        if (given.matches("(?s).*\\$\\{?[a-zA-Z_].*")) {
            return Spelling.DOLLAR;
        }
        if (given.matches("(?s).*%\\([^)]+\\)s.*")) {
            return Spelling.PERCENT_PAREN;
        }
        if (given.contains("%")) {
            return HAPROXY_WORD.matcher(given).find() ? Spelling.PERCENT_WORD : Spelling.PERCENT;
        }
        if (given.matches("(?s).*:[a-z][-\\w]+.*")) {
            return Spelling.COLON;
        }
        throw new IllegalArgumentException(
                "\"" + given + "\" is neither a format id ("
                        + String.join(", ", formats.stream().map(Format::id).toList())
                        + ") nor a format string of nginx ($remote_addr), Apache (%h), HAProxy (%ci), gunicorn (%(h)s) or morgan (:remote-addr)");
    }

    // log_format name escape=json '…' '…'; as it stands in nginx.conf
    private static String nginxDirective(String given) {
        java.util.regex.Matcher matcher = NGINX_DIRECTIVE.matcher(given);
        if (!matcher.matches()) {
            return given;
        }
        StringBuilder pattern = new StringBuilder();
        String rest = matcher.group(1);
        int at = 0;
        while (at < rest.length()) {
            char quote = rest.charAt(at);
            if (quote == '\'' || quote == '"') {
                int end = rest.indexOf(quote, at + 1);
                pattern.append(rest, at + 1, end < 0 ? rest.length() : end);
                at = end < 0 ? rest.length() : end;
            }
            at++;
        }
        return pattern.toString();
    }

    private LogFormat compile(Format format, Optional<String> pattern, FormatHint hint) {
        KnownNames names = KnownNames.builtIn().withHeaders(hint.identityHeaders());
        List<Field> fields;
        LogFormat.Readers readers;
        switch (format.reading()) {
            case TEXT -> {
                String text = pattern.orElseThrow();
                TextTemplate template =
                        TextTemplate.compile(new PatternSyntax(format, names).parse(text), format, text);
                fields = template.fields();
                readers = () -> new TextReader(template, hint.zone());
            }
            case JSON -> {
                JsonPaths paths = new JsonPaths(format, names);
                fields = paths.fields();
                readers = () -> new JsonLineReader(paths, hint.zone(), format, names);
            }
            case WORDS -> {
                fields = Fields.dictionary().of(Field.Table.REQUESTS).stream()
                        .filter(field -> !NOT_IN_WORDS.contains(field.name()))
                        .toList();
                readers = () -> new WordsReader(hint.zone(), names);
            }
            case NOTE, KEY_COUNT -> {
                fields = Fields.dictionary().of(Field.Table.NOTICES);
                boolean note = format.reading() == Reading.NOTE;
                readers = () -> note ? new NoteReader(hint.zone()) : new KeyCountReader(hint.zone());
            }
            case W3C -> {
                fields = W3cReader.fields(format);
                readers = () -> new W3cReader(format);
            }
            case REGEX -> {
                List<ExpressionReader.Compiled> compiled = ExpressionReader.compile(format);
                fields = ExpressionReader.fields(format);
                readers = () -> new ExpressionReader(compiled, format, hint.zone());
            }
            default -> throw new IllegalStateException("no reader for " + format.reading());
        }
        return new LogFormat(
                format.id(),
                hint.component()
                        .orElse(
                                format.components().isEmpty()
                                        ? UNKNOWN
                                        : format.components().get(0)),
                hint.layer().orElse(format.layer()),
                pattern.orElse(""),
                format.table(),
                fields,
                format.stampAtStart() ? TimeMeans.START : TimeMeans.END,
                1_000_000L,
                true,
                MissingFields.of(fields, format.table(), 1_000_000L, format.id()),
                readers);
    }
}
