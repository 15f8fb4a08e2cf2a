package dev.why429.analyzers;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The plain figures of a case: how many requests, when, whose, and the text of the lines that are cited. */
final class Overview {
    private static final int TIMELINE_BINS = 120;
    private static final int MOST_CLIENTS = 50;
    private static final int MOST_REJECTS_PER_FILE = 5;
    private static final double[] STEPS_SECONDS = {
        0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400
    };

    private final CaseStore store;

    Overview(CaseStore store) {
        this.store = store;
    }

    /** From the first to the last request; empty when no request has a time. */
    Optional<Case.Span> span() {
        return store.query(
                        "SELECT min(arrived_at) AS first, max(arrived_at) AS last FROM exchanges WHERE arrived_at IS NOT NULL",
                        row -> row.has("first")
                                ? Optional.of(new Case.Span(row.instant("first"), row.instant("last")))
                                : Optional.<Case.Span>empty())
                .get(0);
    }

    Case.Requests requests() {
        Map<String, Long> byStatus = new TreeMap<>();
        store.forEach(
                "SELECT coalesce(status::VARCHAR, 'unknown') AS status, count(*) AS n FROM exchanges GROUP BY 1",
                row -> byStatus.put(row.text("status"), row.integer("n")));
        return new Case.Requests(
                byStatus.values().stream().mapToLong(Long::longValue).sum(), byStatus);
    }

    Case.Timeline timeline(Optional<Case.Span> span) {
        if (span.isEmpty()) {
            return new Case.Timeline(1, Optional.empty(), Map.of());
        }
        double seconds =
                java.time.Duration.between(span.get().from(), span.get().to()).toMillis() / 1000.0;
        double step = Arrays.stream(STEPS_SECONDS)
                .filter(s -> seconds / s <= TIMELINE_BINS)
                .findFirst()
                .orElse(Math.ceil(seconds / TIMELINE_BINS / 86_400) * 86_400);
        long stepMicros = Math.round(step * 1e6);
        long first = micros(span.get().from()) / stepMicros * stepMicros;
        int bins = (int) ((micros(span.get().to()) - first) / stepMicros) + 1;
        Map<String, List<Long>> series = new TreeMap<>();
        store.forEach(
                """
                SELECT (epoch_us(e.arrived_at) - ?) // ? AS bin,
                       CASE WHEN a.layer IS NULL THEN 'allowed' ELSE 'denied_' || a.layer END AS name,
                       count(*) AS n
                FROM exchanges e LEFT JOIN (SELECT exchange, any_value(layer) AS layer FROM attributions WHERE visible GROUP BY exchange) a
                  ON a.exchange = e.exchange
                WHERE e.arrived_at IS NOT NULL
                GROUP BY 1, 2
                """,
                row -> series.computeIfAbsent(row.text("name"), name -> new ArrayList<>(Collections.nCopies(bins, 0L)))
                        .set((int) row.integer("bin"), row.integer("n")),
                first,
                stepMicros);
        return new Case.Timeline(
                step, Optional.of(Instant.EPOCH.plus(first, java.time.temporal.ChronoUnit.MICROS)), series);
    }

