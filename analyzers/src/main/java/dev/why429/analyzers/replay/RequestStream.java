package dev.why429.analyzers.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests in the order of their arrival, as columns; what a policy is replayed on. */
public final class RequestStream {
    private final long[] arrivalMicros;
    private final int[] keyId;
    private final int[] cost;
    private final boolean[] denied;
    private final int[] bunchedOrder;
    private final long[] earliestMicros;
    private final List<String> keyNames;

    private RequestStream(Builder builder) {
        int n = builder.size;
        arrivalMicros = Arrays.copyOf(builder.arrivalMicros, n);
        earliestMicros = Arrays.copyOf(builder.earliestMicros, n);
        keyId = Arrays.copyOf(builder.keyId, n);
        cost = Arrays.copyOf(builder.cost, n);
        denied = Arrays.copyOf(builder.denied, n);
        keyNames = List.copyOf(builder.keyNames);
        bunchedOrder = new int[n];
        for (int i = 0; i < n; i++) {
            bunchedOrder[builder.rank[i]] = i;
        }
    }

    public int size() {
        return arrivalMicros.length;
    }

    /** The likeliest arrival, microseconds; never less than that of the request before. */
    public long arrivalMicros(int request) {
        return arrivalMicros[request];
    }

    /** The earliest arrival that the stamps allow. */
    public long earliestMicros(int request) {
        return earliestMicros[request];
    }

    public int keyId(int request) {
        return keyId[request];
    }

    public int cost(int request) {
        return cost[request];
    }

    /** Whether the client saw a denial. */
    public boolean denied(int request) {
        return denied[request];
    }

    /** The i-th request when all arrive as early as the stamps allow. */
    public int bunched(int i) {
        return bunchedOrder[i];
    }

    public List<String> keyNames() {
        return keyNames;
    }

    /** Takes requests in the order of their likeliest arrival. */
    public static final class Builder {
        private long[] arrivalMicros = new long[1024];
        private long[] earliestMicros = new long[1024];
        private int[] rank = new int[1024];
        private int[] keyId = new int[1024];
        private int[] cost = new int[1024];
        private boolean[] denied = new boolean[1024];
        private int size;
        private final Map<String, Integer> ids = new HashMap<>();
        private final List<String> keyNames = new ArrayList<>();

        /** A request whose arrival is known exactly. */
        public Builder add(long arrival, String key, int units, boolean wasDenied) {
            return add(arrival, arrival, size, key, units, wasDenied);
        }

        /**
         * @param earliest the earliest arrival that the stamp allows
         * @param rankByEarliest place of the request, from 0, when all are ordered by their earliest arrival
         * @throws IllegalArgumentException when an arrival lies before the last one's, or before 1970
         */
        public Builder add(long arrival, long earliest, int rankByEarliest, String key, int units, boolean wasDenied) {
            if (earliest < 0 || (size > 0 && arrival < arrivalMicros[size - 1])) {
                throw new IllegalArgumentException("arrival \"" + arrival + "\" is out of order or before 1970");
            }
            if (size == arrivalMicros.length) {
                grow();
            }
            arrivalMicros[size] = arrival;
            earliestMicros[size] = earliest;
            rank[size] = rankByEarliest;
            keyId[size] = ids.computeIfAbsent(key, k -> {
                keyNames.add(k);
                return keyNames.size() - 1;
            });
            cost[size] = units;
            denied[size] = wasDenied;
            size++;
            return this;
        }

        private void grow() {
            int more = size * 2;
            arrivalMicros = Arrays.copyOf(arrivalMicros, more);
            earliestMicros = Arrays.copyOf(earliestMicros, more);
            rank = Arrays.copyOf(rank, more);
            keyId = Arrays.copyOf(keyId, more);
            cost = Arrays.copyOf(cost, more);
            denied = Arrays.copyOf(denied, more);
        }

        public RequestStream build() {
            return new RequestStream(this);
        }
    }
}
