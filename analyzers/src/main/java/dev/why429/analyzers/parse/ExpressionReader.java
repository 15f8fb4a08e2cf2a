package dev.why429.analyzers.parse;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.why429.rules.Field;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Alternative;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Expressions;
import dev.why429.rules.Format.Token;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads lines by regular expressions in linear time (RE2); the first that fits decides. One instance per thread. */
final class ExpressionReader implements LineReader, Seen {
    private static final int KIND = LineValues.ordinal("kind");

    /** An alternative, compiled. */
    record Compiled(Pattern before, Pattern pattern, List<String> contains, Optional<String> kind, List<Group> groups) {
        boolean mayFit(String text) {
            return contains.isEmpty() || contains.stream().anyMatch(text::contains);
        }
    }

    private record Group(int number, Token token) {}

    private final List<Compiled> alternatives;
    private final LineValues values;
    private final Format format;

    ExpressionReader(List<Compiled> alternatives, Format format, ZoneId zone) {
        this.alternatives = alternatives;
        this.format = format;
        this.values = new LineValues(zone, Escaping.NONE);
    }

    static List<Compiled> compile(Format format) {
        Expressions all = format.expressions().orElseThrow();
        List<Compiled> compiled = new ArrayList<>();
        Pattern before = Pattern.compile(all.before());
        for (Alternative one : all.alternatives()) {
            Pattern pattern = Pattern.compile(all.before() + one.pattern() + all.after());
            List<Group> groups = new ArrayList<>();
            for (Token token : format.tokens()) {
                Integer number = pattern.namedGroups().get(token.token());
                if (number != null) {
                    groups.add(new Group(number, token));
                }
            }
            compiled.add(new Compiled(before, pattern, one.contains(), one.kind(), groups));
        }
        return compiled;
    }

    static List<Field> fields(Format format) {
        Set<Field> fields = new LinkedHashSet<>();
        dev.why429.rules.Fields dictionary = dev.why429.rules.Fields.dictionary();
        fields.add(dictionary.named("logged_at"));
        fields.add(dictionary.named("kind"));
        for (Token token : format.tokens()) {
            token.field().ifPresent(fields::add);
            if (token.value() == Value.STAMP) {
                fields.add(dictionary.named("arrived_at"));
                fields.add(dictionary.named("arrival_uncertainty_micros"));
            }
            if (token.value() == Value.PATH) {
                fields.add(dictionary.named("host"));
            }
            if (token.value() == Value.OTHER) {
                fields.add(dictionary.named("other_fields"));
            }
            if (token.value() == Value.REQUEST_LINE) {
                List.of("method", "path", "host", "protocol").forEach(name -> fields.add(dictionary.named(name)));
            }
        }
        return fields.stream()
                .filter(field -> field.in(format.table()))
                .sorted(Comparator.comparingInt(Field::ordinal))
                .toList();
    }

    @Override
    public Stamps stamps() {
        return values.stamps();
    }

    @Override
    public boolean saw(int field) {
        return format.tokens().stream()
                .anyMatch(
                        token -> token.field().filter(f -> f.ordinal() == field).isPresent());
    }

    @Override
    public boolean read(byte[] bytes, int from, int to, ParsedLine line) {
        // one character a byte, so that places in the text are places in the line
        String text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        if (!alternatives.get(0).before().matcher(text).lookingAt()) {
            return line.reject("no_match");
        }
        for (Compiled one : alternatives) {
            if (!one.mayFit(text)) {
                continue;
            }
            Matcher matcher = one.pattern().matcher(text);
            if (matcher.find()) {
                return read(one, matcher, bytes, from, line);
            }
        }
        return line.reject("no_match");
    }

    private boolean read(Compiled one, Matcher matcher, byte[] bytes, int from, ParsedLine line) {
        values.begin(line, false);
        for (Group group : one.groups()) {
            int start = matcher.start(group.number());
            if (start < 0) {
                continue;
            }
            Token token = group.token();
            if (token.value() == Value.OTHER) {
                values.putOther(
                        token.token().getBytes(StandardCharsets.US_ASCII),
                        bytes,
                        from + start,
                        from + matcher.end(group.number()),
                        true);
                continue;
            }
            boolean good = token.value() == Value.STAMP
                    ? values.putStamp(
                            bytes,
                            from + start,
                            from + matcher.end(group.number()),
                            token.atStart().orElse(format.stampAtStart()))
                    : values.put(
                            token.value(),
                            token.field().map(Field::ordinal).orElse(-1),
                            token.unit().orElse(Unit.S),
                            bytes,
                            from + start,
                            from + matcher.end(group.number()));
            if (!good) {
                return false;
            }
        }
        one.kind().ifPresent(kind -> line.setText(KIND, kind.getBytes(StandardCharsets.US_ASCII)));
        return values.finish(format.table());
    }
}
