package dev.why429.analyzers.replay;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Policies worth trying on a case, found by the twin: the smallest bucket for those who behave, and the limit that is there by client. */
public final class Suggestions {
    private static final Set<String> ADDRESSES = Set.of("client_ip", "client_net", "peer_ip", "xff_leftmost");
    /** Who comes back so soon after a denial, in more than this share of them, does not behave. */
    private static final long HASTE_MICROS = 1_000_000;

    private static final double HASTY_SHARE = 0.2;
    /** A field tells clients apart when at least so many requests bear it. */
    private static final double MOST = 0.8;
    /** Between one and ten; rates are these times a power of ten, as people write them. */
    private static final double[] STEPS = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};

    private static final double LEAST_RATE = 0.01;
    private static final double GREATEST_RATE = 100_000;
    /** A bucket is the smaller, the less it lets through in a minute. */
    private static final double MINUTE_SECONDS = 60;

    private Suggestions() {}

    /** @param because one sentence */
    public record Suggestion(Policy policy, String because) {}

    /** At most one of each kind; none where nothing was denied or nobody can be told apart. */
    public static List<Suggestion> of(CaseStore store, Case theCase) {
        List<Suggestion> all = new ArrayList<>();
        Optional<String> client = client(store);
        for (Case.Limiter limiter : theCase.limiters()) {
            byClient(limiter, client).ifPresent(all::add);
        }
        if (theCase.denials().total() > 0) {
            String key = client.orElse("client_ip");
            Policy any = Policy.parse("token-bucket:rate=1/s,burst=1,key=" + key);
            smallest(CaseRequests.read(store, any), key).ifPresent(all::add);
        }
        return all.stream().distinct().toList();
    }

    /** The field that names clients, other than their address. */
    private static Optional<String> client(CaseStore store) {
        for (String field : List.of("api_key", "user", "tenant")) {
            boolean most = store.query(
                            "SELECT count(*) AS n, count(nullif(nullif(\"" + field
                                    + "\", ''), '-')) AS bear FROM exchanges",
                            row -> row.integer("bear") >= MOST * row.integer("n") && row.integer("bear") > 0)
                    .get(0);
            if (most) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    private static Optional<Suggestion> byClient(Case.Limiter limiter, Optional<String> client) {
        boolean byAddress = !limiter.key().isEmpty() && limiter.key().stream().anyMatch(ADDRESSES::contains);
        if (!byAddress || client.isEmpty()) {
            return Optional.empty();
        }
        List<String> key = limiter.key().stream()
                .map(field -> ADDRESSES.contains(field) ? client.get() : field)
                .distinct()
                .toList();
        return LimiterPolicies.key(key, limiter.scope().equals("per_node"))
                .flatMap(text -> LimiterPolicies.by(limiter, text).stream().findFirst())
                .map(policy -> new Suggestion(
                        policy,
                        "the limit of " + limiter.id() + " (" + limiter.component() + "), counted by " + client.get()
                                + " instead of by address"));
    }

    /** The bucket that lets through least in a minute of those that would have passed every first attempt of every client that behaves. */
    static Optional<Suggestion> smallest(RequestStream requests, String key) {
        BitSet behaved = behaved(requests);
        if (behaved.isEmpty() || requests.size() == 0) {
            return Optional.empty();
        }
        double least = steady(requests, behaved);
        double bestRate = 0;
        long bestBurst = 0;
        for (double power = LEAST_RATE; power < GREATEST_RATE; power *= 10) {
            for (double step : STEPS) {
                double rate = Math.rint(power * step * 1e4) / 1e4;
                if (rate < least) {
                    continue; // it would live on the burst alone, and no longer than the log is
                }
                long burst = needed(requests, behaved, rate);
                if (bestRate == 0 || burst + MINUTE_SECONDS * rate < bestBurst + MINUTE_SECONDS * bestRate) {
                    bestRate = rate;
                    bestBurst = burst;
                }
            }
        }
        String rate = LimiterPolicies.number(bestRate);
        for (long burst = bestBurst; burst <= bestBurst + 1; burst++) {
            Policy policy = Policy.parse("token-bucket:rate=" + rate + "/s,burst=" + burst + ",key=" + key);
            if (passesAll(requests, behaved, policy)) {
                int clients = behaved.cardinality();
                return Optional.of(new Suggestion(
                        policy,
                        "the smallest token bucket that passes every first attempt of the " + clients + " of "
                                + requests.keyNames().size() + " clients that wait after a denial"));
            }
        }
        return Optional.empty();
    }

    private static BitSet behaved(RequestStream requests) {
        int keys = requests.keyNames().size();
        int[] denials = new int[keys];
        int[] hasty = new int[keys];
        for (int i = 0; i < requests.size(); i++) {
            int key = requests.keyId(i);
            denials[key] += requests.denied(i) ? 1 : 0;
            long since = requests.arrivals().sinceDenial[i];
            hasty[key] += since >= 0 && since < HASTE_MICROS ? 1 : 0;
        }
        BitSet behaved = new BitSet(keys);
        for (int key = 0; key < keys; key++) {
            behaved.set(key, hasty[key] <= HASTY_SHARE * denials[key]);
        }
        return behaved;
    }

    /** What the busiest of them asks for steadily, requests per second. */
    private static double steady(RequestStream requests, BitSet behaved) {
        int keys = requests.keyNames().size();
        long[] first = new long[keys];
        long[] last = new long[keys];
        int[] count = new int[keys];
        for (int i = 0; i < requests.size(); i++) {
            int key = requests.keyId(i);
            if (behaved.get(key) && !requests.arrivals().retry(i)) {
                first[key] = count[key] == 0 ? requests.arrivalMicros(i) : first[key];
                last[key] = requests.arrivalMicros(i);
                count[key]++;
            }
        }
        double most = 0;
        for (int key = 0; key < keys; key++) {
            // one alone has no rate; some in an instant are a burst
            most = Math.max(most, (count[key] - 1) / Math.max(1, (last[key] - first[key]) / 1e6));
        }
        return most;
    }

    /** The burst that passes all at a rate: the highest level that any client's first attempts reach. */
    private static long needed(RequestStream requests, BitSet behaved, double rate) {
        int keys = requests.keyNames().size();
        double[] level = new double[keys];
        long[] last = new long[keys];
        double most = 0;
        for (int i = 0; i < requests.size(); i++) {
            int key = requests.keyId(i);
            if (!behaved.get(key) || requests.arrivals().retry(i)) {
                continue;
            }
            long now = requests.arrivalMicros(i);
            level[key] = Math.max(0, level[key] - rate * (now - last[key]) / 1e6) + 1;
            last[key] = now;
            most = Math.max(most, level[key]);
        }
        return (long) Math.ceil(most - 1e-6);
    }

    private static boolean passesAll(RequestStream requests, BitSet behaved, Policy policy) {
        KeyedLimiters limiters = new KeyedLimiters(policy, requests);
        for (int i = 0; i < requests.size(); i++) {
            if (behaved.get(requests.keyId(i))
                    && !requests.arrivals().retry(i)
                    && !limiters.of(i).decide(requests.arrivalMicros(i), 1).allowed()) {
                return false;
            }
        }
        return true;
    }
}
