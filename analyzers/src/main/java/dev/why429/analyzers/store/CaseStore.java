package dev.why429.analyzers.store;

import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;

/**
 * The tables of one case, in a DuckDB file of its own. The only place that knows DuckDB. Opened without external access, without loading of
 * extensions, and with its configuration locked: DuckDB reads nothing but its own file.
 */
public final class CaseStore implements AutoCloseable {
    private static final String SPILL_FOLDER = "duckdb-spill";

    private final DuckDBConnection connection;

    private CaseStore(DuckDBConnection connection) {
        this.connection = connection;
    }

    /**
     * Makes an empty case.
     *
     * @param file must not exist
     * @param spillFolder below it DuckDB puts what does not fit the memory, in a folder of its own that is gone at the end
     */
    public static CaseStore create(Path file, Path spillFolder, int threads, int memoryMegabytes) {
        CaseStore store = open(file, spillFolder, threads, memoryMegabytes, false);
        store.execute(tableOf("requests", Field.Table.REQUESTS));
        store.execute(tableOf("notices", Field.Table.NOTICES));
        store.execute(
                "CREATE TABLE rejects(file INTEGER, line BIGINT, byte_offset BIGINT, reason VARCHAR, text VARCHAR)");
        return store;
    }

    /** Opens the case that is there, for questions only. */
    public static CaseStore read(Path file, Path spillFolder, int threads, int memoryMegabytes) {
        return open(file, spillFolder, threads, memoryMegabytes, true);
    }

    private static CaseStore open(Path file, Path spillFolder, int threads, int memoryMegabytes, boolean readOnly) {
        Properties settings = new Properties();
        if (readOnly) {
            settings.setProperty("access_mode", "READ_ONLY");
        } else {
            // the newest DuckDB's own layout is refused by older ones; this one any DuckDB from 1.2 on opens
            settings.setProperty("storage_compatibility_version", "v1.2.0");
        }
        try {
            // DuckDB makes the last folder of its path only
            Files.createDirectories(spillFolder);
            Connection opened = DriverManager.getConnection("jdbc:duckdb:" + file, settings);
            CaseStore store = new CaseStore(opened.unwrap(DuckDBConnection.class));
            store.execute("SET threads=" + threads);
            store.execute("SET preserve_insertion_order=false");
            store.execute("SET memory_limit='" + memoryMegabytes + "MB'");
            // DuckDB lets SQL read and write what lies in its temporary folder, so that folder must hold nothing else
            store.execute("SET temp_directory="
                    + quoted(spillFolder.resolve(SPILL_FOLDER).toAbsolutePath().toString()));
            // trying these on every column takes a quarter of the loading, and saves a sixth of the file
            store.execute("SET disabled_compression_methods='fsst,dict_fsst,zstd'");
            store.execute("SET TimeZone='UTC'");
            store.execute("SET autoinstall_known_extensions=false");
            store.execute("SET autoload_known_extensions=false");
            store.execute("SET allow_community_extensions=false");
            store.execute("SET enable_external_access=false");
            store.execute("SET lock_configuration=true");
            return store;
        } catch (IOException | SQLException e) {
            throw new StoreException("cannot open the case \"" + file + "\": " + e.getMessage(), e);
        }
    }

    private static String tableOf(String name, Field.Table table) {
        return Fields.dictionary().of(table).stream()
                .map(field -> '"' + field.name() + "\" " + sqlType(field))
                .collect(Collectors.joining(", ", "CREATE TABLE " + name + "(", ")"));
    }

