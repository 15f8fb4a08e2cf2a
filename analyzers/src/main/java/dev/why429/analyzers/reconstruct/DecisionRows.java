package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.store.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The rows of one limiter, file after file in the order of their stamps, as columns in the order of arrival. */
final class DecisionRows {
    private static final List<String> FIELDS = List.of(
            "client_ip",
            "peer_ip",
            "xff_leftmost",
            "api_key",
            "user",
            "tenant",
            "route",
            KeyCandidates.ROUTE_PREFIX,
            "path",
            "method",
            "host",
            "client_net");

    private final String layer;
    private final String component;
    private final int n;
    private final int[] file;
    private final long[] line;
    private final boolean[] denied;
    private final Moments moments;
    private final int[][] keys;
    private List<List<String>> texts = List.of();
    private final int[] node;
    private final List<String> nodeNames = new ArrayList<>();
    private final String[] address;
    private final String[] path;
    private final String[] zone;
    private final long[] excess;
    private final int[] limit;
    private final int[] remaining;
    private final TreeSet<Double> windows = new TreeSet<>();

    DecisionRows(String layer, String component, boolean ownLog, Columns rows) {
        this.layer = layer;
        this.component = component;
        this.n = rows.rows();
        this.file = rows.ints("file");
        this.line = rows.longs("line");
        this.denied = new boolean[n];
        long[] deniedFlag = rows.longs("denied");
        for (int i = 0; i < n; i++) {
            denied[i] = deniedFlag[i] != 0;
        }
        this.moments = new Moments(rows, file);
        this.address = rows.texts("own_client");
        this.path = new String[n];
        this.keys = keys(rows);
        this.node = nodes(rows, ownLog);
        this.zone = new String[n];
        Arrays.fill(zone, "");
        this.excess = new long[n];
        Arrays.fill(excess, -1);
        this.limit = new int[n];
        this.remaining = new int[n];
        quotas(rows.texts("quota"));
    }

    private void quotas(String[] quota) {
        Map<String, QuotaHeaders> seen = new HashMap<>();
        for (int i = 0; i < n; i++) {
            QuotaHeaders headers = seen.computeIfAbsent(quota[i], QuotaHeaders::read);
            limit[i] = headers.limit();
            remaining[i] = headers.remaining();
            if (headers.windowSeconds() > 0) {
                windows.add(headers.windowSeconds());
            }
        }
    }

    private int[] nodes(Columns rows, boolean ownLog) {
        String[] names = rows.texts(ownLog ? "node" : "upstream_addr");
        Map<String, Integer> numbers = new HashMap<>();
        int[] nodes = new int[n];
        for (int i = 0; i < n; i++) {
            String name = ownLog
                    ? names[i]
                    : names[i].substring(names[i].lastIndexOf(',') + 1).strip();
            nodes[i] = name.isEmpty()
                    ? -1
                    : numbers.computeIfAbsent(name, k -> {
                        nodeNames.add(k);
                        return nodeNames.size() - 1;
                    });
        }
        return nodes;
    }

    private int[][] keys(Columns rows) {
        String[] client = rows.texts("client_ip");
        String[] peer = rows.texts("own_peer");
        String[] outerPeer = rows.texts("peer_ip");
        String[] forwarded = rows.texts("forwarded");
        String[] paths = rows.texts("path");
        String[] socket = new String[n];
        String[] leftmost = new String[n];
        for (int i = 0; i < n; i++) {
            // a server that sees another address than the client's sees its peer's
            socket[i] = !peer[i].isEmpty() ? peer[i] : address[i].equals(client[i]) ? outerPeer[i] : address[i];
            int comma = forwarded[i].indexOf(',');
            leftmost[i] = forwarded[i].isEmpty()
                    ? client[i]
                    : (comma < 0 ? forwarded[i] : forwarded[i].substring(0, comma)).strip();
            path[i] = beforeQuery(paths[i]);
        }
        Numbers pathNumbers = new Numbers(path);
        Numbers leftmostNumbers = new Numbers(leftmost);
        int[] routes = pathNumbers.mapped(Routes::template);
        List<String> templates = pathNumbers.mappedTexts;
        int[] prefixes = pathNumbers.mapped(Routes::prefix);
        List<String> none = List.of();
        texts = List.of(
                none, none, none, none, none, none, templates, pathNumbers.mappedTexts, List.copyOf(pathNumbers.texts));
        return new int[][] {
            new Numbers(client).of(),
            new Numbers(socket).of(),
            leftmostNumbers.of(),
            new Numbers(rows.texts("api_key")).of(),
            new Numbers(rows.texts("user")).of(),
            new Numbers(rows.texts("tenant")).of(),
            routes,
            prefixes,
            pathNumbers.of(),
            new Numbers(rows.texts("method")).of(),
            new Numbers(rows.texts("host")).of(),
            leftmostNumbers.mapped(Routes::network)
        };
    }

