package dev.why429.analyzers.ticket;

import dev.why429.analyzers.store.CaseStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The requests of one client, in the order of their arrival. */
final class ClientRequests {
    private static final int SAME_REQUEST_SHOWN = 120;

    private record Row(
            long exchange,
            long atMicros,
            String method,
            String path,
            long status,
            boolean denied,
            String layer,
            String reason,
            String requestId) {}

    private final TicketQuestion question;
    private final List<Row> rows;

    private ClientRequests(TicketQuestion question, List<Row> rows) {
        this.question = question;
        this.rows = rows;
    }

    static ClientRequests of(CaseStore store, TicketQuestion question) {
        List<Row> rows = new ArrayList<>();
        List<Object> parameters = new ArrayList<>(question.values());
        parameters.add(question.from().orElse(Instant.EPOCH));
        parameters.add(question.to().orElse(Instant.parse("9999-12-31T00:00:00Z")));
        store.forEach(
                """
                SELECT e.exchange, epoch_us(e.arrived_at) AS at_us, e.method, e.path, e.status, e.request_id,
                       a.exchange IS NOT NULL AS denied, coalesce(a.layer, '') AS layer, coalesce(a.reason, '') AS reason
                FROM exchanges e
                LEFT JOIN (SELECT exchange, any_value(layer) AS layer, any_value(reason) AS reason FROM attributions WHERE visible GROUP BY exchange) a ON a.exchange = e.exchange
                WHERE e."%s" IN (%s) AND e.arrived_at >= ? AND e.arrived_at < ? ORDER BY e.arrived_at, e.outer_file, e.outer_line""".formatted(
                        column(question.by()),
                        String.join(
                                ", ", question.values().stream().map(v -> "?").toList())),
                row -> rows.add(new Row(
                        row.integer("exchange"),
                        row.integer("at_us"),
                        row.text("method"),
                        row.text("path"),
                        row.integer("status"),
                        row.bool("denied"),
                        row.text("layer"),
                        row.text("reason"),
                        row.text("request_id"))),
                parameters.toArray());
        return new ClientRequests(question, List.copyOf(rows));
    }

