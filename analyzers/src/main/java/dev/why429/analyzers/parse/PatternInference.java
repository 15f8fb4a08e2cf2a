package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.Columns.Column;
import dev.why429.analyzers.parse.LogFormat.TimeMeans;
import dev.why429.analyzers.parse.PatternSyntax.Piece;
import dev.why429.analyzers.parse.PatternSyntax.Word;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Reading;
import dev.why429.rules.Format.Spelling;
import dev.why429.rules.Format.Token;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Works out the columns of regular lines that no known pattern fits, from their values over many lines and from the keys before them. What the
 * values cannot show (the unit of a bare whole number) is left out, not guessed.
 */
final class PatternInference {
    static final String ID = "inferred";
    private static final double SAME_SHAPE = 0.5;
    private static final int FEWEST_LINES = 3;

    private final LogFormats formats;
    private final FormatHint hint;

    PatternInference(LogFormats formats, FormatHint hint) {
        this.formats = formats;
        this.hint = hint;
    }

    Optional<LogFormat> infer(Sample sample) {
        Map<String, List<Columns>> byShape = new HashMap<>();
        for (int i = 0; i < sample.count(); i++) {
            Columns columns = Columns.of(sample.text(i));
            byShape.computeIfAbsent(columns.signature(), key -> new ArrayList<>())
                    .add(columns);
        }
        Optional<List<Columns>> most = byShape.values().stream()
                .max((a, b) -> Integer.compare(a.size(), b.size()))
                .filter(lines -> lines.size() >= FEWEST_LINES && lines.size() >= sample.count() * SAME_SHAPE);
        return most.flatMap(this::compile);
    }

    private Optional<LogFormat> compile(List<Columns> lines) {
        Optional<Format> server = formats.named(hint);
        List<Piece> pieces = new ArrayList<>();
        StringBuilder pattern = new StringBuilder();
        StringBuilder literal = new StringBuilder();
        ColumnTypes types = new ColumnTypes(server);
        int count = lines.get(0).columns().size();
        for (int i = 0; i < count; i++) {
            Column column = lines.get(0).columns().get(i);
            int index = i;
            List<String> values = lines.stream()
                    .map(line -> line.columns().get(index).value())
                    .toList();
            Optional<String> unitWord = types.unitWord(values, column);
            literal.append(column.before());
            if (unitWord.isPresent()) {
                literal.append(unitWord.get());
                continue;
            }
            Optional<String> nextWord = i + 1 < count
                    ? Optional.of(lines.get(0).columns().get(i + 1).value())
                    : Optional.empty();
            char nextShape = i + 1 < count ? lines.get(0).columns().get(i + 1).shape() : ' ';
            ColumnTypes.Typed typed = types.type(column, values, new ColumnTypes.Place(i, nextWord, nextShape));
            if (!literal.isEmpty()) {
                pieces.add(Piece.text(literal.toString()));
                pattern.append(literal);
                literal.setLength(0);
            }
            pattern.append('{').append(typed.name()).append('}');
            Value value = typed.token().value();
            boolean named = value == Value.RESPONSE_HEADER || value == Value.OTHER;
            pieces.add(Piece.of(new Word(
                    typed.name(),
                    typed.token(),
                    named ? Optional.of(typed.token().token()) : Optional.empty())));
        }
        literal.append(lines.get(0).end());
        if (!literal.isEmpty()) {
            pieces.add(Piece.text(literal.toString()));
            pattern.append(literal);
        }
        if (!types.enough()) {
            return Optional.empty();
        }
        boolean atStart = server.map(Format::stampAtStart).orElse(false);
        Format format = format(atStart, server.map(Format::escaping).orElse(Escaping.BACKSLASH));
        TextTemplate template = TextTemplate.compile(pieces, format, pattern.toString());
        List<Field> fields = template.fields();
        Optional<String> component = types.writesAsNginx() ? Optional.of("nginx") : Optional.empty();
        Optional<String> layer = types.asksNextHop() ? Optional.of("gateway") : Optional.empty();
        return Optional.of(new LogFormat(
                ID,
                hint.component().or(() -> component).orElse(LogFormats.UNKNOWN),
                hint.layer().or(() -> server.map(Format::layer)).or(() -> layer).orElse(LogFormats.UNKNOWN),
                pattern.toString(),
                Field.Table.REQUESTS,
                fields,
                atStart ? TimeMeans.START : TimeMeans.END,
                1_000_000L,
                true,
                MissingFields.of(fields, Field.Table.REQUESTS, 1_000_000L, ID),
                () -> new TextReader(template, hint.zone())));
    }

    private static Format format(boolean atStart, Escaping escaping) {
        return new Format(
                ID,
                "columns worked out from their values",
                Reading.TEXT,
                List.of(),
                LogFormats.UNKNOWN,
                Field.Table.REQUESTS,
                atStart,
                false,
                true,
                true,
                Optional.empty(),
                Spelling.DOLLAR,
                escaping,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** A token made up for a column. */
    static Token token(String name, Value value, Optional<String> field, Optional<Unit> unit) {
        return new Token(name, value, field.map(Fields.dictionary()::named), unit, Optional.empty(), false);
    }
}
