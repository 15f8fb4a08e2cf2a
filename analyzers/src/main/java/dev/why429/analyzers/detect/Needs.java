package dev.why429.analyzers.detect;

import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Detector;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether the tables hold what a detector asks for. */
final class Needs {
    private Needs() {}

    /** The first need that the case does not meet. */
    static Optional<Detector.Need> unmet(CaseStore store, Detector detector) {
        return detector.needs().stream().filter(need -> !met(store, need)).findFirst();
    }

    private static boolean met(CaseStore store, Detector.Need need) {
        String filled = need.anyOf().isEmpty()
                ? "true"
                : need.anyOf().stream()
                        .map(column -> "nullif(CAST(\"" + column + "\" AS VARCHAR), '') IS NOT NULL")
                        .collect(Collectors.joining(" OR "));
        return rows(store, need.table(), filled, need.atLeast())
                || need.orTables().stream().anyMatch(table -> rows(store, table, "true", 1));
    }

    private static boolean rows(CaseStore store, String table, String filled, int atLeast) {
        return store.query(
                        "SELECT count(*) AS n FROM (SELECT 1 FROM " + table + " WHERE " + filled + " LIMIT " + atLeast
                                + ")",
                        row -> row.integer("n") >= atLeast)
                .get(0);
    }
}
