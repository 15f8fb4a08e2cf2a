package dev.why429.analyzers.attribute;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.util.List;

/**
 * Limiters that only say what they would have denied: nginx {@code limit_req_dry_run} ({@code REJECTED_DRY_RUN} in the access log, "dry run" in the
 * error log). Such a line is no denial; how many there are is told, so that nobody takes them for one.
 */
final class DryRuns {
    private DryRuns() {}

    /** One for each log file with such lines. */
    static List<Case.BlindSpot> find(CaseStore store) {
        return store.query(
                """
                SELECT file, count(*) AS lines, min(line) AS first FROM (
                    SELECT file, line FROM requests WHERE limit_status LIKE '%DRY_RUN%'
                    UNION ALL SELECT file, line FROM notices WHERE kind = 'limiter_dry_run')
                GROUP BY file ORDER BY file""",
                row -> {
                    String file = "F" + row.integer("file");
                    return new Case.BlindSpot(
                            row.integer("lines") + " line(s) of " + file + ", the first " + file + ":"
                                    + row.integer("first")
                                    + ", tell what a limiter in dry run would have refused; nothing was denied by it, and they"
                                    + " are not counted as denials",
                            "the limiter without dry run, when its denials are to be counted");
                });
    }
}
