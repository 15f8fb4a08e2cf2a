package dev.why429.analyzers.figure;

import dev.why429.analyzers.casefile.Figures;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How long after a denial the same client asks the same again, beside how long it takes after an admission. */
final class RetryDelays {
    /** Upper ends; a third of a power of ten each. */
    private static final double[] UNDER_SECONDS = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};

    /** Clients looked at: those with most denials. */
    private static final int MOST_CLIENTS = 200;

    private RetryDelays() {}

    static Optional<Figures.Retries> of(CaseStore store) {
        store.execute("""
                CREATE OR REPLACE TEMP TABLE repetitions AS
                SELECT denied, file, line,
                       -- two stamps of the same second are half of one apart, for all we know
                       CASE WHEN next_us IS NOT NULL THEN greatest(resolution_seconds / 2, (next_us - stamp_us) / 1e6) END AS gap
                FROM (SELECT *, lead(stamp_us) OVER (PARTITION BY who, method, path ORDER BY stamp_us, outer_line) AS next_us
                      FROM seen
                WHERE who IN (SELECT who FROM seen WHERE denied GROUP BY who ORDER BY count(*) DESC, who LIMIT ?))
                """, MOST_CLIENTS);
        List<Figures.Retries> all = store.query(
                """
                WITH waits AS (SELECT file, line, max(retry_after_seconds) AS wait FROM quotas
                               WHERE retry_after_seconds IS NOT NULL AND line IS NOT NULL GROUP BY file, line)
                SELECT count(*) AS denied, count(*) FILTER (r.gap IS NULL) AS not_repeated, count(w.wait) AS waits,
                       count(*) FILTER (r.gap < w.wait) AS early, median(w.wait) AS wait
                FROM repetitions r LEFT JOIN waits w ON w.file = r.file AND w.line = r.line WHERE r.denied
                """,
                row -> new Figures.Retries(
                        row.integer("denied"),
                        row.integer("not_repeated"),
                        row.integer("waits"),
                        row.integer("early"),
                        row.has("wait") ? Optional.of(row.number("wait")) : Optional.empty(),
                        delays(store)));
        store.execute("DROP TABLE repetitions");
        return all.stream().filter(retries -> retries.denied() > 0).findFirst();
    }

    private static List<Figures.DelayBin> delays(CaseStore store) {
        long[] afterDenial = new long[UNDER_SECONDS.length + 1];
        long[] afterAdmission = new long[UNDER_SECONDS.length + 1];
        store.forEach("""
                SELECT CASE WHEN gap < 0.01 THEN 0 WHEN gap < 0.03 THEN 1 WHEN gap < 0.1 THEN 2 WHEN gap < 0.3 THEN 3 WHEN gap < 1 THEN 4
                            WHEN gap < 3 THEN 5 WHEN gap < 10 THEN 6 WHEN gap < 30 THEN 7 WHEN gap < 100 THEN 8 ELSE 9 END AS bin,
                       count(*) FILTER (denied) AS denied, count(*) FILTER (NOT denied) AS admitted
                FROM repetitions WHERE gap IS NOT NULL GROUP BY 1
                """, row -> {
            afterDenial[(int) row.integer("bin")] = row.integer("denied");
            afterAdmission[(int) row.integer("bin")] = row.integer("admitted");
        });
        List<Figures.DelayBin> bins = new ArrayList<>();
        for (int i = 0; i < afterDenial.length; i++) {
            bins.add(new Figures.DelayBin(
                    i < UNDER_SECONDS.length ? Optional.of(UNDER_SECONDS[i]) : Optional.empty(),
                    afterDenial[i],
                    afterAdmission[i]));
        }
        return bins;
    }
}
