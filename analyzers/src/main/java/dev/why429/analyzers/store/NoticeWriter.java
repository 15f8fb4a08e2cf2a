package dev.why429.analyzers.store;

import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.analyzers.redact.LineRedactor;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Stores the notices that stand among the requests of a log. */
final class NoticeWriter extends RowsBeside<NoticeWriter.Notice> {
    private static final List<Field> FIELDS = Fields.dictionary().of(Field.Table.NOTICES);

    /** Values in the order of the notice table's columns; texts are redacted. */
    record Notice(Object[] values) {}

    NoticeWriter(DuckDBConnection connection) {
        super(connection, "notices");
    }

    void add(int file, long lineNumber, long byteOffset, ParsedLine line, LineRedactor redactor) {
        Object[] values = new Object[FIELDS.size()];
        for (int i = 0; i < values.length; i++) {
            Field field = FIELDS.get(i);
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
        add(new Notice(values));
    }

    @Override
    void append(DuckDBAppender appender, Notice notice) throws SQLException {
        appender.beginRow();
        for (int i = 0; i < notice.values().length; i++) {
            Object value = notice.values()[i];
            if (value == null) {
                appender.appendNull();
                continue;
            }
            switch (FIELDS.get(i).type()) {
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