    /** Only names of columns ever stand in the SQL text. */
    private static String column(String by) {
        return switch (by) {
            case "api_key", "user", "tenant", "client_ip" -> by;
            default -> throw new IllegalArgumentException("no client is named by \"" + by + "\"");
        };
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    List<Long> times() {
        return rows.stream().map(Row::atMicros).toList();
    }

    long denied() {
        return rows.stream().filter(Row::denied).count();
    }

    Map<String, Long> layers() {
        Map<String, Long> layers = new TreeMap<>();
        rows.stream().filter(Row::denied).forEach(row -> layers.merge(row.layer(), 1L, Long::sum));
        return layers;
    }

    Map<String, Long> reasons() {
        Map<String, Long> reasons = new TreeMap<>();
        rows.stream().filter(Row::denied).forEach(row -> reasons.merge(row.reason(), 1L, Long::sum));
        return reasons;
    }

    /** Every name under which this client's requests stand in the case: what a finding about it may call it. */
    Set<String> identities(CaseStore store) {
        Set<String> names = new LinkedHashSet<>(question.values());
        store.forEach(
                "SELECT DISTINCT unnest([api_key, \"user\", tenant, client_ip]) AS name FROM exchanges WHERE \""
                        + column(question.by()) + "\" IN ("
                        + String.join(
                                ", ", question.values().stream().map(v -> "?").toList()) + ") LIMIT 1000",
                row -> names.add(row.text("name")),
                question.values().toArray());
        names.remove("");
        return names;
    }

    /** The first denials, and the admission before the first of them. */
    List<Ticket.Sample> samples(int most) {
        List<Row> shown = new ArrayList<>();
        for (int i = 0; i < rows.size() && shown.size() < most; i++) {
            if (rows.get(i).denied()) {
                if (shown.isEmpty() && i > 0) {
                    shown.add(rows.get(i - 1));
                }
                shown.add(rows.get(i));
            }
        }
        if (shown.isEmpty()) {
            shown.addAll(rows.subList(0, Math.min(most, rows.size())));
        }
        return shown.stream()
                .map(row -> new Ticket.Sample(
                        Tickets.instant(row.atMicros()),
                        row.method(),
                        cut(row.path()),
                        row.status(),
                        row.denied(),
                        cut(row.requestId())))
                .toList();
    }

    private static String cut(String text) {
        return text.length() <= SAME_REQUEST_SHOWN ? text : text.substring(0, SAME_REQUEST_SHOWN) + "…";
    }

    /** What the responses to this client's denied requests said. */
    Ticket.Headers headers(CaseStore store) {
        Map<Long, Double> waits = new LinkedHashMap<>();
        long[] seen = new long[1];
        long[] left = new long[1];
        double[] limit = {Double.NaN};
        Set<Long> denied = new LinkedHashSet<>();
        rows.stream().filter(Row::denied).forEach(row -> denied.add(row.exchange()));
        boolean there = store.query(
                        "SELECT count(*) AS n FROM duckdb_tables() WHERE table_name = 'quotas'",
                        row -> row.integer("n") > 0)
                .get(0);
        if (there) {
            store.forEach(
                    "SELECT q.exchange, max(q.retry_after_seconds) AS wait, max(q.limit_value) AS most, min(q.remaining) AS remaining FROM quotas q WHERE q.exchange IS NOT NULL GROUP BY q.exchange",
                    row -> {
                        if (denied.contains(row.integer("exchange"))) {
                            seen[0]++;
                            if (row.has("wait")) {
                                waits.put(row.integer("exchange"), row.number("wait"));
                            }
                            if (row.has("most")) {
                                limit[0] = row.number("most");
                            }
                            if (row.has("remaining") && row.number("remaining") > 0) {
                                left[0]++;
                            }
                        }
                    });
        }
        long early = 0;
        for (int i = 0; i + 1 < rows.size(); i++) {
            Double wait = waits.get(rows.get(i).exchange());
            if (wait != null && (rows.get(i + 1).atMicros() - rows.get(i).atMicros()) / 1e6 < wait - 1) {
                early++;
            }
        }
        return new Ticket.Headers(
                seen[0],
                waits.size(),
                waits.values().stream().min(Double::compare),
                waits.values().stream().max(Double::compare),
                Double.isNaN(limit[0]) ? Optional.empty() : Optional.of(limit[0]),
                left[0],
                early);
    }

    /** A line of a layer behind the one that denied, with success, means that the request was carried out all the same. */
    Ticket.Processed processed(CaseStore store) {
        if (denied() == 0) {
            return Ticket.Processed.UNKNOWN;
        }
        List<Object> values = new ArrayList<>(question.values());
        String whose = "e.\"" + column(question.by()) + "\" IN ("
                + String.join(", ", question.values().stream().map(v -> "?").toList()) + ")";
        boolean done = store.query(
                        "SELECT count(*) > 0 AS done FROM exchanges e JOIN attributions a ON a.exchange = e.exchange AND a.visible JOIN exchange_lines x ON x.exchange = e.exchange"
                                + " JOIN requests r ON r.file = x.file AND r.line = x.line WHERE " + whose
                                + " AND a.layer IN ('gateway', 'cdn') AND x.layer = 'app' AND r.status BETWEEN 200 AND 399",
                        row -> row.bool("done"),
                        values.toArray())
                .get(0);
        if (done) {
            return Ticket.Processed.YES;
        }
        boolean behind = store.query(
                        "SELECT count(*) > 0 AS there FROM exchange_lines WHERE layer = 'app'",
                        row -> row.bool("there"))
                .get(0);
        boolean outside = layers().keySet().stream().allMatch(layer -> layer.equals("gateway") || layer.equals("cdn"));
        return behind && outside ? Ticket.Processed.NO : Ticket.Processed.UNKNOWN;
    }
}