    static String sqlType(Field field) {
        return switch (field.type()) {
            case TEXT -> "VARCHAR";
            case INTEGER -> "BIGINT";
            case INSTANT -> "TIMESTAMP";
            case NUMBER -> "DOUBLE";
            case FLAG -> "BOOLEAN";
        };
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** The connection, for what else this package does. */
    DuckDBConnection connection() {
        return connection;
    }

    /** One more connection to the same database, for work beside; the caller closes it. */
    DuckDBConnection another() throws SQLException {
        return connection.duplicate().unwrap(DuckDBConnection.class);
    }

    /** Appends rows to a table of this case. */
    public TableWriter writer(String table) {
        List<String> types = query(
                "SELECT data_type FROM duckdb_columns() WHERE table_name = ? AND NOT internal ORDER BY column_index",
                row -> row.text("data_type"),
                table);
        return new TableWriter(connection, table, types);
    }

    /** Reads a whole result into arrays. */
    public Columns columns(String sql, Object... parameters) {
        try (DuckDBPreparedStatement statement = connection.prepare(sql)) {
            bind(statement, parameters);
            return Columns.of(statement);
        } catch (SQLException e) {
            throw new StoreException(e.getMessage() + "\nin: " + sql, e);
        }
    }

    /**
     * Runs one statement.
     *
     * @param sql a constant text; values go into the parameters
     * @return rows changed, 0 where the statement changes none
     */
    public long execute(String sql, Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            statement.execute();
            return Math.max(0, statement.getUpdateCount());
        } catch (SQLException e) {
            throw new StoreException(e.getMessage() + "\nin: " + sql, e);
        }
    }

    /** Reads all rows of a result that is small. */
    public <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) {
        List<T> rows = new ArrayList<>();
        forEach(sql, row -> rows.add(reader.read(row)), parameters);
        return rows;
    }

    /** Goes through a result row by row. */
    public void forEach(String sql, RowConsumer consumer, Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet result = statement.executeQuery()) {
                Row row = new Row(result);
                while (result.next()) {
                    consumer.accept(row);
                }
            }
        } catch (SQLException e) {
            throw new StoreException(e.getMessage() + "\nin: " + sql, e);
        }
    }

    private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Object value = parameters[i] instanceof Instant instant
                    ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
                    : parameters[i];
            statement.setObject(i + 1, value);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new StoreException("cannot close the case: " + e.getMessage(), e);
        }
    }

    /** Makes a value of one row. */
    public interface RowReader<T> {
        T read(Row row);
    }

    /** Takes one row. */
    public interface RowConsumer {
        void accept(Row row);
    }

    /** One row of a result; a text that is NULL is empty, a number that is NULL is 0: ask {@link #has} where that matters. */
    public static final class Row {
        private final ResultSet result;

        Row(ResultSet result) {
            this.result = result;
        }

        public boolean has(String column) {
            return get(() -> result.getObject(column) != null);
        }

        public String text(String column) {
            return get(() -> {
                String text = result.getString(column);
                return text == null ? "" : text;
            });
        }

        public long integer(String column) {
            return get(() -> result.getLong(column));
        }

        public double number(String column) {
            return get(() -> result.getDouble(column));
        }

        /** A VARCHAR[]; empty when NULL. */
        public List<String> texts(String column) {
            return get(() -> {
                Array array = result.getArray(column);
                List<String> texts = new ArrayList<>();
                if (array != null) {
                    for (Object element : (Object[]) array.getArray()) {
                        texts.add(String.valueOf(element));
                    }
                }
                return List.copyOf(texts);
            });
        }

        public boolean bool(String column) {
            return get(() -> result.getBoolean(column));
        }

        /** @throws StoreException when it is NULL */
        public Instant instant(String column) {
            return get(() -> {
                // never through the JVM's own zone
                LocalDateTime stamp = result.getObject(column, LocalDateTime.class);
                if (stamp == null) {
                    throw new StoreException("\"" + column + "\" is NULL", null);
                }
                return stamp.toInstant(ZoneOffset.UTC);
            });
        }

        private static <T> T get(Getter<T> getter) {
            try {
                return getter.get();
            } catch (SQLException e) {
                throw new StoreException(e.getMessage(), e);
            }
        }

        private interface Getter<T> {
            T get() throws SQLException;
        }
    }
}
