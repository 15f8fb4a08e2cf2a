package dev.why429.analyzers.join;

import dev.why429.analyzers.store.CaseStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Joins lines by the id that several logs share. Fills the temporary table {@code id_lines(file, line, exchange, shared)}.
 *
 * <p>An id that a client sends again with its retry is several requests: where the outermost log has it more than once, the first line there
 * belongs to the first line of each log further in, and so on.
 */
final class IdJoin {
    /** depth, file and line in one number, so that the smallest is the outermost line. */
    private static final String PLACE = "((l.depth::BIGINT << 58) | (l.file::BIGINT << 40) | l.line)";

    private static final long EXCHANGE_BITS = (1L << 58) - 1;

    private final Set<Integer> linked;

    private IdJoin(Set<Integer> linked) {
        this.linked = Set.copyOf(linked);
    }

    /** Whether the log's lines were found in a log nearer the client. */
    boolean linkedOutwards(int file) {
        return linked.contains(file);
    }

    static IdJoin run(CaseStore store, List<LogFile> files, Chain chain) {
        String wanted = files.stream()
                .filter(file -> file.idLike() > 0)
                .map(file -> Integer.toString(file.file()))
                .collect(Collectors.joining(","));
        store.execute("CREATE TEMP TABLE id_lines(file INTEGER, line BIGINT, exchange BIGINT, shared BOOLEAN)");
        if (wanted.isEmpty()) {
            return new IdJoin(Set.of());
        }
        store.execute("CREATE TEMP TABLE ids AS SELECT hash(request_id) AS id, r.file, r.line, p.depth, r.logged_at,"
                + " (r.status IS NOT NULL AND (r.duration_micros IS NOT NULL OR d.durations = 0)) AS complete"
                + " FROM requests r JOIN places p USING (file)"
                + " JOIN (SELECT file, count(duration_micros) AS durations FROM requests GROUP BY file) d USING (file)"
                + " WHERE r.file IN (" + wanted + ") AND request_id IS NOT NULL AND " + LogFile.USABLE_ID);
        store.execute("CREATE TEMP TABLE id_heads AS SELECT id, min(" + PLACE + ") AS head, count(*) AS lines,"
                + " min(l.depth) AS depth, bit_or(1::BIGINT << (l.file % 62)) AS files FROM ids l GROUP BY id");
        store.execute("INSERT INTO id_lines SELECT l.file, l.line, h.head & " + EXCHANGE_BITS + ", h.lines > 1"
                + " FROM ids l JOIN id_heads h USING (id) WHERE h.lines <= bit_count(h.files)");
        repeated(store);
        Set<Integer> linked = new HashSet<>();
        for (LogFile file : files) {
            if (chain.depth(file.file()) > 0 && file.idLike() > 0 && sharesWithOuter(store, file, chain)) {
                linked.add(file.file());
            }
        }
        store.execute("DROP TABLE ids");
        store.execute("DROP TABLE id_heads");
        return new IdJoin(linked);
    }

    private static boolean sharesWithOuter(CaseStore store, LogFile file, Chain chain) {
        return store.query("""
                        SELECT count(*) AS n FROM (SELECT 1 FROM id_lines i JOIN places p ON p.file = (i.exchange >> 40)
                        WHERE i.file = ? AND p.depth < ? LIMIT 1)""", row -> row.integer("n"), file.file(), chain.depth(file.file()))
                        .get(0)
                > 0;
    }

    /** Ids that one log has several times: double lines of one request, tries on the same node, or a client's own id sent again. */
    private static void repeated(CaseStore store) {
        store.execute("""
                CREATE TEMP TABLE id_again AS
                SELECT l.*, h.depth AS outer_depth,
                       CASE WHEN complete THEN row_number() OVER seen
                            ELSE 1 + count(*) FILTER (WHERE complete) OVER before END AS turn
                FROM ids l JOIN id_heads h USING (id) WHERE h.lines > bit_count(h.files)
                WINDOW seen AS (PARTITION BY id, l.file, complete ORDER BY logged_at, line),
                       before AS (PARTITION BY id, l.file ORDER BY logged_at, line
                                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)""");
        store.execute("CREATE TEMP TABLE id_turns AS SELECT id, greatest(1, coalesce(max(turn)"
                + " FILTER (WHERE complete AND depth = outer_depth), 1)) AS turns FROM id_again GROUP BY id");
        store.execute("""
                INSERT INTO id_lines
                SELECT l.file, l.line, min(%s) OVER (PARTITION BY l.id, least(l.turn, t.turns)) & %d,
                       count(*) OVER (PARTITION BY l.id, least(l.turn, t.turns)) > 1
                FROM id_again l JOIN id_turns t USING (id)""".formatted(PLACE, EXCHANGE_BITS));
        store.execute("DROP TABLE id_again");
        store.execute("DROP TABLE id_turns");
    }
}
