package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Spelling;
import dev.why429.rules.Format.Token;
import dev.why429.rules.Format.Value;
import dev.why429.rules.KnownNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a server's own format string apart into literal text and tokens, spelled as that server spells them. */
final class PatternSyntax {
    // what the patterns match are format strings that people wrote, a few hundred characters long, and no alternative
    // overlaps another
    private static final Pattern DOLLAR = Pattern.compile("\\$(?:\\{([A-Za-z0-9_]+)}|([A-Za-z0-9_]+))");
    private static final Pattern PERCENT =
            Pattern.compile("%(?:(%)|(?:!?[0-9,]+)?[<>]?(?:\\{([^}]*)})?[<>]?(\\^[a-z]{2}|[A-Za-z]))");
    private static final Pattern PERCENT_WORD = Pattern.compile("%(?:(%)|(?:\\{([^}]*)})?(\\[[^\\]]*]|[A-Za-z]+))");
    private static final Pattern PERCENT_PAREN = Pattern.compile("%(?:(%)|\\((?:\\{([^}]*)})?([^)]+)\\)s)");
    private static final Pattern COLON = Pattern.compile(":([-\\w]{2,})(?:\\[([^\\]]+)])?");

    private final Format format;
    private final KnownNames names;

    PatternSyntax(Format format, KnownNames names) {
        this.format = format;
        this.names = names;
    }

    /** A part of a pattern: literal text (the token is empty) or a token. */
    record Piece(String literal, Optional<Word> word) {
        static Piece text(String literal) {
            return new Piece(literal, Optional.empty());
        }

        static Piece of(Word word) {
            return new Piece("", Optional.of(word));
        }

        boolean isText() {
            return word.isEmpty();
        }
    }

    /**
     * A token in use.
     *
     * @param written as in the pattern
     * @param header name of a request or response header that has no column of its own
     */
    record Word(String written, Token token, Optional<String> header) {
        Value value() {
            return token.value();
        }
    }

    /** @throws IllegalArgumentException when a token is unknown and the server would refuse it too */
    List<Piece> parse(String pattern) {
        String text = format.spelling() == Spelling.DOLLAR ? pattern : unquoted(pattern);
        List<Piece> pieces = new ArrayList<>();
        Matcher matcher = expression().matcher(text);
        StringBuilder literal = new StringBuilder();
        boolean quoteAll = false;
        int at = 0;
        while (matcher.find()) {
            literal.append(text, at, matcher.start());
            at = matcher.end();
            if (format.spelling() != Spelling.DOLLAR
                    && format.spelling() != Spelling.COLON
                    && matcher.group(1) != null) {
                literal.append('%');
                continue;
            }
            String flags = format.spelling() == Spelling.PERCENT_WORD ? orEmpty(matcher.group(2)) : "";
            if (format.spelling() == Spelling.PERCENT_WORD && matcher.group(3).equals("o")) {
                quoteAll = flags.contains("+Q");
                continue;
            }
            Word word = word(matcher, pattern);
            boolean quoted = flags.contains("+Q") || (quoteAll && !flags.contains("-Q"));
            String before = quoted ? "\"" : word.token().bracketed() ? "[" : "";
            literal.append(before);
            flush(literal, pieces);
            pieces.add(Piece.of(word));
            literal.append(quoted ? "\"" : before.isEmpty() ? "" : "]");
        }
        literal.append(text, at, text.length());
        flush(literal, pieces);
        return pieces;
    }

    private Pattern expression() {
        return switch (format.spelling()) {
            case DOLLAR -> DOLLAR;
            case PERCENT -> PERCENT;
            case PERCENT_WORD -> PERCENT_WORD;
            case PERCENT_PAREN -> PERCENT_PAREN;
            case COLON -> COLON;
        };
    }

    /** Configuration files need {@code \"} and HAProxy {@code "\ "} where the log has a quote or a blank. */
    private static String unquoted(String pattern) {
        return pattern.replace("\\\"", "\"").replace("\\ ", " ").replace("\\n", "");
    }

