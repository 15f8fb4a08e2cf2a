package dev.why429.analyzers.figure;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Figures;
import dev.why429.analyzers.store.CaseStore;
import java.util.List;

/** Makes the figures of a case. */
public final class Figuring {
    private Figuring() {}

    /** @param store after the last stage; the tables {@code decisions} and {@code seen} of the detection may be there or not */
    public static Figures of(CaseStore store, List<Case.Limiter> limiters) {
        boolean decided = hasTable(store, "decisions");
        return new Figures(
                decided ? BucketViews.of(store, limiters) : List.of(),
                hasTable(store, "seen") ? RetryDelays.of(store) : java.util.Optional.empty(),
                clocks(store),
                decided ? KeySharing.of(store, limiters) : List.of());
    }

    private static List<Figures.ClockOffset> clocks(CaseStore store) {
        if (!hasTable(store, "clock_offsets")) {
            return List.of();
        }
        return store.query(
                """
                SELECT 'F' || c.file AS input, coalesce(nullif(i.node, ''), i.layer) AS node,
                       coalesce(nullif(a.node, ''), a.layer) AS against, c.offset_micros / 1e6 AS offset_seconds,
                       c.uncertainty_micros / 1e6 AS uncertainty_seconds, c.pairs
                FROM clock_offsets c JOIN inputs i ON i.file = c.file JOIN inputs a ON a.file = c.against ORDER BY c.file
                """,
                row -> new Figures.ClockOffset(
                        row.text("input"),
                        row.text("node"),
                        row.text("against"),
                        row.number("offset_seconds"),
                        row.number("uncertainty_seconds"),
                        row.integer("pairs")));
    }

    private static boolean hasTable(CaseStore store, String name) {
        return store.query(
                        "SELECT count(*) > 0 AS there FROM duckdb_tables() WHERE table_name = ?",
                        row -> row.bool("there"),
                        name)
                .get(0);
    }
}
