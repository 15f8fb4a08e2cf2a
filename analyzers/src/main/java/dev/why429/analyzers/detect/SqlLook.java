package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.analyzers.store.CaseStore.Row;
import dev.why429.rules.Detector;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a detector's {@code detect.sql}; every row of the result is one sighting. Its columns: {@code subject_<field>} for each field of the
 * subject, {@code limiter} (id or NULL), {@code from_at} and {@code to_at}, {@code confidence}, {@code explained} (denials), {@code evidence}
 * (ids with blanks between), {@code because} (one reason a line), and one column for each number: a list has one entry a line, a map one
 * {@code key=value} a line, an interval two columns {@code <name>_low} and {@code <name>_high}. A number that is NULL is left out. Two more columns
 * may be there: {@code severity} and {@code pitfall}, where a row differs in them from its kind.
 */
record SqlLook(Detector detector, String sql) implements Look {
    @Override
    public List<Sighting> at(Scene scene) {
        return scene.store().query(sql, this::sighting);
    }

    private Sighting sighting(Row row) {
        Map<String, String> subject = new LinkedHashMap<>();
        for (String field : detector.subject()) {
            String value = row.text("subject_" + field);
            if (!value.isEmpty()) {
                subject.put(field, value);
            }
        }
        Map<String, Object> numbers = new LinkedHashMap<>();
        for (Detector.Figure number : detector.numbers()) {
            read(row, number).ifPresent(value -> numbers.put(number.name(), value));
        }
        return new Sighting(
                subject,
                Optional.of(row.text("limiter")).filter(id -> !id.isEmpty()),
                row.has("from_at") ? Optional.of(row.instant("from_at")) : Optional.empty(),
                row.has("to_at") ? Optional.of(row.instant("to_at")) : Optional.empty(),
                numbers,
                lines(row.text("because")),
                Arrays.stream(row.text("evidence").split(" "))
                        .filter(id -> !id.isEmpty())
                        .toList(),
                row.number("confidence"),
                row.integer("explained"),
                own(row, "severity"),
                own(row, "pitfall"));
    }

    private Optional<String> own(Row row, String column) {
        return sql.contains(" AS " + column) && row.has(column) ? Optional.of(row.text(column)) : Optional.empty();
    }

    private static Optional<Object> read(Row row, Detector.Figure number) {
        String name = number.name();
        return switch (number.type()) {
            case NUMBER ->
                row.has(name) && Double.isFinite(row.number(name))
                        ? Optional.of(number(row.number(name)))
                        : Optional.empty();
            case TEXT -> row.has(name) ? Optional.of(row.text(name)) : Optional.empty();
            case LIST -> row.has(name) ? Optional.of(lines(row.text(name))) : Optional.empty();
            case MAP -> row.has(name) ? Optional.of(map(lines(row.text(name)))) : Optional.empty();
            case INTERVAL ->
                row.has(name + "_low") || row.has(name + "_high")
                        ? Optional.of(new Interval(bound(row, name + "_low"), bound(row, name + "_high")))
                        : Optional.empty();
        };
    }

    private static Optional<Double> bound(Row row, String column) {
        return row.has(column) ? Optional.of(row.number(column)) : Optional.empty();
    }

    /** A whole number as such, so that it is written without a fraction. */
    static Object number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? (Object) (long) value
                : (Object) (Math.rint(value * 1e6) / 1e6);
    }

    private static List<String> lines(String text) {
        return text.lines().filter(line -> !line.isBlank()).toList();
    }

    private static Map<String, Object> map(List<String> lines) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (String line : lines) {
            int at = line.lastIndexOf('=');
            map.put(line.substring(0, at), number(Double.parseDouble(line.substring(at + 1))));
        }
        return map;
    }
}