    private static void flush(StringBuilder literal, List<Piece> pieces) {
        if (!literal.isEmpty()) {
            pieces.add(Piece.text(literal.toString()));
            literal.setLength(0);
        }
    }

    private Word word(Matcher matcher, String pattern) {
        return switch (format.spelling()) {
            case DOLLAR -> {
                String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                yield resolve(matcher.group(), name, "").orElseGet(() -> skipped(matcher.group()));
            }
            case COLON -> known(matcher, pattern, matcher.group(1), orEmpty(matcher.group(2)));
            case PERCENT_WORD -> {
                String name = matcher.group(3);
                yield name.startsWith("[")
                        ? resolve(matcher.group(), name, "").orElseGet(() -> skipped(matcher.group()))
                        : known(matcher, pattern, name, "");
            }
            case PERCENT, PERCENT_PAREN -> known(matcher, pattern, matcher.group(3), orEmpty(matcher.group(2)));
        };
    }

    private Word known(Matcher matcher, String pattern, String name, String argument) {
        return resolve(matcher.group(), name, argument)
                .orElseThrow(() -> new IllegalArgumentException("\"" + matcher.group() + "\" at position "
                        + (pattern.indexOf(matcher.group()) + 1) + " of \"" + pattern + "\" is no token of "
                        + format.id() + "; the nearest known is \"" + nearest(name) + "\""));
    }

    private String nearest(String name) {
        return format.tokens().stream()
                .map(Token::token)
                .min(Comparator.comparingInt(
                        known -> distance(known.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT))))
                .orElse("");
    }

    /** Levenshtein's edit distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }

    private Optional<Word> resolve(String written, String name, String argument) {
        String exact = format.spelling() == Spelling.COLON ? name + "[" + argument + "]" : "{" + argument + "}" + name;
        for (Token token : format.tokens()) {
            if (!argument.isEmpty() && token.token().equalsIgnoreCase(exact)) {
                return Optional.of(new Word(written, token, Optional.empty()));
            }
        }
        for (Token token : format.tokens()) {
            if (token.token().equals(name)) {
                return Optional.of(with(written, token, argument));
            }
        }
        for (Token token : format.tokens()) {
            String stem = token.token();
            if (stem.endsWith("*") && name.startsWith(stem.substring(0, stem.length() - 1))) {
                return Optional.of(
                        with(written, token, name.substring(stem.length() - 1).replace('_', '-')));
            }
        }
        return Optional.empty();
    }

    private Word with(String written, Token token, String argument) {
        String header = argument.toLowerCase(Locale.ROOT);
        switch (token.value()) {
            case REQUEST_HEADER -> {
                Optional<Field> field = names.header(header);
                if (field.isPresent() && !header.equals("traceparent")) {
                    Token own = new Token(token.token(), Value.TEXT, field, Optional.empty(), Optional.empty(), false);
                    return new Word(written, own, Optional.empty());
                }
                return new Word(written, token, Optional.of(header));
            }
            case RESPONSE_HEADER -> {
                return new Word(written, token, Optional.of(header));
            }
            case STAMP -> {
                return stamp(written, token, header);
            }
            default -> {
                return new Word(written, token, Optional.empty());
            }
        }
    }

    // Apache's %{end}t, %{begin:msec}t, %{%d/%b/%Y:%T}t
    private Word stamp(String written, Token token, String argument) {
        boolean percent = format.spelling() == Spelling.PERCENT;
        if (!percent || argument.isEmpty()) {
            return new Word(written, token, Optional.empty());
        }
        if (argument.endsWith("_frac")) {
            return skipped(written);
        }
        Optional<Boolean> atStart = argument.startsWith("end")
                ? Optional.of(false)
                : argument.startsWith("begin") ? Optional.of(true) : token.atStart();
        boolean bracketed = argument.equals("end") || argument.equals("begin");
        return new Word(
                written,
                new Token(token.token(), Value.STAMP, token.field(), Optional.empty(), atStart, bracketed),
                Optional.empty());
    }

    private static Word skipped(String written) {
        return new Word(
                written,
                new Token(written, Value.SKIP, Optional.empty(), Optional.empty(), Optional.empty(), false),
                Optional.empty());
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
