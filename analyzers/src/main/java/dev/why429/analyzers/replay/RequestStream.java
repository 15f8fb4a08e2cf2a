package dev.why429.analyzers.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests in the order of their arrival, with the keys and costs that one policy gives them. */
public final class RequestStream {
    private final Arrivals arrivals;
    private final int[][] keyId;
    private final List<List<String>> keyNames;
    private final int[] cost;

    private RequestStream(Arrivals arrivals, Keys keys) {
        this.arrivals = arrivals;
        this.keyId = new int[keys.names.size()][];
        for (int which = 0; which < keyId.length; which++) {
            keyId[which] = Arrays.copyOf(keys.id[which], arrivals.size);
        }
        this.keyNames = keys.names.stream().map(List::copyOf).toList();
        this.cost = Arrays.copyOf(keys.cost, arrivals.size);
    }

    Arrivals arrivals() {
        return arrivals;
    }

    public int size() {
        return arrivals.size;
    }

    /** The likeliest arrival, microseconds; never less than that of the request before. */
    public long arrivalMicros(int request) {
        return arrivals.likely[request];
    }

    /** The earliest arrival that the stamps allow. */
    public long earliestMicros(int request) {
        return arrivals.earliest[request];
    }

    /** Number of the key; of several the innermost's. */
    public int keyId(int request) {
        return keyId[keyId.length - 1][request];
    }

    int keyId(int request, int which) {
        return keyId[which][request];
    }

    /** How many keys each request has. */
    int keysEach() {
        return keyId.length;
    }

    public int cost(int request) {
        return cost[request];
    }

    /** Whether the client saw a denial. */
    public boolean denied(int request) {
        return arrivals.denied[request];
    }

    /** The i-th request when all arrive as early as the stamps allow. */
    public int bunched(int i) {
        return arrivals.byEarliest[i];
    }

    public List<String> keyNames() {
        return keyNames.get(keyNames.size() - 1);
    }

    List<String> keyNames(int which) {
        return keyNames.get(which);
    }

    /** Collects what one policy makes of requests, in their order. */
    static final class Keys {
        private final List<Map<String, Integer>> ids = new ArrayList<>();
        private final List<List<String>> names = new ArrayList<>();
        private final int[][] id;
        private int[] cost = new int[1024];
        private int size;

        Keys(int each) {
            id = new int[each][1024];
            for (int which = 0; which < each; which++) {
                ids.add(new HashMap<>());
                names.add(new ArrayList<>());
            }
        }

        void key(int which, String name) {
            if (size == id[which].length) {
                id[which] = Arrays.copyOf(id[which], 2 * size);
            }
            List<String> known = names.get(which);
            id[which][size] = ids.get(which).computeIfAbsent(name, k -> {
                known.add(k);
                return known.size() - 1;
            });
        }

        /** The last of a request: its cost. */
        void cost(int units) {
            if (size == cost.length) {
                cost = Arrays.copyOf(cost, 2 * size);
            }
            cost[size++] = units;
        }

        RequestStream with(Arrivals arrivals) {
            return new RequestStream(arrivals, this);
        }
    }

    /** Takes requests with one key each in the order of their likeliest arrival. */
    public static final class Builder {
        private final Arrivals.Builder arrivals = new Arrivals.Builder();
        private final Keys keys = new Keys(1);

        /** A request whose arrival is known exactly. */
        public Builder add(long arrival, String key, int units, boolean wasDenied) {
            return add(arrival, arrival, arrivals.size(), key, units, wasDenied);
        }

        /**
         * @param earliest the earliest arrival that the stamp allows
         * @param rankByEarliest place of the request, from 0, when all are ordered by their earliest arrival
         * @throws IllegalArgumentException when an arrival lies before the last one's, or before 1970
         */
        public Builder add(long arrival, long earliest, int rankByEarliest, String key, int units, boolean wasDenied) {
            arrivals.add(arrival, earliest, arrival, rankByEarliest, wasDenied, "");
            keys.key(0, key);
            keys.cost(units);
            return this;
        }

        public RequestStream build() {
            return keys.with(arrivals.build());
        }
    }
}
