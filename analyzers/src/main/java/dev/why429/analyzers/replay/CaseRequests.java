package dev.why429.analyzers.replay;

import dev.why429.analyzers.store.CaseStore;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * Reads a case's client requests (tables {@code exchanges} and {@code attributions}) as a stream for one policy. Several requests whose stamps
 * are the same are taken as spread evenly, in the order of their lines, over the time that the stamp leaves open.
 */
final class CaseRequests {
    private static final String NONE = "(none)";

    /** The node that served a request: that of the innermost layer that logged it. */
    private static final String NODES = """
            deepest AS (SELECT exchange, arg_max(file, depth) AS file FROM exchange_lines GROUP BY exchange),
            nodes AS (SELECT d.exchange, i.node FROM deepest d JOIN inputs i ON i.file = d.file),
            """;

    /** Who asks, as far as the log says: attempts of one client at the same thing are told by it. */
    private static final String WHO =
            "coalesce(nullif(e.api_key, ''), nullif(e.\"user\", ''), e.client_ip, '') || ' ' || coalesce(e.method, '') || ' '"
                    + " || coalesce(e.path, '')";

    private CaseRequests() {}

    static RequestStream read(CaseStore store, Policy policy) {
        return read(store, List.of(policy)).get(0);
    }

    /** One stream a policy, in one pass over the tables. */
    static List<RequestStream> read(CaseStore store, List<Policy> policies) {
        List<String> fields = policies.stream()
                .flatMap(policy -> policy.keys().stream())
                .flatMap(key -> key.fields().stream())
                .distinct()
                .toList();
        boolean needPath = policies.stream().anyMatch(policy -> policy.costs().needPath());
        Map<String, Map<String, String>> derived = new HashMap<>();
        Arrivals.Builder arrivals = new Arrivals.Builder();
        List<RequestStream.Keys> keys = policies.stream()
                .map(policy -> new RequestStream.Keys(policy.keys().size()))
                .toList();
        Map<String, String> values = new HashMap<>();
        store.forEach(sql(fields, needPath), row -> {
            for (String field : fields) {
                values.put(
                        field,
                        derived.computeIfAbsent(field, f -> new HashMap<>())
                                .computeIfAbsent(row.text(column(field)), raw -> derive(field, raw)));
            }
            String path = needPath ? row.text("path") : "";
            arrivals.add(
                    row.integer("arrival"),
                    row.integer("earliest"),
                    row.integer("earliest") + row.integer("open_micros"),
                    (int) row.integer("place"),
                    row.bool("denied"),
                    row.text("who"));
            arrivals.describe((int) row.integer("outer_file"), row.integer("outer_line"), row.integer("duration"));
            for (int i = 0; i < policies.size(); i++) {
                Policy policy = policies.get(i);
                RequestStream.Keys of = keys.get(i);
                for (int which = 0; which < policy.keys().size(); which++) {
                    of.key(which, name(policy.keys().get(which), values));
                }
                of.cost(Math.toIntExact(
                        Math.min(Integer.MAX_VALUE, policy.costs().of(path))));
            }
        });
        Arrivals shared = arrivals.build();
        return keys.stream().map(each -> each.with(shared)).toList();
    }

    private static String sql(List<String> fields, boolean needPath) {
        List<String> columns = new ArrayList<>();
        for (String field : fields) {
            if (!field.equals("node") && !columns.contains(column(field))) {
                columns.add(column(field));
            }
        }
        if (needPath && !columns.contains("path")) {
            columns.add("path");
        }
        String inner = columns.stream().map(column -> ", e.\"" + column + "\"").collect(Collectors.joining());
        String outer = columns.stream().map(column -> ", p.\"" + column + "\"").collect(Collectors.joining());
        boolean node = fields.contains("node");
        return """
                WITH placed AS (
                  SELECT e.exchange, e.outer_file, e.outer_line, epoch_us(e.arrived_at) AS earliest,
                         coalesce(e.duration_micros, 0) AS duration, %s AS who,
                         coalesce(e.arrival_uncertainty_micros, 0) AS open_micros,
                         row_number() OVER (alike ORDER BY e.outer_line, e.exchange) AS nth,
                         count(*) OVER alike AS of_them%s
                  FROM exchanges e
                  WHERE e.arrived_at >= TIMESTAMP '1970-01-01'
                  WINDOW alike AS (PARTITION BY e.arrived_at, e.arrival_uncertainty_micros, e.outer_file)),
                %srefused AS (SELECT DISTINCT exchange FROM attributions WHERE visible)
                SELECT p.earliest, p.earliest + (p.open_micros * (2 * p.nth - 1)) // (2 * p.of_them) AS arrival,
                       p.open_micros, p.duration, p.who, p.outer_file, p.outer_line,
                       row_number() OVER (ORDER BY p.earliest, p.outer_line, p.exchange) - 1 AS place,
                       r.exchange IS NOT NULL AS denied%s%s
                FROM placed p LEFT JOIN refused r ON r.exchange = p.exchange%s
                ORDER BY arrival, place
                """.formatted(
                        WHO,
                        inner,
                        node ? NODES : "",
                        outer,
                        node ? ", n.node" : "",
                        node ? " LEFT JOIN nodes n ON n.exchange = p.exchange" : "");
    }

    /** The column that a field is made from. */
    private static String column(String field) {
        return switch (field) {
            case "client_net" -> "client_ip";
            case "xff_leftmost" -> "forwarded";
            case "route" -> "path";
            default -> field;
        };
    }

    private static String derive(String field, String raw) {
        return switch (field) {
            case "client_net" -> network(raw);
            case "xff_leftmost" ->
                raw.contains(",") ? raw.substring(0, raw.indexOf(',')).strip() : raw.strip();
            case "route" -> RouteTemplate.of(raw);
            default -> raw;
        };
    }

    /** The /24 of an IPv4 address, the /64 of an IPv6 one; of a redacted address {@code ip_<network>.<host>} its network's token. */
    private static String network(String address) {
        if (address.startsWith("ip_")) {
            int dot = address.lastIndexOf('.');
            return dot < 0 ? address : address.substring(0, dot);
        }
        IPAddress parsed = new IPAddressString(address).getAddress();
        if (parsed == null) {
            return address;
        }
        return parsed.toPrefixBlock(parsed.isIPv4() ? 24 : 64).toCanonicalString();
    }

    private static String name(PolicyKey key, Map<String, String> values) {
        if (key.parts().isEmpty()) {
            return "global";
        }
        StringJoiner name = new StringJoiner(" ");
        for (List<String> chain : key.parts()) {
            String field = chain.stream()
                    .filter(f -> !values.get(f).isEmpty() && !values.get(f).equals("-"))
                    .findFirst()
                    .orElse(chain.get(chain.size() - 1));
            String value = values.get(field);
            name.add(field + "=" + (value.isEmpty() || value.equals("-") ? NONE : value));
        }
        return name.toString();
    }
}
