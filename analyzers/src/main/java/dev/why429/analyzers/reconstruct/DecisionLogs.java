package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.store.Columns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Fills decision logs from the tables of a case: {@code inputs}, {@code requests}, {@code notices}, {@code exchanges}, {@code exchange_lines} and
 * {@code attributions}.
 */
public final class DecisionLogs {
    /**
     * Lines of the logs in which a limiter's denials stand: every request that reached it, once per node that was asked. Where one server writes
     * two logs of the same requests, only the one with the finer stamps counts. Lines that a server wrote out of order are put in the order of
     * their stamps; where the stamps step back once or twice it was the clock, and the lines are in order.
     */
    private static final String DECISIONS = """
            WITH denials AS (
                SELECT file, line FROM attributions
                WHERE layer = ? AND list_contains(string_split(?, chr(10)), component) AND reason = 'limit' AND (visible OR ?)
                GROUP BY file, line),
            others AS (
                SELECT file, line FROM attributions
                WHERE layer = ? AND NOT (list_contains(string_split(?, chr(10)), component) AND reason = 'limit')
                GROUP BY file, line),
            outer_denials AS (
                SELECT DISTINCT exchange FROM attributions WHERE ? AND visible AND layer IN ('cdn', 'gateway') AND layer <> ?),
            lines AS (
                SELECT l.exchange, l.file, l.line, l.joined_by = 'content' AS guessed FROM exchange_lines l
                WHERE list_contains(string_split(?, ','), CAST(l.file AS VARCHAR))),
            sizes AS (SELECT file, count(DISTINCT exchange) AS size FROM lines GROUP BY file),
            twins AS (
                SELECT a.file, b.file AS first
                FROM lines a JOIN lines b ON a.exchange = b.exchange AND a.file > b.file
                JOIN inputs i ON i.file = a.file JOIN inputs j ON j.file = b.file
                JOIN sizes s ON s.file = a.file JOIN sizes t ON t.file = b.file
                WHERE coalesce(i.node, j.node, '') = coalesce(j.node, i.node, '')
                GROUP BY a.file, b.file HAVING count(DISTINCT a.exchange) >= 0.9 * least(any_value(s.size), any_value(t.size))),
            decided AS (
                SELECT l.*, (d.line IS NOT NULL) AS denied, coalesce(w.first, l.file) AS log, r.status,
                       (d.line IS NULL AND o.line IS NOT NULL) AS other
                FROM lines l JOIN requests r ON r.file = l.file AND r.line = l.line
                LEFT JOIN denials d ON d.file = l.file AND d.line = l.line
                LEFT JOIN others o ON o.file = l.file AND o.line = l.line
                LEFT JOIN (SELECT file, min(first) AS first FROM twins GROUP BY file) w ON w.file = l.file
                WHERE NOT EXISTS (SELECT 1 FROM outer_denials x WHERE x.exchange = l.exchange)),
            once AS (
                SELECT x.exchange, x.file, x.line, x.guessed,
                       bool_or(x.denied) OVER (PARTITION BY x.exchange, x.log, x.status) AS denied,
                       bool_or(x.other) OVER (PARTITION BY x.exchange, x.log, x.status) AS other
                FROM decided x JOIN inputs i ON i.file = x.file
                QUALIFY row_number() OVER (PARTITION BY x.exchange, x.log, x.status
                    ORDER BY i.time_resolution_seconds, CASE WHEN x.file = x.log THEN x.denied END DESC, x.file, x.line) = 1),
            disorder AS (
                SELECT file, count(*) FILTER (WHERE logged_at < before) AS back
                FROM (SELECT r.file, r.logged_at, lag(r.logged_at) OVER (PARTITION BY r.file ORDER BY r.line) AS before
                      FROM requests r WHERE r.file IN (SELECT file FROM sizes))
                GROUP BY file)
            SELECT o.file, o.line, o.denied, o.guessed, i.node, i.time_means = 'start' AS start_stamp, r.upstream_addr,
                   CAST(coalesce(i.time_resolution_seconds, 1) * 1000000 AS BIGINT) AS resolution,
                   coalesce(epoch_us(r.logged_at), 0) AS stamp, coalesce(epoch_us(r.arrived_at), 0) AS own_arrival,
                   coalesce(r.arrival_uncertainty_micros, -1) AS own_uncertainty, coalesce(r.duration_micros, -1) AS duration,
                   coalesce(e.outer_file, -1) AS outer_file, coalesce(e.outer_line, -1) AS outer_line,
                   coalesce(epoch_us(e.arrived_at), 0) AS arrival, coalesce(e.arrival_uncertainty_micros, -1) AS uncertainty,
                   r.client_ip AS own_client, r.peer_ip AS own_peer, e.client_ip, e.peer_ip, coalesce(e.forwarded, r.forwarded) AS forwarded,
                   coalesce(r.api_key, e.api_key) AS api_key, coalesce(r."user", e."user") AS "user",
                   coalesce(r.tenant, e.tenant) AS tenant, coalesce(e.method, r.method) AS method,
                   coalesce(e.path, r.path) AS path, coalesce(e.host, r.host) AS host,
                   regexp_extract(r.response_headers, '(?i)"(?:x-)?rate-?limit[^{}]*') AS quota
            FROM once o JOIN requests r ON r.file = o.file AND r.line = o.line JOIN inputs i ON i.file = o.file
            LEFT JOIN exchanges e ON e.exchange = o.exchange
            LEFT JOIN disorder b ON b.file = o.file
            WHERE NOT (o.other AND NOT o.denied)
            ORDER BY o.file, CASE WHEN b.back > 3 THEN r.logged_at END, o.line""";

