package dev.why429.analyzers.replay;

import java.util.Arrays;
import java.util.BitSet;

/** Redis's word on what the twin decided: the same requests through the script, compared number by number. */
final class Confirmation {
    private Confirmation() {}

    /**
     * Lets Redis decide, on every request or on the most telling ones.
     *
     * @param denied what the twin decided
     * @return which engine stands behind the result, as the report names it
     * @throws Disagreement at the first decision that differs
     */
    static String of(RequestStream requests, Policy policy, BitSet denied, RedisEngine engine, int most) {
        if (!engine.hasRedis()) {
            return engine.name();
        }
        // the outer of several limits depend on everybody's requests: of these the first count, not the most telling
        int[] chosen = requests.size() <= most
                ? all(requests.size())
                : requests.keysEach() > 1 ? all(most) : telling(requests, denied, most);
        try {
            compare(requests, policy, chosen, engine);
        } catch (RedisProblem e) {
            return "java twin (not confirmed: " + e.getMessage() + ")";
        }
        if (chosen.length == requests.size()) {
            return engine.name();
        }
        return engine.name() + " for " + chosen.length + " of " + requests.size()
                + " decisions ("
                + (requests.keysEach() > 1 ? "the first" : "keys with denials first, a sample of the others")
                + "), java twin for the rest";
    }

    private static void compare(RequestStream requests, Policy policy, int[] chosen, RedisEngine engine) {
        engine.decide(
                ReferenceLimiters.rule(policy.limiter()).script(),
                new Calls(requests, policy, chosen),
                new Comparison(requests, policy, chosen));
    }

    /** The chosen requests as Redis gets them. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Calls(RequestStream requests, Policy policy, int[] chosen, long[] inForce)
            implements RedisEngine.Requests {
        Calls(RequestStream requests, Policy policy, int[] chosen) {
            this(requests, policy, chosen, policy.parameters());
        }

        @Override
        public int size() {
            return chosen.length;
        }

        @Override
        public int keysEach() {
            return requests.keysEach();
        }

        @Override
        public String key(int call) {
            return Integer.toString(requests.keyId(chosen[call]));
        }

        @Override
        public String key(int call, int which) {
            return which + ":" + requests.keyId(chosen[call], which);
        }

        @Override
        public long nowMicros(int call) {
            return requests.arrivalMicros(chosen[call]);
        }

        @Override
        public long cost(int call) {
            return requests.cost(chosen[call]);
        }

        @Override
        public long[] parameters(int call) {
            return inForce;
        }

        @Override
        public boolean lastParameterVaries() {
            return policy.needsDuration();
        }

        @Override
        public long lastParameter(int call) {
            return KeyedLimiters.hold(requests, chosen[call]);
        }
    }

    /** The twin decides once more, beside each of Redis's decisions. */
    private static final class Comparison implements RedisEngine.Decisions {
        private final RequestStream requests;
        private final Policy policy;
        private final int[] chosen;
        private KeyedLimiters twins;

        Comparison(RequestStream requests, Policy policy, int[] chosen) {
            this.requests = requests;
            this.policy = policy;
            this.chosen = chosen;
            this.twins = new KeyedLimiters(policy, requests);
        }

        @Override
        public void beginAgain() {
            twins = new KeyedLimiters(policy, requests);
        }

        @Override
        public void decided(int call, Decision decision) {
            int request = chosen[call];
            long now = requests.arrivalMicros(request);
            Decision twin = twins.of(request).decide(now, requests.cost(request));
            if (!twin.equals(decision)) {
                throw new Disagreement(policy.limiter(), request, now, requests.cost(request), twin, decision);
            }
        }
    }

    private static int[] all(int size) {
        int[] all = new int[size];
        Arrays.setAll(all, i -> i);
        return all;
    }

    /**
     * Whole keys, or the beginning of one: a limiter's first decisions do not depend on later ones. Nine tenths at most go to keys with denials,
     * observed or decided, the rest to the others, in an order that has nothing to do with the traffic.
     */
    private static int[] telling(RequestStream requests, BitSet denied, int most) {
        int keys = requests.keyNames().size();
        boolean[] telling = new boolean[keys];
        int[] count = new int[keys];
        for (int i = 0; i < requests.size(); i++) {
            int key = requests.keyId(i);
            count[key]++;
            telling[key] |= requests.denied(i) || denied.get(i);
        }
        int[] quota = new int[keys];
        long left = give(quota, count, keysWhere(telling, true), most - most / 10);
        left = give(quota, count, keysWhere(telling, false), left + most / 10);
        give(quota, count, keysWhere(telling, true), left);
        int[] chosen = new int[most];
        int size = 0;
        for (int i = 0; i < requests.size() && size < most; i++) {
            int key = requests.keyId(i);
            if (quota[key] > 0) {
                quota[key]--;
                chosen[size++] = i;
            }
        }
        return Arrays.copyOf(chosen, size);
    }

    private static long give(int[] quota, int[] count, int[] keys, long most) {
        long left = most;
        for (int key : keys) {
            int more = (int) Math.min(left, count[key] - quota[key]);
            quota[key] += more;
            left -= more;
        }
        return left;
    }

    private static int[] keysWhere(boolean[] telling, boolean wanted) {
        return java.util.stream.IntStream.range(0, telling.length)
                .filter(key -> telling[key] == wanted)
                .boxed()
                .sorted(java.util.Comparator.comparingInt(key -> Integer.reverse(key * 0x9E3779B9)))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
