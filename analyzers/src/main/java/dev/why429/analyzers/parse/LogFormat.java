package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A format, compiled: made once from its description, then asked for a reader per thread.
 *
 * @param id folder in {@code rules/formats}, or the id of the family that a given log_format belongs to, or {@code inferred}
 * @param pattern the pattern in force, empty for JSON
 * @param table requests, or notices for an error log
 * @param fields every column that a line of this format can fill, by ordinal
 * @param timeMeans what the stamp marks
 * @param resolutionMicros how finely the stamp is written
 * @param zoneInLine whether the stamps say their own zone (or are an epoch)
 * @param missing fields that attribution or reconstruction would want and that these lines do not have
 */
public record LogFormat(
        String id,
        String component,
        String layer,
        String pattern,
        Field.Table table,
        List<Field> fields,
        TimeMeans timeMeans,
        long resolutionMicros,
        boolean zoneInLine,
        List<String> missing,
        Readers readers) {
    public enum TimeMeans {
        START,
        END
    }

    /** Makes a reader for one thread. */
    public interface Readers {
        LineReader newReader();
    }

    /** The same format of a log that is known to be another's. */
    public LogFormat writtenBy(String otherComponent, String otherLayer) {
        return new LogFormat(
                id,
                otherComponent,
                otherLayer,
                pattern,
                table,
                fields,
                timeMeans,
                resolutionMicros,
                zoneInLine,
                missing,
                readers);
    }

    /** The same lines with something of a carrier's around each. */
    LogFormat within(Wrapping wrapping, FormatHint hint) {
        List<Field> all = new ArrayList<>(fields);
        for (String name : List.of("node", "arrived_at")) {
            Field field = Fields.dictionary().named(name);
            if (field.in(table) && !all.contains(field)) {
                all.add(field);
            }
        }
        all.sort(Comparator.comparingInt(Field::ordinal));
        return new LogFormat(
                id,
                component,
                layer,
                wrapping.title() + ": " + pattern,
                table,
                List.copyOf(all),
                timeMeans,
                resolutionMicros,
                zoneInLine,
                missing,
                () -> new WrappedReader(wrapping, readers.newReader(), hint.zone(), hint.reference()));
    }

    public LineReader newReader() {
        return readers.newReader();
    }
}
