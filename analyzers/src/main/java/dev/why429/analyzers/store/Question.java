package dev.why429.analyzers.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A question of the user's own, in SQL, to a case that is open for reading only. */
public final class Question {
    private Question() {}

    /** Takes the answer row by row. */
    public interface Answer {
        void columns(List<Column> columns);

        /** @param cells in the order of the columns; NULL is empty */
        void row(List<Optional<String>> cells);
    }

    /** @param number whether its values are numbers */
    public record Column(String name, boolean number) {}

    /** @throws StoreException when DuckDB refuses the question, with its own words */
    public static void ask(CaseStore store, String sql, Answer answer) {
        try (PreparedStatement statement = store.connection().prepareStatement(sql)) {
            try (ResultSet result = statement.executeQuery()) {
                ResultSetMetaData about = result.getMetaData();
                List<Column> columns = new ArrayList<>();
                for (int i = 1; i <= about.getColumnCount(); i++) {
                    columns.add(new Column(about.getColumnLabel(i), isNumber(about.getColumnType(i))));
                }
                answer.columns(List.copyOf(columns));
                while (result.next()) {
                    List<Optional<String>> cells = new ArrayList<>(columns.size());
                    for (int i = 1; i <= columns.size(); i++) {
                        cells.add(Optional.ofNullable(result.getString(i)));
                    }
                    answer.row(cells);
                }
            }
        } catch (SQLException e) {
            throw new StoreException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isNumber(int type) {
        return switch (type) {
            case java.sql.Types.TINYINT,
                    java.sql.Types.SMALLINT,
                    java.sql.Types.INTEGER,
                    java.sql.Types.BIGINT,
                    java.sql.Types.DECIMAL,
                    java.sql.Types.NUMERIC,
                    java.sql.Types.FLOAT,
                    java.sql.Types.REAL,
                    java.sql.Types.DOUBLE -> true;
            default -> false;
        };
    }
}