    private static long micros(Instant instant) {
        return java.time.temporal.ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    /** The clients with most denials, by the finest name that their requests bear. */
    List<Case.Client> clients() {
        Map<String, Case.Client> clients = new LinkedHashMap<>();
        store.forEach(
                """
                WITH named AS (
                  SELECT exchange,
                         CASE WHEN api_key IS NOT NULL THEN 'api_key' WHEN "user" IS NOT NULL THEN 'user' ELSE 'client_ip' END AS kind,
                         coalesce(api_key, "user", client_ip) AS name
                  FROM exchanges),
                denied AS (SELECT exchange, any_value(layer) AS layer FROM attributions WHERE visible GROUP BY exchange),
                counted AS (
                  SELECT kind, name, count(*) AS requests, count(layer) AS denied
                  FROM named LEFT JOIN denied USING (exchange) WHERE name IS NOT NULL GROUP BY kind, name),
                worst AS (SELECT * FROM counted WHERE denied > 0 ORDER BY denied DESC, kind, name LIMIT ?)
                SELECT w.kind, w.name, w.requests, w.denied, d.layer, count(*) AS n
                FROM worst w JOIN named n USING (kind, name) JOIN denied d USING (exchange)
                GROUP BY ALL ORDER BY w.denied DESC, w.kind, w.name, d.layer
                """,
                row -> clients.computeIfAbsent(
                                row.text("kind") + "=" + row.text("name"),
                                key -> new Case.Client(
                                        row.text("kind"),
                                        row.text("name"),
                                        row.integer("requests"),
                                        row.integer("denied"),
                                        new TreeMap<>()))
                        .deniedByLayer()
                        .put(row.text("layer"), row.integer("n")),
                MOST_CLIENTS);
        return List.copyOf(clients.values());
    }

    /** The first rejects of each file. */
    List<Case.Reject> rejects() {
        return store.query(
                """
                SELECT file, line, reason, text FROM rejects
                QUALIFY row_number() OVER (PARTITION BY file ORDER BY line) <= ?
                ORDER BY file, line
                """,
                row -> new Case.Reject(
                        "F" + row.integer("file") + ":" + row.integer("line"), row.text("reason"), row.text("text")),
                MOST_REJECTS_PER_FILE);
    }

    /** The cited lines as a person can read them, made of the stored (redacted) values. */
    Map<String, String> lines(java.util.Collection<String> evidence) {
        Map<String, String> texts = new TreeMap<>(Overview::byFileAndLine);
        List<String> ids = evidence.stream()
                .filter(id -> id.matches("F\\d+:\\d+"))
                .distinct()
                .toList();
        if (ids.isEmpty()) {
            return texts;
        }
        String wanted = String.join(",", ids);
        store.forEach(
                """
                SELECT 'F' || file || ':' || line AS id, strftime(logged_at, '%Y-%m-%d %H:%M:%S.%g') AS at,
                       coalesce(client_ip, '-') AS client, coalesce(method, '-') AS method, coalesce(path, '-') AS path,
                       coalesce(status::VARCHAR, '-') AS status,
                       concat_ws(' ',
                         CASE WHEN upstream_status IS NOT NULL THEN 'upstream=' || upstream_status END,
                         CASE WHEN upstream_addr IS NOT NULL THEN 'at=' || upstream_addr END,
                         CASE WHEN limit_status IS NOT NULL THEN 'limiter=' || limit_status END,
                         CASE WHEN termination_state IS NOT NULL THEN 'state=' || termination_state END,
                         CASE WHEN duration_micros IS NOT NULL THEN printf('took=%.3fs', duration_micros / 1e6) END,
                         CASE WHEN api_key IS NOT NULL THEN 'key=' || api_key END,
                         CASE WHEN request_id IS NOT NULL THEN 'id=' || request_id END) AS more
                FROM requests WHERE (file, line) IN (
                  SELECT (split_part(id, ':', 1)[2:])::BIGINT, split_part(id, ':', 2)::BIGINT
                  FROM (SELECT unnest(string_split(?, ',')) AS id))
                UNION ALL
                SELECT 'F' || file || ':' || line, strftime(logged_at, '%Y-%m-%d %H:%M:%S.%g'), coalesce(client_ip, '-'),
                       coalesce(method, '-'), coalesce(path, '-'), coalesce(level, '-'), coalesce(message, '')
                FROM notices WHERE (file, line) IN (
                  SELECT (split_part(id, ':', 1)[2:])::BIGINT, split_part(id, ':', 2)::BIGINT
                  FROM (SELECT unnest(string_split(?, ',')) AS id))
                """,
                row -> texts.put(
                        row.text("id"),
                        (row.text("at") + " " + row.text("client") + " " + row.text("method") + " " + row.text("path")
                                        + " → " + row.text("status") + " " + row.text("more"))
                                .strip()),
                wanted,
                wanted);
        return texts;
    }

    private static int byFileAndLine(String a, String b) {
        int colonA = a.indexOf(':');
        int colonB = b.indexOf(':');
        int byFile = Long.compare(Long.parseLong(a.substring(1, colonA)), Long.parseLong(b.substring(1, colonB)));
        return byFile != 0
                ? byFile
                : Long.compare(Long.parseLong(a.substring(colonA + 1)), Long.parseLong(b.substring(colonB + 1)));
    }
}
