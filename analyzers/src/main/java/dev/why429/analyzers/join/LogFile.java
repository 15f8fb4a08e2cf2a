package dev.why429.analyzers.join;

import dev.why429.analyzers.store.CaseStore;
import java.util.List;

/**
 * One log as the join sees it.
 *
 * @param layer cdn, gateway, app, third_party or unknown
 * @param node empty when nobody said it
 * @param endStamped its stamps are of the end of a request
 * @param resolutionMicros step of its stamps
 * @param requests lines that are requests
 * @param idLike lines with a request id that can be shared with another log: long enough, no counter
 * @param statuses lines with a status
 * @param durations lines with a duration
 * @param upstreams lines that name the next hop's status or address: 0 means the format does not log it
 * @param clients distinct client addresses, approximately
 */
public record LogFile(
        int file,
        String layer,
        String component,
        String node,
        boolean endStamped,
        long resolutionMicros,
        long requests,
        long idLike,
        long statuses,
        long durations,
        long upstreams,
        long clients) {
    /**
     * An id that several requests of one process count up is shared with nothing: {@code 17}, {@code req-1a}. Eight characters of a random id
     * in hexadecimal are already unlikely to meet by chance in one incident.
     */
    static final String USABLE_ID =
            "length(request_id) >= 8 AND NOT regexp_matches(request_id, '^(req-?)?[0-9]{1,10}$|^req-.{1,6}$')";

    /** Every log that holds requests, in the order of its number. */
    public static List<LogFile> all(CaseStore store) {
        return store.query(
                """
                SELECT i.file, coalesce(i.layer, 'unknown') AS layer, coalesce(i.component, '') AS component,
                       coalesce(i.node, '') AS node, coalesce(i.time_means, 'end') AS time_means,
                       coalesce(i.time_resolution_seconds, 1.0) AS resolution, r.*
                FROM inputs i JOIN (
                  SELECT file AS f, count(*) AS n, count(*) FILTER (WHERE request_id IS NOT NULL AND %s) AS ids,
                         count(status) AS statuses, count(duration_micros) AS durations,
                         count(*) FILTER (WHERE upstream_status IS NOT NULL OR upstream_addr IS NOT NULL) AS upstreams,
                         approx_count_distinct(client_ip) AS clients
                  FROM requests GROUP BY file) r ON r.f = i.file
                ORDER BY i.file""".formatted(USABLE_ID),
                row -> new LogFile(
                        (int) row.integer("file"),
                        row.text("layer"),
                        row.text("component"),
                        row.text("node"),
                        row.text("time_means").equals("end"),
                        Math.round(row.number("resolution") * 1e6),
                        row.integer("n"),
                        row.integer("ids"),
                        row.integer("statuses"),
                        row.integer("durations"),
                        row.integer("upstreams"),
                        row.integer("clients")));
    }

    LogFile withLayer(String other) {
        return new LogFile(
                file,
                other,
                component,
                node,
                endStamped,
                resolutionMicros,
                requests,
                idLike,
                statuses,
                durations,
                upstreams,
                clients);
    }

    /** Logs of one server: several files of it (rotated, or written twice) have the same place in the chain. */
    String server() {
        return node.isEmpty() ? layer + "/" + file : layer + "/" + component + "/" + node;
    }

    boolean logsUpstream() {
        return upstreams > 0;
    }
}
