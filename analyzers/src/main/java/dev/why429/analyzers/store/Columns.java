package dev.why429.analyzers.store;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;

/**
 * A whole result as arrays, one a column: for sequential work over many rows. Integers and booleans (0, 1) are longs, instants are
 * microseconds since 1970-01-01T00:00:00Z, DOUBLE and FLOAT are doubles, VARCHAR is text; lists cannot be read so. NULL is 0 or empty; ask {@link #isNull}.
 */
public final class Columns {
    private final List<String> names = new ArrayList<>();
    private final List<Column> columns = new ArrayList<>();
    private int rows;

    private Columns() {}

    static Columns of(DuckDBPreparedStatement statement) throws SQLException {
        Columns result = new Columns();
        try (DuckDBChunkedResult chunks = statement.query()) {
            for (long i = 0; i < chunks.columnCount(); i++) {
                result.names.add(chunks.columnName(i));
            }
            while (chunks.nextChunk()) {
                DuckDBDataChunkReader chunk = chunks.chunk();
                int count = Math.toIntExact(chunk.rowCount());
                for (int i = 0; i < result.names.size(); i++) {
                    DuckDBReadableVector vector = chunk.vector(i);
                    if (result.columns.size() == i) {
                        result.columns.add(new Column(vector.getType()));
                    }
                    result.columns.get(i).add(vector, result.rows, count);
                }
                result.rows += count;
            }
        }
        while (result.columns.size() < result.names.size()) {
            result.columns.add(new Column(DuckDBColumnType.BIGINT));
        }
        return result;
    }

    public int rows() {
        return rows;
    }

    /** @return an array of exactly {@link #rows} values; do not change it */
    public long[] longs(String column) {
        Column found = column(column);
        found.longs = Arrays.copyOf(found.longs, rows);
        return found.longs;
    }

    public int[] ints(String column) {
        Column found = column(column);
        int[] ints = new int[rows];
        for (int i = 0; i < rows; i++) {
            ints[i] = Math.toIntExact(found.longs[i]);
        }
        return ints;
    }

    public double[] doubles(String column) {
        Column found = column(column);
        found.doubles = Arrays.copyOf(found.doubles, rows);
        return found.doubles;
    }

    /** @return an array of at least {@link #rows} values, NULL as an empty text; do not change it */
    public String[] texts(String column) {
        return column(column).texts;
    }

    public String text(String column, int row) {
        return column(column).texts[row];
    }

    public boolean isNull(String column, int row) {
        return column(column).nulls.get(row);
    }

    private Column column(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("no column \"" + name + "\" in " + names);
        }
        return columns.get(index);
    }

    private static final class Column {
        private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

        private final DuckDBColumnType type;
        private final BitSet nulls = new BitSet();
        private long[] longs = new long[0];
        private double[] doubles = new double[0];
        private String[] texts = new String[0];

        Column(DuckDBColumnType type) {
            this.type = type;
        }

        void add(DuckDBReadableVector vector, int at, int count) {
            switch (type) {
                case DOUBLE, FLOAT -> doubles = Arrays.copyOf(doubles, grown(doubles.length, at + count));
                case BIGINT, INTEGER, SMALLINT, TINYINT, UINTEGER, USMALLINT, UTINYINT, BOOLEAN, TIMESTAMP ->
                    longs = Arrays.copyOf(longs, grown(longs.length, at + count));
                default -> texts = Arrays.copyOf(texts, grown(texts.length, at + count));
            }
            for (int i = 0; i < count; i++) {
                if (vector.isNull(i)) {
                    nulls.set(at + i);
                    if (texts.length > 0) {
                        texts[at + i] = "";
                    }
                } else {
                    set(vector, i, at + i);
                }
            }
        }

        private void set(DuckDBReadableVector vector, int from, int to) {
            switch (type) {
                case DOUBLE -> doubles[to] = vector.getDouble(from);
                case FLOAT -> doubles[to] = vector.getFloat(from);
                case BIGINT -> longs[to] = vector.getLong(from);
                case INTEGER -> longs[to] = vector.getInt(from);
                case SMALLINT -> longs[to] = vector.getShort(from);
                case TINYINT -> longs[to] = vector.getByte(from);
                case UINTEGER -> longs[to] = vector.getUint32(from);
                case USMALLINT -> longs[to] = vector.getUint16(from);
                case UTINYINT -> longs[to] = vector.getUint8(from);
                case BOOLEAN -> longs[to] = vector.getBoolean(from) ? 1 : 0;
                case TIMESTAMP -> longs[to] = micros(vector.getLocalDateTime(from));
                default -> texts[to] = vector.getString(from);
            }
        }

        private static long micros(LocalDateTime time) {
            return ChronoUnit.MICROS.between(EPOCH, time);
        }

        private static int grown(int length, int needed) {
            return needed <= length ? length : Math.max(needed, length + length / 2);
        }
    }
}
