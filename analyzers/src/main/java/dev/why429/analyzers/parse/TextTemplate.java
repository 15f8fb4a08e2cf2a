package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.PatternSyntax.Piece;
import dev.why429.analyzers.parse.PatternSyntax.Word;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A format string, compiled: literal text before the first token, then tokens, each with the literal text that ends it.
 *
 * @param start literal text before the first token
 */
record TextTemplate(String start, List<Step> steps, Escaping escaping, boolean syslogPrefix, Field.Table table) {

    /** How the end of a value is found. */
    enum Ending {
        /** at the literal text that follows */
        LITERAL,
        /** at the quote, escapes passed over */
        QUOTE,
        /** as LITERAL, but blanks of a list ({@code 502, 200}, {@code a : b}) belong to it */
        LIST,
        /** at the literal text, tried again one blank further while the value is no stamp */
        STAMP,
        /** a request line without quotes: up to and with the protocol */
        REQUEST,
        /** at the slash of the path that follows without a gap */
        SLASH,
        /** HAProxy's captures: with the blank before them, when they are there */
        CAPTURES,
        /** the end of the line */
        LINE
    }

    /**
     * One token.
     *
     * @param field ordinal, −1 when the value has no single column
     * @param header name of a logged header, empty when it is none
     * @param port whether the value ends with a colon and a port
     * @param mayBeCut whether the literal after it may be missing at the end of the line (HAProxy cuts requests at 1024 bytes)
     * @param blanks whether a last value may hold blanks
     */
    record Step(
            Value value,
            int field,
            Optional<Unit> unit,
            boolean atStart,
            String header,
            boolean port,
            Ending ending,
            String after,
            boolean mayBeCut,
            boolean blanks) {}

    private static final Set<String> FREE_TEXT =
            Set.of("user_agent", "referer", "message", "logged_message", "forwarded");

