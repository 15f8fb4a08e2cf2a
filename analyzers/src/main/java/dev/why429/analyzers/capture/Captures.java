package dev.why429.analyzers.capture;

import dev.why429.analyzers.store.CaseStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tables {@code captures} and {@code capture_matches} of a case. */
public final class Captures {
    private static final JsonMapper JSON = JsonMapper.shared();

    private Captures() {}

    /** Makes the table of captures, empty where there are none. */
    public static void store(CaseStore store, List<CapturedResponse> responses, CaptureRedaction redaction) {
        store.execute("CREATE TABLE captures(capture INTEGER, source VARCHAR, position INTEGER, captured_at TIMESTAMP,"
                + " client_ip VARCHAR, method VARCHAR, path VARCHAR, host VARCHAR, status INTEGER,"
                + " request_headers VARCHAR, response_headers VARCHAR, body VARCHAR, request_id VARCHAR,"
                + " proved_key VARCHAR)");
        store.execute("BEGIN TRANSACTION");
        int number = 0;
        for (CapturedResponse response : responses) {
            number++;
            store.execute(
                    "INSERT INTO captures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    number,
                    response.source(),
                    response.position(),
                    response.capturedAt().orElse(null),
                    response.clientIp().map(redaction::address).orElse(null),
                    response.method().orElse(null),
                    response.path().map(redaction::url).orElse(null),
                    response.host().orElse(null),
                    response.status(),
                    json(redaction.headers(response.requestHeaders())),
                    json(redaction.headers(response.responseHeaders())),
                    redaction.text(response.body()),
                    response.requestId().orElse(null),
                    KeyProof.of(response).orElse(null));
        }
        store.execute("COMMIT");
    }

    private static String json(Map<String, List<String>> headers) {
        ObjectNode object = JSON.createObjectNode();
        headers.forEach((name, values) -> {
            if (values.size() == 1) {
                object.put(name, values.get(0));
            } else {
                ArrayNode array = object.putArray(name);
                values.forEach(array::add);
            }
        });
        return object.toString();
    }

    /** Reads the captures back, for those who judge them: as stored, that is, redacted. */
    public static List<Stored> all(CaseStore store) {
        return store.query(
                "SELECT c.*, m.exchange FROM captures c LEFT JOIN capture_matches m USING (capture) ORDER BY c.capture",
                row -> new Stored(
                        (int) row.integer("capture"),
                        row.text("source"),
                        (int) row.integer("position"),
                        (int) row.integer("status"),
                        JSON.readTree(row.text("response_headers")),
                        row.text("body"),
                        row.has("exchange") ? Optional.of(row.integer("exchange")) : Optional.empty(),
                        Optional.of(row.text("proved_key")).filter(field -> !field.isEmpty())));
    }

    /**
     * One capture as the table holds it.
     *
     * @param responseHeaders names in lower case; a repeated one is an array
     * @param exchange the request in the logs that it is the answer to
     * @param provedKey the field of the request that is the limiter's key, where the answer bears its hash
     */
    public record Stored(
            int capture,
            String source,
            int position,
            int status,
            tools.jackson.databind.JsonNode responseHeaders,
            String body,
            Optional<Long> exchange,
            Optional<String> provedKey) {}

    /**
     * Finds for each capture the request in the logs: by an id that both bear, else where exactly one request of the same status, path, method
     * and client was logged at that moment. Needs the table {@code exchange_lines}.
     *
     * @param skewSeconds how far the capture's clock and the servers' may be apart
     */
    public static void match(CaseStore store, int skewSeconds) {
        store.execute("""
                CREATE TABLE capture_matches AS
                SELECT c.capture, min(e.exchange) AS exchange, 'id' AS matched_by
                FROM captures c JOIN requests r ON r.request_id = c.request_id
                JOIN exchange_lines e ON e.file = r.file AND e.line = r.line
                WHERE c.request_id IS NOT NULL
                GROUP BY c.capture HAVING count(DISTINCT e.exchange) = 1""");
        if (store.query(
                        "SELECT count(*) AS n FROM captures c LEFT JOIN capture_matches m USING (capture)"
                                + " WHERE m.capture IS NULL AND c.captured_at IS NOT NULL AND c.path IS NOT NULL",
                        row -> row.integer("n"))
                .get(0)
                .equals(0L)) {
            return;
        }
        store.execute("""
                INSERT INTO capture_matches
                SELECT c.capture, min(x.exchange), 'time'
                FROM captures c JOIN exchanges x
                  ON x.status = c.status AND x.path = c.path
                 AND (c.method IS NULL OR x.method = c.method)
                 AND (c.client_ip IS NULL OR x.client_ip = c.client_ip)
                 AND x.arrived_at BETWEEN c.captured_at - to_seconds(?) AND c.captured_at + to_seconds(?)
                WHERE c.captured_at IS NOT NULL AND c.path IS NOT NULL
                  AND c.capture NOT IN (SELECT capture FROM capture_matches)
                GROUP BY c.capture HAVING count(*) = 1""", skewSeconds, skewSeconds);
    }
}
