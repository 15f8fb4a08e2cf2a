package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Fills decision logs from the tables of a case: {@code inputs}, {@code requests}, {@code notices}, {@code exchanges}, {@code exchange_lines} and
 * {@code attributions}.
 */
public final class DecisionLogs {
    /** Lines of the logs in which a limiter's denials stand: every request that reached it, once per node that was asked. */
    private static final String DECISIONS = """
            WITH denials AS (
                SELECT file, line, any_value(exchange) AS exchange FROM attributions
                WHERE layer = ? AND component = ? AND reason = 'limit' AND (visible OR ?) GROUP BY file, line),
            others AS (
                SELECT file, line FROM attributions
                WHERE layer = ? AND NOT (component = ? AND reason = 'limit') GROUP BY file, line),
            outer_denials AS (
                SELECT DISTINCT exchange FROM attributions WHERE ? AND visible AND layer IN ('cdn', 'gateway') AND layer <> ?),
            decided AS (
                SELECT l.exchange, l.file, l.line, (d.line IS NOT NULL) AS denied
                FROM exchange_lines l
                LEFT JOIN denials d ON d.file = l.file AND d.line = l.line
                WHERE list_contains(string_split(?, ','), CAST(l.file AS VARCHAR))
                  AND NOT EXISTS (SELECT 1 FROM others o WHERE o.file = l.file AND o.line = l.line AND d.line IS NULL)
                  AND NOT EXISTS (SELECT 1 FROM outer_denials o WHERE o.exchange = l.exchange)),
            once AS (
                SELECT x.* FROM decided x JOIN requests r USING (file, line)
                QUALIFY row_number() OVER (PARTITION BY x.exchange, x.file, r.status ORDER BY x.denied DESC, x.line) = 1)
            SELECT o.file, o.line, o.denied, i.node, i.layer AS file_layer, i.time_means, r.upstream_addr,
                   CAST(coalesce(i.time_resolution_seconds, 1) * 1000000 AS BIGINT) AS resolution,
                   epoch_us(r.logged_at) AS stamp, epoch_us(r.arrived_at) AS own_arrival,
                   coalesce(r.arrival_uncertainty_micros, -1) AS own_uncertainty, coalesce(r.duration_micros, -1) AS duration,
                   coalesce(epoch_us(e.arrived_at), 0) AS arrival, coalesce(e.arrival_uncertainty_micros, -1) AS uncertainty,
                   r.client_ip AS own_client, r.peer_ip AS own_peer, e.client_ip, e.peer_ip, coalesce(e.forwarded, r.forwarded) AS forwarded,
                   coalesce(r.api_key, e.api_key) AS api_key, coalesce(r."user", e."user") AS "user",
                   coalesce(r.tenant, e.tenant) AS tenant, coalesce(e.method, r.method) AS method,
                   coalesce(e.path, r.path) AS path, coalesce(e.host, r.host) AS host,
                   regexp_extract(r.response_headers, '(?i)"(?:x-)?rate-?limit[^{}]*') AS quota
            FROM once o JOIN requests r USING (file, line) JOIN inputs i USING (file) LEFT JOIN exchanges e USING (exchange)
            ORDER BY o.file, o.line""";

    private DecisionLogs() {}

    /** One log for each component of each layer that denied something, and of that for each zone that nginx names beside its denials. */
    public static List<DecisionLog> from(CaseStore store) {
        record Limiter(String layer, String component) {}
        List<Limiter> limiters = store.query("""
                SELECT layer, component FROM attributions WHERE reason = 'limit' AND layer <> 'third_party'
                GROUP BY layer, component ORDER BY layer, component""", row -> new Limiter(row.text("layer"), row.text("component")));
        List<DecisionLog> logs = new ArrayList<>();
        for (Limiter limiter : limiters) {
            logs.addAll(logsOf(store, limiter.layer(), limiter.component()));
        }
        return List.copyOf(logs);
    }

    private static List<DecisionLog> logsOf(CaseStore store, String layer, String component) {
        // the logs in which the denials stand, and those of the same software on other nodes
        List<String> files = store.query("""
                SELECT DISTINCT CAST(other.file AS VARCHAR) AS file
                FROM attributions a JOIN inputs i USING (file)
                JOIN inputs other ON other.layer = i.layer AND other.component IS NOT DISTINCT FROM i.component AND other.requests > 0
                WHERE a.layer = ? AND a.component = ? AND a.reason = 'limit'
                  AND (i.layer = a.layer OR NOT EXISTS (
                      SELECT 1 FROM attributions b JOIN inputs own USING (file)
                      WHERE b.layer = a.layer AND b.component = a.component AND own.layer = b.layer))""", row -> row.text("file"), layer, component);
        if (files.isEmpty()) {
            return List.of();
        }
        boolean own = !store.query(
                        "SELECT 1 AS one FROM inputs WHERE layer = ? AND list_contains(string_split(?, ','), CAST(file AS VARCHAR)) LIMIT 1",
                        row -> row.integer("one"),
                        layer,
                        String.join(",", files))
                .isEmpty();
        DecisionRows rows = new DecisionRows(layer, component, own);
        store.forEach(
                DECISIONS, rows::add, layer, component, own, layer, component, !own, layer, String.join(",", files));
        rows.excess(new ExcessNotices(store, String.join(",", files)));
        if (rows.denials() == 0) {
            return List.of();
        }
        List<DecisionLog> logs = new ArrayList<>();
        Set<String> zones = rows.zones();
        if (zones.size() > 1) {
            for (String zone : zones) {
                logs.add(rows.log(zone));
            }
        } else {
            logs.add(rows.log(""));
        }
        return logs;
    }
}
