package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What a limiter decided, request by request: the lines of its layer, or the outermost ones where its layer wrote no log. */
final class Decisions {
    /** The /24 or /64 that an address is in; a token of an address names its networks before its last part. */
    private static final String NETWORK = """
            CASE WHEN e.client_ip LIKE 'ip!_%' ESCAPE '!' THEN regexp_replace(e.client_ip, '[.][^.]*$', '')
                 WHEN contains(e.client_ip, ':') THEN array_to_string(string_split(e.client_ip, ':')[1:4], ':')
                 ELSE array_to_string(string_split(e.client_ip, '.')[1:3], '.') END""";

    private Decisions() {}

    /** Appends the decisions of one limiter to the table {@code decisions}. */
    static void fill(CaseStore store, Case.Limiter limiter) {
        boolean logged = store.query(
                        "SELECT count(*) > 0 AS there FROM exchange_lines WHERE layer = ?",
                        row -> row.bool("there"),
                        limiter.layer())
                .get(0);
        String lines = logged
                ? "SELECT DISTINCT exchange, file, line FROM exchange_lines WHERE layer = '" + word(limiter.layer())
                        + "'"
                : "SELECT exchange, outer_file AS file, outer_line AS line FROM exchanges";
        store.execute(
                """
                INSERT INTO decisions
                SELECT ?, e.exchange, %s, coalesce(i.node, ''), coalesce(epoch_us(e.arrived_at), epoch_us(r.logged_at)),
                       epoch_us(r.logged_at),
                       NOT (a.exchange IS NOT NULL AND (r.status >= 400 OR NOT ?)), r.file, r.line
                FROM (%s) x
                JOIN exchanges e ON e.exchange = x.exchange
                JOIN requests r ON r.file = x.file AND r.line = x.line
                JOIN inputs i ON i.file = r.file
                LEFT JOIN (SELECT DISTINCT exchange FROM attributions WHERE layer = ? AND reason <> 'backend_error') a
                       ON a.exchange = e.exchange
                WHERE e.arrived_at BETWEEN ? AND ?
                """.formatted(keyOf(limiter), lines),
                limiter.id(),
                logged,
                limiter.layer(),
                limiter.from(),
                limiter.to());
    }

    private static String keyOf(Case.Limiter limiter) {
        if (limiter.key().isEmpty()) {
            return "''";
        }
        return limiter.key().stream().map(Decisions::field).collect(Collectors.joining(", ", "concat_ws(' ', ", ")"));
    }

    private static String field(String name) {
        if (name.contains("|")) {
            return Arrays.stream(name.split("\\|"))
                    .map(Decisions::field)
                    .collect(Collectors.joining(", ", "coalesce(", ")"));
        }
        return switch (name) {
            case "client_ip", "api_key", "user", "tenant", "method", "host", "user_agent" -> "e.\"" + name + '"';
            case "path" -> "e.path";
            case "route" -> "split_part(e.path, '?', 1)";
            case "peer_ip" -> "coalesce(r.peer_ip, r.client_ip)";
            case "xff_leftmost" -> "trim(split_part(coalesce(r.forwarded, e.forwarded, e.client_ip), ',', 1))";
            case "client_net" -> NETWORK;
            case "node" -> "i.node";
            default -> name.startsWith("header:") ? header(word(name.substring(7))) : "NULL";
        };
    }

    /** The value of a logged header out of the JSON object, where the plain text of it will do. */
    private static String header(String name) {
        return "regexp_extract(r.request_headers, '\"" + name + "\":\\s*\"([^\"]*)\"', 1)";
    }

    /** Letters that can stand in SQL text: what comes from a reconstruction is trusted to be a name, and made one. */
    private static String word(String text) {
        return text.replaceAll("[^A-Za-z0-9_-]", "");
    }
}
