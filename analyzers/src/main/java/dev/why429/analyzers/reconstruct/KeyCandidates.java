package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The keys that are tried: single fields, one bucket for all, pairs, and the first of two fields that is there. Each grouping once. */
final class KeyCandidates {
    /** The first part of the path, which the case calls a route too. */
    static final String ROUTE_PREFIX = "route_prefix";

    private static final Map<String, Double> FIELDS = new LinkedHashMap<>();

    static {
        // bits a field costs as a key: what limiters usually count by is cheap
        FIELDS.put("client_ip", 0.0);
        FIELDS.put("api_key", 0.0);
        FIELDS.put("user", 1.0);
        FIELDS.put("peer_ip", 1.0);
        FIELDS.put("tenant", 1.5);
        FIELDS.put("client_net", 2.5);
        FIELDS.put("xff_leftmost", 3.0);
        FIELDS.put("route", 6.0);
        FIELDS.put(ROUTE_PREFIX, 6.5);
        FIELDS.put("path", 7.0);
        FIELDS.put("host", 7.0);
        FIELDS.put("method", 8.0);
    }

    private static final double ONE_BUCKET_BITS = 2;
    private static final Set<String> IDENTITIES =
            Set.of("client_ip", "client_net", "peer_ip", "xff_leftmost", "api_key", "user", "tenant");
    private static final Set<String> TARGETS = Set.of("route", ROUTE_PREFIX, "path", "method", "host");

    private final DecisionLog log;
    private final List<Grouping> found = new ArrayList<>();

    private KeyCandidates(DecisionLog log) {
        this.log = log;
    }

    /** @return keys without the node, cheapest first; keys that group these decisions identically are named in one of them */
    static List<Grouping> of(DecisionLog log) {
        KeyCandidates candidates = new KeyCandidates(log);
        candidates.fields();
        candidates.pairs();
        candidates.chains();
        return candidates.found;
    }

    static double priorBits(String field) {
        return FIELDS.getOrDefault(field, 3.0);
    }

    private List<Integer> present() {
        return Stream.iterate(0, f -> f + 1)
                .limit(log.keyNames().size())
                .filter(f -> Arrays.stream(log.keyValue()[f]).anyMatch(v -> v >= 0))
                .sorted((a, b) -> Double.compare(
                        priorBits(log.keyNames().get(a)),
                        priorBits(log.keyNames().get(b))))
                .toList();
    }

    private void fields() {
        boolean oneBucketTried = false;
        for (int f : present()) {
            long[] ids = new long[log.size()];
            Arrays.setAll(ids, combined(f));
            String name = log.keyNames().get(f);
            if (!oneBucketTried && priorBits(name) > ONE_BUCKET_BITS) {
                oneBucket();
                oneBucketTried = true;
            }
            add(Grouping.of(List.of(name), false, ids, priorBits(name)));
        }
        if (!oneBucketTried) {
            oneBucket();
        }
    }

    private void oneBucket() {
        add(new Grouping(List.of(), false, new int[log.size()], 1, ONE_BUCKET_BITS, new ArrayList<>()));
    }

    private java.util.function.IntToLongFunction combined(int field) {
        int[] values = log.keyValue()[field];
        return i -> values[i];
    }

    private void pairs() {
        List<Integer> present = present();
        for (int a : present) {
            for (int b : present) {
                String first = log.keyNames().get(a);
                String second = log.keyNames().get(b);
                boolean twoIdentities = IDENTITIES.contains(second)
                        && first.compareTo(second) < 0
                        && !(first.startsWith("client_") && second.startsWith("client_"));
                boolean sensible = IDENTITIES.contains(first) && (TARGETS.contains(second) || twoIdentities);
                if (sensible) {
                    int[] left = log.keyValue()[a];
                    int[] right = log.keyValue()[b];
                    long[] ids = new long[log.size()];
                    Arrays.setAll(ids, i -> left[i] < 0 || right[i] < 0 ? -1 : ((long) left[i] << 31) | right[i]);
                    add(Grouping.of(List.of(first, second), false, ids, priorBits(first) + priorBits(second) + 2));
                }
            }
        }
    }

    private void chains() {
        for (int a : present()) {
            String first = log.keyNames().get(a);
            if (!Set.of("api_key", "user", "tenant").contains(first)) {
                continue;
            }
            for (String second : List.of("client_ip", "peer_ip")) {
                int b = log.keyNames().indexOf(second);
                if (b < 0) {
                    continue;
                }
                int[] left = log.keyValue()[a];
                int[] right = log.keyValue()[b];
                long[] ids = new long[log.size()];
                Arrays.setAll(ids, i -> left[i] >= 0 ? left[i] * 2L : right[i] < 0 ? -1 : right[i] * 2L + 1);
                add(Grouping.of(List.of(first + "|" + second), false, ids, priorBits(first) + 3));
            }
        }
    }

    private void add(Grouping grouping) {
        if (grouping.without() == log.size()) {
            return;
        }
        // nearly every request a bucket of its own: nothing could ever be counted
        if (log.size() > 20 && grouping.groups() > 0.8 * log.size()) {
            return;
        }
        for (Grouping other : found) {
            if (other.groupsLike(grouping)) {
                if (worthNaming(grouping)
                        && !other.fields().equals(grouping.fields())
                        && !other.same().contains(grouping.fields())) {
                    other.same().add(grouping.fields());
                }
                return;
            }
        }
        found.add(grouping);
    }

    /** Pairs with a method or of two identities would only lengthen the list of keys that cannot be told apart. */
    private static boolean worthNaming(Grouping grouping) {
        return !grouping.fields().contains("method")
                && !grouping.fields().contains("host")
                && (grouping.fields().size() < 2
                        || grouping.fields().contains("route")
                        || grouping.fields().contains(ROUTE_PREFIX)
                        || grouping.fields().contains("path"));
    }
}
