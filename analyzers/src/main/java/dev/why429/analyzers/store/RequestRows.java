package dev.why429.analyzers.store;

import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The stored part of the request table. A column that no line of these logs can fill costs a third of the loading and holds nothing, so
 * {@code request_rows} has only the others, and {@code requests} is a view on it that has every column of the dictionary.
 */
final class RequestRows {
    static final String TABLE = "request_rows";

    /** Where requests wait whose columns were not known when the table was made. */
    static final String LATE = "late_request_rows";

    private RequestRows() {}

    static void prepareLate(CaseStore store) {
        store.execute(Fields.dictionary().of(Field.Table.REQUESTS).stream()
                .map(RequestRows::column)
                .collect(Collectors.joining(", ", "CREATE OR REPLACE TABLE " + LATE + "(", ")")));
    }

    /** Gives the table the columns that late requests fill, and the requests. */
    static void takeLate(CaseStore store) {
        List<Field> all = Fields.dictionary().of(Field.Table.REQUESTS);
        String counts = all.stream()
                .map(field -> "count(\"" + field.name() + "\") AS \"" + field.name() + '"')
                .collect(Collectors.joining(", "));
        List<Field> filled = new ArrayList<>();
        store.forEach(
                "SELECT " + counts + " FROM " + LATE,
                row -> all.stream()
                        .filter(field -> row.integer(field.name()) > 0)
                        .forEach(filled::add));
        if (!filled.isEmpty()) {
            prepare(store, filled);
            String names =
                    filled.stream().map(field -> '"' + field.name() + '"').collect(Collectors.joining(", "));
            store.execute("INSERT INTO " + TABLE + "(" + names + ") SELECT " + names + " FROM " + LATE);
        }
        store.execute("DROP TABLE " + LATE);
    }

    /** Gives the table the columns that are needed, besides those that it has. */
    static void prepare(CaseStore store, List<Field> needed) {
        Set<String> there = new LinkedHashSet<>(store.query(
                "SELECT column_name FROM information_schema.columns WHERE table_name = ? ORDER BY ordinal_position",
                row -> row.text("column_name"),
                TABLE));
        List<Field> missing =
                needed.stream().filter(field -> !there.contains(field.name())).toList();
        if (there.isEmpty()) {
            store.execute("DROP TABLE IF EXISTS requests");
            store.execute(missing.stream()
                    .map(RequestRows::column)
                    .collect(Collectors.joining(", ", "CREATE TABLE " + TABLE + "(", ")")));
        } else {
            missing.forEach(field -> store.execute("ALTER TABLE " + TABLE + " ADD COLUMN " + column(field)));
        }
        missing.forEach(field -> there.add(field.name()));
        store.execute(Fields.dictionary().of(Field.Table.REQUESTS).stream()
                .map(field -> there.contains(field.name())
                        ? '"' + field.name() + '"'
                        : "CAST(NULL AS " + CaseStore.sqlType(field) + ") AS \"" + field.name() + '"')
                .collect(Collectors.joining(", ", "CREATE OR REPLACE VIEW requests AS SELECT ", " FROM " + TABLE)));
    }

    private static String column(Field field) {
        return '"' + field.name() + "\" " + CaseStore.sqlType(field);
    }
}
