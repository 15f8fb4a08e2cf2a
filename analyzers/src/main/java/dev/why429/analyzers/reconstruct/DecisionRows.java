package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Collects the rows of one limiter, file after file in the order of lines, and makes columns of them in the order of arrival. */
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
    /** Stamps of another log are believed about a request when they lie so close to its own. */
    private static final long AGREE_MICROS = 50_000;

    private static final long COARSE_MICROS = 100_000;
    /** A request whose duration was not logged is taken to have been answered within this. */
    private static final long UNKNOWN_DURATION_MICROS = 50_000;

    private final String layer;
    private final String component;
    private final boolean ownLog;
    private final List<Decision> decisions = new ArrayList<>();
    private final List<Map<String, Integer>> dictionaries = new ArrayList<>();
    private final Map<String, Integer> nodes = new HashMap<>();
    private final List<String> nodeNames = new ArrayList<>();
    private final TreeSet<Double> windows = new TreeSet<>();

    /** One decision while its moment is narrowed down; times in micros. */
    private static final class Decision {
        int file;
        long line;
        boolean denied;
        boolean endStamp;
        long stamp;
        long resolution;
        long duration;
        long early;
        long late;
        int[] keys;
        int node;
        String address;
        String path;
        String zone = "";
        long excess = -1;
        int limit = -1;
        int remaining = -1;

        /** Where it stands among the others: the middle of its range, for coarse stamps moved by the order of the lines. */
        long place;

        boolean coarse() {
            return late - early >= COARSE_MICROS;
        }
    }

    DecisionRows(String layer, String component, boolean ownLog) {
        this.layer = layer;
        this.component = component;
        this.ownLog = ownLog;
        FIELDS.forEach(f -> dictionaries.add(new HashMap<>()));
    }

    void add(CaseStore.Row row) {
        Decision d = new Decision();
        d.file = (int) row.integer("file");
        d.line = row.integer("line");
        d.denied = row.bool("denied");
        d.endStamp = !row.text("time_means").equals("start");
        d.stamp = row.integer("stamp");
        d.resolution = row.integer("resolution");
        d.duration = row.integer("duration");
        when(d, row);
        String node = row.text("node");
        if (!ownLog) {
            String asked = row.text("upstream_addr");
            node = asked.substring(asked.lastIndexOf(',') + 1).strip();
        }
        d.node = node.isEmpty()
                ? -1
                : nodes.computeIfAbsent(node, n -> {
                    nodeNames.add(n);
                    return nodeNames.size() - 1;
                });
        d.path = beforeQuery(row.text("path"));
        d.address = row.text("own_client");
        d.keys = keys(row, d.path);
        QuotaHeaders quota = QuotaHeaders.read(row.text("quota"));
        d.limit = quota.limit();
        d.remaining = quota.remaining();
        if (quota.windowSeconds() > 0) {
            windows.add(quota.windowSeconds());
        }
        decisions.add(d);
    }

    /** The tightest moment of arrival: the own stamp, or where that is coarse what the other layers know, if the two agree. */
    private static void when(Decision d, CaseStore.Row row) {
        long own = row.integer("own_arrival");
        long uncertainty = row.integer("own_uncertainty");
        d.early = uncertainty < 0 ? own - UNKNOWN_DURATION_MICROS : own;
        d.late = uncertainty < 0 ? own + d.resolution : own + uncertainty;
        long elsewhere = row.integer("arrival");
        long elsewhereUncertainty = row.integer("uncertainty");
        boolean finer =
                elsewhereUncertainty >= 0 && elsewhereUncertainty < COARSE_MICROS && d.late - d.early >= COARSE_MICROS;
        // a request of unknown duration may have arrived long before its stamp
        long reach = uncertainty < 0 ? 30_000_000 : AGREE_MICROS;
        if (finer && elsewhere >= d.early - reach && elsewhere <= d.late + AGREE_MICROS) {
            d.early = elsewhere;
            d.late = elsewhere + elsewhereUncertainty;
        }
    }

    private int[] keys(CaseStore.Row row, String path) {
        String client = row.text("client_ip");
        String ownClient = row.text("own_client");
        String peer = row.text("own_peer");
        // a server that sees another address than the client's sees its peer's
        String socket = !peer.isEmpty() ? peer : ownClient.equals(client) ? row.text("peer_ip") : ownClient;
        String forwarded = row.text("forwarded");
        String leftmost = forwarded.isEmpty() ? client : forwarded.split(",", 2)[0].strip();
        String[] values = {
            client,
            socket,
            leftmost,
            row.text("api_key"),
            row.text("user"),
            row.text("tenant"),
            Routes.template(path),
            Routes.prefix(path),
            path,
            row.text("method"),
            row.text("host"),
            Routes.network(leftmost)
        };
        int[] ids = new int[values.length];
        for (int f = 0; f < values.length; f++) {
            Map<String, Integer> dictionary = dictionaries.get(f);
            ids[f] = values[f].isEmpty() || values[f].equals("-")
                    ? -1
                    : dictionary.computeIfAbsent(values[f], v -> dictionary.size());
        }
        return ids;
    }

    private static String beforeQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    void excess(ExcessNotices notices) {
        for (Decision d : decisions) {
            if (d.denied) {
                notices.take(d.address, d.path, d.stamp).ifPresent(n -> {
                    d.zone = n.zone();
                    d.excess = n.excessMilli();
                });
            }
        }
    }

    int denials() {
        return (int) decisions.stream().filter(d -> d.denied).count();
    }

    Set<String> zones() {
        TreeSet<String> zones = new TreeSet<>();
        decisions.stream().filter(d -> d.denied && !d.zone.isEmpty()).forEach(d -> zones.add(d.zone));
        return zones;
    }

    /** @param zone only its denials, what other zones denied did not count in it; empty: all */
    DecisionLog log(String zone) {
        byEnd();
        List<Decision> kept = decisions.stream()
                .filter(d -> zone.isEmpty() || !d.denied || d.zone.equals(zone))
                .sorted(Comparator.comparingLong((Decision d) -> d.place)
                        .thenComparingInt(d -> d.file)
                        .thenComparingLong(d -> d.line))
                .toList();
        int n = kept.size();
        long[] arrival = new long[n];
        long[] uncertainty = new long[n];
        boolean[] denied = new boolean[n];
        int[][] keys = new int[FIELDS.size()][n];
        int[] node = new int[n];
        int[] file = new int[n];
        long[] line = new long[n];
        long[] excess = new long[n];
        int[] limit = new int[n];
        int[] remaining = new int[n];
        for (int i = 0; i < n; i++) {
            Decision d = kept.get(i);
            arrival[i] = d.early;
            uncertainty[i] = d.late - d.early;
            denied[i] = d.denied;
            for (int f = 0; f < keys.length; f++) {
                keys[f][i] = d.keys[f];
            }
            node[i] = d.node;
            file[i] = d.file;
            line[i] = d.line;
            excess[i] = d.denied ? d.excess : -1;
            limit[i] = d.limit;
            remaining[i] = d.remaining;
        }
        return new DecisionLog(
                layer,
                component,
                arrival,
                uncertainty,
                denied,
                FIELDS,
                keys,
                node,
                List.copyOf(nodeNames),
                file,
                line,
                excess,
                limit,
                remaining,
                windows.stream().mapToDouble(w -> w).toArray());
    }

    /** Lines that are written at the end of a request stand in the order of their ends: coarse ones lie between their exact neighbours. */
    private void byEnd() {
        int from = 0;
        while (from < decisions.size()) {
            int to = from;
            boolean ordered = true;
            while (to < decisions.size() && decisions.get(to).file == decisions.get(from).file) {
                ordered &= decisions.get(to).endStamp
                        && (to == from || decisions.get(to).stamp >= decisions.get(to - 1).stamp);
                to++;
            }
            List<Decision> file = decisions.subList(from, to);
            if (ordered) {
                narrow(file);
            } else {
                place(
                        file,
                        file.stream().mapToLong(d -> d.stamp).toArray(),
                        file.stream().mapToLong(d -> d.stamp + d.resolution).toArray());
            }
            from = to;
        }
    }

    private static void narrow(List<Decision> file) {
        int n = file.size();
        long[] low = new long[n];
        long[] high = new long[n];
        for (int i = 0; i < n; i++) {
            Decision d = file.get(i);
            boolean exact = d.late - d.early < COARSE_MICROS && d.duration >= 0;
            // an exact arrival says when the line was written, give or take what the proxy itself takes
            low[i] = exact ? Math.max(d.stamp, d.early + d.duration) : d.stamp;
            high[i] = exact ? Math.min(d.stamp + d.resolution, d.late + d.duration + 5_000) : d.stamp + d.resolution;
            if (low[i] > high[i]) {
                low[i] = d.stamp;
                high[i] = d.stamp + d.resolution;
            }
        }
        for (int i = 1; i < n; i++) {
            low[i] = Math.max(low[i], Math.min(low[i - 1], high[i]));
        }
        for (int i = n - 2; i >= 0; i--) {
            high[i] = Math.min(high[i], Math.max(high[i + 1], low[i]));
        }
        place(file, low, high);
        for (int i = 0; i < n; i++) {
            Decision d = file.get(i);
            if (d.coarse()) {
                long took = d.duration >= 0 ? d.duration : 0;
                long early = Math.max(d.early, low[i] - took - (d.duration >= 0 ? 0 : UNKNOWN_DURATION_MICROS));
                long late = Math.min(d.late, high[i] - took);
                if (early <= late) {
                    d.early = early;
                    d.late = late;
                }
            }
        }
    }

    /** Spreads lines of one range over it, in their order, and takes off how long each request took. */
    private static void place(List<Decision> file, long[] low, long[] high) {
        int from = 0;
        while (from < file.size()) {
            int to = from + 1;
            while (to < file.size() && low[to] == low[from] && high[to] == high[from]) {
                to++;
            }
            for (int i = from; i < to; i++) {
                Decision d = file.get(i);
                long within = (high[i] - low[i]) * (i - from + 1) / (to - from + 1);
                d.place = d.coarse()
                        ? low[i] + within - (d.endStamp ? Math.max(0, d.duration) : 0)
                        : (d.early + d.late) / 2;
            }
            from = to;
        }
    }
}
