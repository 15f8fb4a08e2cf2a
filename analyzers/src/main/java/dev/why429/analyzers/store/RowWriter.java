package dev.why429.analyzers.store;

import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.analyzers.redact.LineRedactor;
import dev.why429.rules.Field;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Stores lines that are of another table, or of other columns, than those around them. */
final class RowWriter extends RowsBeside<RowWriter.Row> {
    private final List<Field> fields;

    /** Values in the order of the table's columns; texts are redacted. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Row(Object[] values) {}

    /** @param fields the table's columns */
    RowWriter(DuckDBConnection connection, String table, List<Field> fields) {
        super(connection, table);
        this.fields = fields;
    }

    void add(int file, long lineNumber, long byteOffset, ParsedLine line, LineRedactor redactor) {
        Object[] values = new Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            Field field = fields.get(i);
            int ordinal = field.ordinal();
            values[i] = switch (field.name()) {
                case "file" -> (long) file;
                case "line" -> lineNumber;
                case "byte_offset" -> byteOffset;
                default ->
                    line.isNumber(ordinal)
                            ? (Object) line.number(ordinal)
                            : line.isText(ordinal)
                                    ? new String(redactor.stored(ordinal, line), StandardCharsets.UTF_8)
                                    : null;
            };
        }
        add(new Row(values));
    }

    @Override
    void append(DuckDBAppender appender, Row row) throws SQLException {
        appender.beginRow();
        for (int i = 0; i < row.values().length; i++) {
            Object value = row.values()[i];
            if (value == null) {
                appender.appendNull();
                continue;
            }
            switch (fields.get(i).type()) {
                case TEXT -> appender.append(value.toString());
                case INTEGER -> appender.append((long) value);
                case INSTANT -> appender.appendEpochMicros((long) value);
                case NUMBER -> appender.append((long) value / 1e6);
                case FLAG -> appender.append((long) value != 0);
            }
        }
        appender.endRow();
    }
}
