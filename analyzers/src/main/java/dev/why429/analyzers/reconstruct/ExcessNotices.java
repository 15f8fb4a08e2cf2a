package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What nginx wrote beside its denials: the zone and the level of the bucket. Handed out in order, each once. */
final class ExcessNotices {
    /** Both logs are stamped in whole seconds, and the access log a little later. */
    private static final long NEAR_MICROS = 1_500_000;

    private final Map<String, Deque<Notice>> byRequest = new HashMap<>();

    /** @param excessMilli -1 where it was not written */
    record Notice(long atMicros, String zone, long excessMilli) {}

    /** @param files numbers of the logs whose server's notices are wanted, with commas between */
    ExcessNotices(CaseStore store, String files) {
        store.forEach(
                """
                SELECT epoch_us(n.logged_at) AS at, n.client_ip, split_part(n.path, '?', 1) AS path, n.zone,
                       coalesce(n.excess_milli, -1) AS excess
                FROM notices n JOIN inputs i USING (file)
                WHERE n.kind = 'limiter_reject' AND n.logged_at IS NOT NULL
                  AND (i.layer, i.component) IN (
                      SELECT (layer, component) FROM inputs WHERE list_contains(string_split(?, ','), CAST(file AS VARCHAR)))
                ORDER BY n.file, n.line""",
                row -> byRequest
                        .computeIfAbsent(key(row.text("client_ip"), row.text("path")), k -> new ArrayDeque<>())
                        .add(new Notice(row.integer("at"), row.text("zone"), row.integer("excess"))),
                files);
    }

    /** The notice about a denied request, by client, path and time. */
    Optional<Notice> take(String clientIp, String path, long stampMicros) {
        Deque<Notice> waiting = byRequest.get(key(clientIp, path));
        if (waiting == null) {
            return Optional.empty();
        }
        while (!waiting.isEmpty() && waiting.peek().atMicros() < stampMicros - NEAR_MICROS) {
            waiting.poll();
        }
        return waiting.isEmpty() || waiting.peek().atMicros() > stampMicros + NEAR_MICROS
                ? Optional.empty()
                : Optional.of(waiting.poll());
    }

    private static String key(String clientIp, String path) {
        return clientIp + ' ' + path;
    }
}