    private DecisionLogs() {}

    /**
     * The logs of one layer.
     *
     * @param apart one for each component that denied something, and of that for each zone that nginx names beside its denials
     * @param together where several components are named in the same logs: all their denials as if of one; otherwise empty
     */
    record OfLayer(List<DecisionLog> apart, Optional<DecisionLog> together) {}

    /** One log for each component of each layer that denied something. */
    public static List<DecisionLog> from(CaseStore store) {
        return byLayer(store).stream().flatMap(l -> l.apart().stream()).toList();
    }

    static List<OfLayer> byLayer(CaseStore store) {
        record Limiter(String layer, String component) {}
        List<Limiter> limiters = store.query("""
                SELECT layer, component FROM attributions WHERE reason = 'limit' AND layer <> 'third_party'
                GROUP BY layer, component ORDER BY layer, count(*) DESC, component""", row -> new Limiter(row.text("layer"), row.text("component")));
        List<OfLayer> layers = new ArrayList<>();
        for (String layer : limiters.stream().map(Limiter::layer).distinct().toList()) {
            List<String> components = limiters.stream()
                    .filter(l -> l.layer().equals(layer))
                    .map(Limiter::component)
                    .toList();
            List<DecisionLog> apart = new ArrayList<>();
            Set<List<String>> files = new HashSet<>();
            for (String component : components) {
                List<String> own = filesOf(store, layer, component);
                files.add(own);
                apart.addAll(logsOf(store, layer, component, List.of(component), own));
            }
            Optional<DecisionLog> together = apart.size() > 1 && apart.size() == components.size() && files.size() == 1
                    ? logsOf(
                                    store,
                                    layer,
                                    components.get(0),
                                    components,
                                    files.iterator().next())
                            .stream()
                            .findFirst()
                    : Optional.empty();
            layers.add(new OfLayer(List.copyOf(apart), together));
        }
        return List.copyOf(layers);
    }

    /** The logs in which the denials stand, and those of the same software on other nodes. */
    private static List<String> filesOf(CaseStore store, String layer, String component) {
        return store.query("""
                SELECT DISTINCT CAST(other.file AS VARCHAR) AS file
                FROM attributions a JOIN inputs i USING (file)
                JOIN inputs other ON other.layer = i.layer AND other.component IS NOT DISTINCT FROM i.component AND other.requests > 0
                WHERE a.layer = ? AND a.component = ? AND a.reason = 'limit'
                  AND (i.layer = a.layer OR NOT EXISTS (
                      SELECT 1 FROM attributions b JOIN inputs own USING (file)
                      WHERE b.layer = a.layer AND b.component = a.component AND own.layer = b.layer))
                ORDER BY file""", row -> row.text("file"), layer, component);
    }

    private static List<DecisionLog> logsOf(
            CaseStore store, String layer, String component, List<String> components, List<String> files) {
        if (files.isEmpty()) {
            return List.of();
        }
        boolean own = !store.query(
                        "SELECT 1 AS one FROM inputs WHERE layer = ? AND list_contains(string_split(?, ','), CAST(file AS VARCHAR)) LIMIT 1",
                        row -> row.integer("one"),
                        layer,
                        String.join(",", files))
                .isEmpty();
        String names = String.join("\n", components);
        Columns decided =
                store.columns(DECISIONS, layer, names, own, layer, names, !own, layer, String.join(",", files));
        DecisionRows rows = new DecisionRows(layer, component, own, decided);
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
