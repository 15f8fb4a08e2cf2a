package dev.why429.analyzers.join;

import dev.why429.analyzers.store.CaseStore;
import java.util.List;

/** Writes the joined tables. */
final class Exchanges {
    private static final String OFFSETS =
            "clock_offsets(file INTEGER, against INTEGER, offset_micros BIGINT, uncertainty_micros BIGINT, pairs BIGINT)";

    /** Clocks that differ by less than this are taken as one: less cannot be told from the way between two servers. */
    private static final long SAME_CLOCK_MICROS = 50_000;

    /** Pairs that are enough to estimate an offset. */
    private static final int ENOUGH_PAIRS = 200_000;

    private Exchanges() {}

    /** Nothing to join: views upon the request table. */
    static void eachLineAlone(CaseStore store) {
        store.execute("CREATE TABLE " + OFFSETS);
        store.execute("""
                CREATE VIEW exchange_lines AS
                SELECT (r.file << 40) | r.line AS exchange, r.file::INTEGER AS file, r.line,
                       coalesce(i.layer, 'unknown') AS layer, 0::SMALLINT AS depth, 'alone' AS joined_by
                FROM requests r LEFT JOIN inputs i ON i.file = r.file""");
        store.execute("""
                CREATE VIEW exchanges AS
                SELECT (file << 40) | line AS exchange, arrived_at, arrival_uncertainty_micros, status,
                       file::INTEGER AS outer_file, line AS outer_line, client_ip, peer_ip, forwarded, api_key, "user", tenant,
                       method, path, host, user_agent, request_id, bytes, duration_micros
                FROM requests""");
    }

    /** {@code exchange_lines}: content pairs are followed from the innermost exchange to the outermost. */
    static void lines(CaseStore store, int depths) {
        store.execute(
                "CREATE TEMP TABLE merged AS SELECT inner_exchange AS exchange, min(outer_exchange) AS into_exchange"
                        + " FROM content_pairs GROUP BY inner_exchange");
        for (int i = 2; i < depths; i++) {
            store.execute("CREATE OR REPLACE TEMP TABLE merged AS SELECT m.exchange,"
                    + " coalesce(n.into_exchange, m.into_exchange) AS into_exchange"
                    + " FROM merged m LEFT JOIN merged n ON n.exchange = m.into_exchange");
        }
        store.execute("""
                CREATE TABLE exchange_lines AS
                SELECT coalesce(m.into_exchange, o.exchange) AS exchange, o.file::INTEGER AS file, o.line, p.layer, p.depth,
                       CASE WHEN m.into_exchange IS NOT NULL THEN 'content' WHEN o.shared THEN 'id'
                            WHEN t.into_exchange IS NOT NULL THEN 'content' ELSE 'alone' END AS joined_by
                FROM (SELECT r.file, r.line, coalesce(i.exchange, (r.file << 40) | r.line) AS exchange,
                             coalesce(i.shared, FALSE) AS shared
                      FROM requests r LEFT JOIN id_lines i ON i.file = r.file AND i.line = r.line) o
                JOIN places p ON p.file = o.file
                LEFT JOIN merged m ON m.exchange = o.exchange
                LEFT JOIN (SELECT DISTINCT into_exchange FROM merged) t ON t.into_exchange = o.exchange""");
        for (String table : List.of("merged", "id_lines", "content_pairs")) {
            store.execute("DROP TABLE " + table);
        }
    }

    /** How far each inner log's clock is from that of the log nearest the client. */
    static List<Join.ClockOffset> offsets(CaseStore store) {
        store.execute("CREATE TABLE " + OFFSETS);
        // both stamps are brought to the end of the request; the middle of a second is the best guess within it
        store.execute("""
                INSERT INTO clock_offsets
                SELECT i_file, o_file, median(apart)::BIGINT, max(width) // 2, count(*) FROM (
                  SELECT i.file AS i_file, o.file AS o_file, i.t - o.t AS apart, greatest(i.width, o.width) AS width
                  FROM line_ends i JOIN line_ends o ON o.exchange = i.exchange AND o.depth < i.depth
                  LIMIT %d)
                GROUP BY i_file, o_file""".replace("line_ends", LINE_ENDS).formatted(ENOUGH_PAIRS));
        // against the outermost log only, and of several the one with most pairs
        store.execute("""
                DELETE FROM clock_offsets WHERE (file, against) NOT IN (
                  SELECT (file, against) FROM (
                    SELECT c.file, c.against, row_number() OVER (PARTITION BY c.file ORDER BY p.depth, c.pairs DESC, c.against) AS k
                    FROM clock_offsets c JOIN places p ON p.file = c.against) WHERE k = 1)""");
        return store.query(
                "SELECT * FROM clock_offsets ORDER BY file",
                row -> new Join.ClockOffset(
                        (int) row.integer("file"),
                        (int) row.integer("against"),
                        row.integer("offset_micros"),
                        row.integer("uncertainty_micros"),
                        row.integer("pairs")));
    }

    private static final String LINE_ENDS = """
            (SELECT e.exchange, e.file, e.depth, p.resolution_micros AS width,
                    epoch_us(r.logged_at) + p.resolution_micros // 2
                      + CASE WHEN p.end_stamped THEN 0 ELSE coalesce(r.duration_micros, 0) END AS t
             FROM exchange_lines e JOIN requests r USING (file, line) JOIN places p USING (file)
             WHERE e.joined_by <> 'alone')""";

    /**
     * {@code exchanges}: of each field the value of the outermost line that has it; the arrival is the tightest, brought to the clock of the
     * outermost log where the offset between the clocks is more than their stamps leave open.
     */
    static void rows(CaseStore store) {
        store.execute("""
                CREATE TABLE exchanges AS
                SELECT exchange,
                       coalesce(arg_min(arrival, uncertainty), arg_min(logged_arrival, place)) AS arrived_at,
                       min(uncertainty) AS arrival_uncertainty_micros,
                       arg_min(status, place) AS status,
                       arg_min(file, place)::INTEGER AS outer_file, arg_min(line, place) AS outer_line,
                       arg_min(client_ip, place) AS client_ip, arg_min(peer_ip, place) AS peer_ip,
                       arg_min(forwarded, place) AS forwarded, arg_min(api_key, place) AS api_key,
                       arg_min("user", place) AS "user", arg_min(tenant, place) AS tenant,
                       arg_min(method, place) AS method, arg_min(path, place) AS path, arg_min(host, place) AS host,
                       arg_min(user_agent, place) AS user_agent, arg_min(request_id, place) AS request_id,
                       arg_min(bytes, place) AS bytes, arg_min(duration_micros, place) AS duration_micros
                FROM (
                  SELECT e.exchange, r.*, r.arrived_at AS logged_arrival,
                         (e.depth * 2 + CASE WHEN r.duration_micros IS NULL THEN 1 ELSE 0 END) AS place,
                         r.arrived_at - to_microseconds(CASE
                           WHEN abs(coalesce(c.offset_micros, 0)) > coalesce(c.uncertainty_micros, 0) + %d THEN c.offset_micros
                           ELSE 0 END) AS arrival,
                         r.arrival_uncertainty_micros AS uncertainty
                  FROM exchange_lines e JOIN requests r USING (file, line)
                  LEFT JOIN clock_offsets c ON c.file = e.file)
                GROUP BY exchange""".formatted(SAME_CLOCK_MICROS));
    }
}
