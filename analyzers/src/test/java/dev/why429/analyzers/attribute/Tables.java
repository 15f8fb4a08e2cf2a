package dev.why429.analyzers.attribute;

import dev.why429.analyzers.capture.CaptureRedaction;
import dev.why429.analyzers.capture.CapturedResponse;
import dev.why429.analyzers.capture.Captures;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.join.Join;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Rulebook;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Fills a case's tables with a few lines, for the stages that read them. */
public final class Tables implements AutoCloseable {
    public static final Instant START = Instant.parse("2026-11-30T19:40:00Z");

    private final CaseStore store;
    private final List<CapturedResponse> captures = new ArrayList<>();
    private int files;
    private int lines;

    public Tables(Path folder) {
        store = CaseStore.create(folder.resolve("case.duckdb"), folder.resolve("spill"), 2, 500);
        store.execute("CREATE TABLE IF NOT EXISTS inputs(file INTEGER, path VARCHAR, sha256 VARCHAR, format VARCHAR,"
                + " layer VARCHAR, component VARCHAR, node VARCHAR, time_zone VARCHAR, time_resolution_seconds DOUBLE,"
                + " time_means VARCHAR, lines BIGINT, requests BIGINT, notices BIGINT, rejected BIGINT)");
    }

    /** A log of a millisecond's resolution, stamped at the end. */
    public int log(String layer, String component, String node) {
        return log(layer, component, node, 0.001);
    }

    public int log(String layer, String component, String node, double resolutionSeconds) {
        store.execute(
                "INSERT INTO inputs VALUES (?, ?, '', '', ?, ?, ?, '+00:00', ?, 'end', 0, 0, 0, 0)",
                ++files,
                "log" + files,
                layer,
                component,
                node,
                resolutionSeconds);
        return files;
    }

    /** A request that ended so many milliseconds after the start; further columns in pairs. */
    public Tables request(int file, long millis, int status, Object... more) {
        Map<String, Object> row = new LinkedHashMap<>();
        Instant end = START.plus(Duration.ofMillis(millis));
        row.put("file", file);
        row.put("line", ++lines);
        row.put("logged_at", end);
        row.put("arrived_at", end);
        row.put("status", status);
        row.put("method", "GET");
        row.put("path", "/a");
        row.put("client_ip", "192.0.2.1");
        return insert("requests", row, more);
    }

    public Tables notice(int file, long millis, String kind, String message, Object... more) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("file", file);
        row.put("line", ++lines);
        row.put("logged_at", START.plus(Duration.ofMillis(millis)));
        row.put("kind", kind);
        row.put("message", message);
        row.put("method", "GET");
        row.put("path", "/a");
        row.put("client_ip", "192.0.2.1");
        return insert("notices", row, more);
    }

    public Tables captured(CapturedResponse response) {
        captures.add(response);
        return this;
    }

    private Tables insert(String table, Map<String, Object> row, Object... more) {
        for (int i = 0; i < more.length; i += 2) {
            row.put((String) more[i], more[i + 1]);
        }
        store.execute(
                "INSERT INTO " + table + "("
                        + row.keySet().stream().map(c -> '"' + c + '"').collect(Collectors.joining(",")) + ") VALUES ("
                        + row.keySet().stream().map(c -> "?").collect(Collectors.joining(",")) + ")",
                row.values().toArray());
        return this;
    }

    public CaseStore store() {
        return store;
    }

    public Join.Result join() {
        return Join.run(store);
    }

    public Attribution.Result attribute() {
        Captures.store(store, captures, CaptureRedaction.NONE);
        return Attribution.run(store, Rulebook.builtIn(), join());
    }

    public Case.Denials denials() {
        return attribute().denials();
    }

    public List<List<String>> exchanges() {
        return store.query(
                "SELECT string_agg('F' || file || ':' || line, ' ' ORDER BY depth, file, line) AS own FROM exchange_lines"
                        + " GROUP BY exchange ORDER BY exchange",
                row -> List.of(row.text("own").split(" ", -1)));
    }

    @Override
    public void close() {
        store.close();
    }
}