    /** @throws IllegalArgumentException when two tokens touch so that nobody could tell them apart, or when there is no stamp */
    static TextTemplate compile(List<Piece> given, Format format, String pattern) {
        List<Piece> pieces = joined(given);
        if (pieces.stream().noneMatch(p -> is(p, Value.STAMP))) {
            throw new IllegalArgumentException(
                    "\"" + pattern + "\" has no time, so its lines cannot be placed; add one to the log format");
        }
        String start = "";
        List<Step> steps = new ArrayList<>();
        String before = "";
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.isText()) {
                before = piece.literal();
                if (steps.isEmpty()) {
                    start = before;
                }
                continue;
            }
            Word word = piece.word().orElseThrow();
            Piece next = i + 1 < pieces.size() ? pieces.get(i + 1) : Piece.text("");
            if (!next.isText() && !(is(next, Value.PATH) || is(next, Value.CAPTURES) || is(piece, Value.CAPTURES))) {
                throw new IllegalArgumentException("\"" + word.written() + "\" and \""
                        + next.word().orElseThrow().written() + "\" in \"" + pattern
                        + "\" touch: nobody can tell where the first one ends");
            }
            String after = next.isText() ? next.literal() : "";
            boolean captures = next.isText() && i + 2 < pieces.size() && is(pieces.get(i + 2), Value.CAPTURES);
            if (captures) {
                after = after.substring(
                        0, Math.max(0, after.length() - 1)); // the blank comes with the braces or not at all
            }
            steps.add(step(word, before, after, next, captures, i + 2 >= pieces.size(), format));
            before = "";
        }
        return new TextTemplate(start, steps, format.escaping(), format.syslogPrefix(), format.table());
    }

    private static Step step(
            Word word, String before, String after, Piece next, boolean captures, boolean last, Format format) {
        Value value = word.value();
        boolean quoted = before.endsWith("\"") && after.startsWith("\"");
        Ending ending;
        if (value == Value.CAPTURES) {
            ending = Ending.CAPTURES;
        } else if (!next.isText() && is(next, Value.PATH)) {
            ending = Ending.SLASH;
        } else if (after.isEmpty()) {
            ending = captures ? Ending.LITERAL : Ending.LINE;
        } else if (quoted) {
            ending = Ending.QUOTE;
        } else if (value == Value.STAMP) {
            ending = Ending.STAMP;
        } else if (value == Value.REQUEST_LINE && after.startsWith(" ")) {
            ending = Ending.REQUEST;
        } else if (after.startsWith(" ") && (value == Value.LIST || value == Value.DURATION_LIST)) {
            ending = Ending.LIST;
        } else {
            ending = Ending.LITERAL;
        }
        Optional<Field> field = word.token().field();
        boolean port = word.written().startsWith("+port:");
        boolean blanks = value == Value.LIST
                || value == Value.DURATION_LIST
                || value == Value.REQUEST_LINE
                || value == Value.STAMP
                || word.header().isPresent()
                || (field.isPresent() && FREE_TEXT.contains(field.get().name()));
        return new Step(
                value,
                field.map(Field::ordinal).orElse(-1),
                word.token().unit(),
                word.token().atStart().orElse(format.stampAtStart()),
                word.header().orElse(""),
                port,
                ending,
                after,
                last && format.escaping() == Escaping.HASH && quoted && after.equals("\""),
                blanks);
    }

    private static boolean is(Piece piece, Value value) {
        return piece.word().filter(word -> word.value() == value).isPresent();
    }

    /** Joins what is one value to us: address and port, path and query, HAProxy's backend and server. */
    private static List<Piece> joined(List<Piece> given) {
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            Piece piece = given.get(i);
            String gap = i + 1 < given.size() ? given.get(i + 1).literal() : "";
            Piece afterGap = i + 2 < given.size() ? given.get(i + 2) : Piece.text("");
            if (is(piece, Value.ADDRESS) && gap.equals(":") && is(afterGap, Value.PORT)) {
                Word word = piece.word().orElseThrow();
                pieces.add(Piece.of(new Word("+port:" + word.written(), word.token(), word.header())));
                i += 2;
            } else if (piece.word()
                    .filter(word -> word.token().field().isEmpty())
                    .isPresent()) {
                boolean server = gap.equals("/") && is(afterGap, Value.SERVER);
                pieces.add(server ? afterGap : piece);
                i += server ? 2 : 0;
            } else if (is(piece, Value.PATH)) {
                pieces.add(piece);
                while (i + 1 < given.size() && is(given.get(i + 1), Value.QUERY)) {
                    i++;
                }
                if (i + 2 < given.size()
                        && given.get(i + 1).literal().equals("?")
                        && is(given.get(i + 2), Value.QUERY)) {
                    i += 2;
                }
            } else {
                pieces.add(piece);
            }
        }
        return pieces;
    }

    /** Every column that a line can fill. */
    List<Field> fields() {
        Fields dictionary = Fields.dictionary();
        Set<Field> fields = new LinkedHashSet<>();
        boolean arrival = false;
        boolean end = false;
        for (Step step : steps) {
            switch (step.value()) {
                case STAMP -> {
                    fields.add(dictionary.named("logged_at"));
                    fields.add(dictionary.named("arrived_at"));
                    arrival |= step.atStart();
                    end |= !step.atStart();
                }
                case REQUEST_LINE ->
                    List.of("method", "path", "host", "protocol").forEach(name -> fields.add(dictionary.named(name)));
                case PATH -> List.of("path", "host").forEach(name -> fields.add(dictionary.named(name)));
                case REQUEST_HEADER ->
                    fields.add(
                            dictionary.named(step.header().equals("traceparent") ? "request_id" : "request_headers"));
                case RESPONSE_HEADER -> fields.add(dictionary.named("response_headers"));
                case OTHER -> fields.add(dictionary.named("other_fields"));
                default -> {
                    if (step.field() >= 0) {
                        fields.add(dictionary.all().get(step.field()));
                    }
                }
            }
        }
        if (arrival && end) {
            fields.add(dictionary.named("duration_micros"));
        }
        if (arrival || fields.contains(dictionary.named("duration_micros"))) {
            fields.add(dictionary.named("arrival_uncertainty_micros"));
        }
        return fields.stream()
                .filter(field -> field.in(table))
                .sorted(java.util.Comparator.comparingInt(Field::ordinal))
                .toList();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
