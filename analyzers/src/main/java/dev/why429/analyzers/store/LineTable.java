package dev.why429.analyzers.store;

import dev.why429.analyzers.redact.Redactor;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;

/**
 * A table function whose rows are the lines of several logs that can fill the same columns: DuckDB's threads parse, redact and store in one
 * pass. It gives file, line and byte_offset first, then the formats' fields; instants as microseconds.
 */
final class LineTable implements DuckDBTableFunction<LineTable, LineTable, LineTableWorker> {
    static final List<String> PLACE = List.of("file", "line", "byte_offset");

    private final SegmentQueue queue;
    private final Redactor redactor;
    private final RejectWriter rejects;
    private final RowWriter notices;
    private final RowWriter late;
    private final int threads;
    private final List<Field> fields;

    /** @param fields what the formats can fill, without {@link #PLACE} */
    LineTable(
            SegmentQueue queue,
            Redactor redactor,
            RejectWriter rejects,
            RowWriter notices,
            RowWriter late,
            int threads,
            List<Field> fields) {
        this.queue = queue;
        this.redactor = redactor;
        this.rejects = rejects;
        this.notices = notices;
        this.late = late;
        this.threads = threads;
        this.fields = fields;
    }

    /** The columns of the table that lines of a format can fill, in the dictionary's order, without their place. */
    static List<Field> columns(Field.Table table, List<Field> ofFormat) {
        Set<String> fillable = ofFormat.stream().map(Field::name).collect(Collectors.toSet());
        return Fields.dictionary().of(table).stream()
                .filter(field -> fillable.contains(field.name()) && !PLACE.contains(field.name()))
                .toList();
    }

    void register(DuckDBConnection connection, String name) throws SQLException {
        DuckDBFunctions.tableFunction().withName(name).withFunction(this).register(connection);
    }

    /** The statement that fills a table from this function. */
    String insertInto(String table, String function) {
        String names = PLACE.stream().collect(Collectors.joining(", ", "", ""))
                + fields.stream().map(field -> ", \"" + field.name() + '"').collect(Collectors.joining());
        String values = String.join(", ", PLACE)
                + fields.stream().map(field -> ", " + stored(field)).collect(Collectors.joining());
        return "INSERT INTO " + table + "(" + names + ") SELECT " + values + " FROM " + function + "()";
    }

    private static String stored(Field field) {
        String column = '"' + field.name() + '"';
        return switch (field.type()) {
            case TEXT, INTEGER -> column;
            case INSTANT -> "make_timestamp(" + column + ")";
            case NUMBER -> column + " / 1e6";
            case FLAG -> column + " <> 0";
        };
    }

    @Override
    public LineTable bind(DuckDBTableFunctionBindInfo info) {
        PLACE.forEach(name -> info.addResultColumn(name, DuckDBColumnType.BIGINT));
        for (Field field : fields) {
            boolean text = field.type() == Field.Type.TEXT;
            info.addResultColumn(field.name(), text ? DuckDBColumnType.VARCHAR : DuckDBColumnType.BIGINT);
        }
        return this;
    }

    @Override
    public LineTable init(DuckDBTableFunctionInitInfo info) {
        info.setMaxThreads(threads);
        return this;
    }

    @Override
    public LineTableWorker localInit(DuckDBTableFunctionInitInfo info) {
        return new LineTableWorker(queue, redactor.forThread(), rejects, notices, late, fields);
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo call, DuckDBDataChunkWriter chunk) {
        LineTableWorker worker = call.getLocalInitData();
        return worker.fill(chunk);
    }
}