    private static String beforeQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    /** Numbers for texts, by first appearance. */
    private final class Numbers {
        private final int[] number = new int[n];
        private final Map<String, Integer> known = new HashMap<>();
        private final List<String> texts = new ArrayList<>();
        /** What {@link #mapped} made last, by number. */
        private List<String> mappedTexts = List.of();

        Numbers(String[] values) {
            String last = null;
            int lastNumber = -1;
            for (int i = 0; i < n; i++) {
                if (!values[i].equals(last)) {
                    last = values[i];
                    lastNumber = absent(last)
                            ? -1
                            : known.computeIfAbsent(last, v -> {
                                texts.add(v);
                                return texts.size() - 1;
                            });
                }
                number[i] = lastNumber;
            }
        }

        private static boolean absent(String value) {
            return value.isEmpty() || value.equals("-");
        }

        int[] of() {
            return number;
        }

        /** The same for what is made of the text; made once for each text. */
        int[] mapped(java.util.function.UnaryOperator<String> made) {
            Map<String, Integer> numbers = new HashMap<>();
            int[] ofText = new int[texts.size()];
            for (int t = 0; t < ofText.length; t++) {
                ofText[t] = numbers.computeIfAbsent(made.apply(texts.get(t)), v -> numbers.size());
            }
            String[] names = new String[numbers.size()];
            numbers.forEach((text, at) -> names[at] = text);
            mappedTexts = List.of(names);
            int[] result = new int[n];
            for (int i = 0; i < n; i++) {
                result[i] = number[i] < 0 ? -1 : ofText[number[i]];
            }
            return result;
        }
    }

    void excess(ExcessNotices notices) {
        for (int i = 0; i < n; i++) {
            if (denied[i]) {
                int at = i;
                notices.take(address[i], path[i], moments.stamp(i)).ifPresent(found -> {
                    zone[at] = found.zone();
                    excess[at] = found.excessMilli();
                });
            }
        }
    }

    int denials() {
        int count = 0;
        for (boolean d : denied) {
            count += d ? 1 : 0;
        }
        return count;
    }

    Set<String> zones() {
        TreeSet<String> zones = new TreeSet<>();
        for (int i = 0; i < n; i++) {
            if (denied[i] && !zone[i].isEmpty()) {
                zones.add(zone[i]);
            }
        }
        return zones;
    }

    /** @param only only this zone's denials, what other zones denied did not count in it; empty: all */
    DecisionLog log(String only) {
        boolean[] wanted = new boolean[n];
        for (int i = 0; i < n; i++) {
            wanted[i] = only.isEmpty() || !denied[i] || zone[i].equals(only);
        }
        int[] order = moments.order(wanted);
        int[][] orderedKeys = new int[keys.length][];
        for (int f = 0; f < keys.length; f++) {
            orderedKeys[f] = DecisionLog.pick(keys[f], order);
        }
        int size = order.length;
        long[] arrival = new long[size];
        long[] uncertainty = new long[size];
        boolean[] deny = new boolean[size];
        long[] levels = new long[size];
        for (int k = 0; k < size; k++) {
            int i = order[k];
            arrival[k] = moments.early(i);
            uncertainty[k] = moments.late(i) - moments.early(i);
            deny[k] = denied[i];
            levels[k] = denied[i] ? excess[i] : -1;
        }
        return new DecisionLog(
                layer,
                component,
                arrival,
                uncertainty,
                deny,
                FIELDS,
                orderedKeys,
                DecisionLog.pick(node, order),
                List.copyOf(nodeNames),
                DecisionLog.pick(file, order),
                DecisionLog.pick(line, order),
                levels,
                DecisionLog.pick(limit, order),
                DecisionLog.pick(remaining, order),
                windows.stream().mapToDouble(w -> w).toArray(),
                texts);
    }
}
