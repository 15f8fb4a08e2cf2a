package dev.why429.analyzers.replay;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a correct limiter would have done with the traffic of a case. The Java twin decides every request; Redis confirms it decision by decision.
 */
public final class Replay {
    /** Decisions a policy that Redis confirms at most; beyond, keys with denials come first and the quiet ones are sampled. */
    static final int MOST_CONFIRMED = 1_000_000;

    private static final int SHOWN_DIFFERENCES = 10;

    private Replay() {}

    /**
     * One policy's result.
     *
     * @param dependsOnStamps decisions that come out otherwise when requests whose stamps are too coarse arrive as early, or as late, as the stamps
     *     allow
     * @param neverAllowed requests whose cost is above what the policy can ever allow; counted as denied
     * @param keys by the policy's key, most denied first
     */
    public record Result(Case.Replay summary, long dependsOnStamps, long neverAllowed, List<KeyResult> keys) {}

    /** What happened to one key, and what the policy would have done. */
    public record KeyResult(String key, long requests, long observedDenied, long denied) {}

    /** Replays the client requests of a case under each policy. */
    public static List<Case.Replay> run(CaseStore store, List<Policy> policies, RedisEngine engine) {
        return results(store, policies, engine).stream().map(Result::summary).toList();
    }

    /** The same with what each key got. The tables are read once for all policies. */
    public static List<Result> results(CaseStore store, List<Policy> policies, RedisEngine engine) {
        if (policies.isEmpty()) {
            return List.of();
        }
        List<RequestStream> streams = CaseRequests.read(store, policies);
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < policies.size(); i++) {
            results.add(replay(streams.get(i), policies.get(i), engine, MOST_CONFIRMED));
        }
        return List.copyOf(results);
    }

    /**
     * Replays one policy on a stream.
     *
     * @throws Disagreement when Redis decides otherwise than the twin
     */
    public static Result replay(RequestStream requests, Policy policy, RedisEngine engine) {
        return replay(requests, policy, engine, MOST_CONFIRMED);
    }

    static Result replay(RequestStream requests, Policy policy, RedisEngine engine, int mostConfirmed) {
        Verdicts verdicts = decide(requests, policy);
        BitSet open = open(requests, policy, verdicts);
        Tally tally = new Tally(requests, verdicts, open);
        String engineName = Confirmation.of(requests, policy, verdicts.denied, engine, mostConfirmed);
        long same = requests.size() - tally.allowedWouldDeny - tally.deniedWouldAllow;
        Case.Replay summary = new Case.Replay(
                policy.text(),
                engineName,
                requests.size() - verdicts.denied.cardinality(),
                verdicts.denied.cardinality(),
                requests.size() == 0 ? 1.0 : (double) same / requests.size(),
                tally.allowedWouldDeny,
                tally.deniedWouldAllow,
                Optional.of(tally.detail(policy)));
        return new Result(summary, open.cardinality(), verdicts.never, tally.keys());
    }

    /** @param never requests that no waiting would help */
    private record Verdicts(BitSet denied, long never) {}

    private static Verdicts decide(RequestStream requests, Policy policy) {
        KeyedLimiters limiters = new KeyedLimiters(policy, requests);
        BitSet denied = new BitSet(requests.size());
        long never = 0;
        for (int i = 0; i < requests.size(); i++) {
            Decision decision = limiters.of(i).decide(requests.arrivalMicros(i), requests.cost(i));
            if (!decision.allowed()) {
                denied.set(i);
                never += decision.outcome() == Decision.Outcome.COST_EXCEEDS_CAPACITY ? 1 : 0;
            }
        }
        return new Verdicts(denied, never);
    }

    /** Decisions that are others when every request comes as early, or every one as late, as its stamp allows. */
    private static BitSet open(RequestStream requests, Policy policy, Verdicts verdicts) {
        BitSet open = new BitSet(requests.size());
        Arrivals arrivals = requests.arrivals();
        KeyedLimiters early = new KeyedLimiters(policy, requests);
        for (int i = 0; i < requests.size(); i++) {
            int request = requests.bunched(i);
            mark(open, verdicts, request, early.of(request).decide(arrivals.earliest[request], requests.cost(request)));
        }
        if (!arrivals.exact()) {
            KeyedLimiters late = new KeyedLimiters(policy, requests);
            for (int request : byLatest(arrivals)) {
                mark(
                        open,
                        verdicts,
                        request,
                        late.of(request).decide(arrivals.latest[request], requests.cost(request)));
            }
        }
        return open;
    }

    private static void mark(BitSet open, Verdicts verdicts, int request, Decision decision) {
        if (decision.allowed() == verdicts.denied.get(request)) {
            open.set(request);
        }
    }

    private static int[] byLatest(Arrivals arrivals) {
        return java.util.stream.IntStream.range(0, arrivals.size)
                .boxed()
                .sorted(Comparator.comparingLong(i -> arrivals.latest[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * The traffic that would have been left: an attempt that exists only because an earlier one was denied falls away once the policy allows one.
     * That a client would have come again after a denial that it never saw, nobody can know.
     */
    private static Case.RetryAware withoutNeedlessRetries(RequestStream requests, Policy policy) {
        Arrivals arrivals = requests.arrivals();
        KeyedLimiters limiters = new KeyedLimiters(policy, requests);
        BitSet served = new BitSet(arrivals.chains);
        long retries = 0;
        long fellAway = 0;
        long allowed = 0;
        long denied = 0;
        for (int i = 0; i < requests.size(); i++) {
            int chain = arrivals.chain[i];
            retries += arrivals.retry(i) ? 1 : 0;
            if (arrivals.retry(i) && served.get(chain)) {
                fellAway++;
                continue;
            }
            if (limiters.of(i)
                    .decide(requests.arrivalMicros(i), requests.cost(i))
                    .allowed()) {
                served.set(chain);
                allowed++;
            } else {
                denied++;
            }
        }
        return new Case.RetryAware(retries, fellAway, allowed, denied);
    }

    /** Observed beside decided. */
    private static final class Tally {
        private final RequestStream requests;
        private final Verdicts verdicts;
        private final BitSet open;
        private final long[] seen;
        private final long[] observed;
        private final long[] would;
        private final Rates observedRates = new Rates();
        private final Rates allowedRates = new Rates();
        private final List<Case.Difference> differences = new ArrayList<>();
        private long allowedWouldDeny;
        private long deniedWouldAllow;
        private long determinedSame;

        Tally(RequestStream requests, Verdicts verdicts, BitSet open) {
            this.requests = requests;
            this.verdicts = verdicts;
            this.open = open;
            int keys = requests.keyNames().size();
            seen = new long[keys];
            observed = new long[keys];
            would = new long[keys];
            for (int i = 0; i < requests.size(); i++) {
                count(i);
            }
        }

        private void count(int i) {
            boolean denies = verdicts.denied.get(i);
            boolean denied = requests.denied(i);
            int key = requests.keyId(i);
            seen[key]++;
            observed[key] += denied ? 1 : 0;
            would[key] += denies ? 1 : 0;
            observedRates.at(requests.arrivalMicros(i), !denied);
            allowedRates.at(requests.arrivalMicros(i), !denies);
            if (denied == denies) {
                determinedSame += open.get(i) ? 0 : 1;
                return;
            }
            allowedWouldDeny += denies ? 1 : 0;
            deniedWouldAllow += denies ? 0 : 1;
            if (!open.get(i) && differences.size() < SHOWN_DIFFERENCES) {
                differences.add(new Case.Difference(
                        requests.arrivals().evidence(i),
                        requests.keyNames().get(key),
                        denied ? "denied" : "allowed",
                        denies ? "denied" : "allowed"));
            }
        }

        Case.ReplayDetail detail(Policy policy) {
            long determined = (long) requests.size() - open.cardinality();
            return new Case.ReplayDetail(
                    "free_running",
                    open.cardinality(),
                    determined == 0 ? 1.0 : (double) determinedSame / determined,
                    verdicts.never,
                    observedRates.peak(),
                    observedRates.percentile99(),
                    allowedRates.peak(),
                    allowedRates.percentile99(),
                    Optional.of(withoutNeedlessRetries(requests, policy)),
                    List.copyOf(differences),
                    Optional.empty(),
                    Optional.empty());
        }

        List<KeyResult> keys() {
            List<KeyResult> byKey = new ArrayList<>();
            for (int key = 0; key < seen.length; key++) {
                byKey.add(new KeyResult(requests.keyNames().get(key), seen[key], observed[key], would[key]));
            }
            byKey.sort(Comparator.comparingLong(KeyResult::denied)
                    .reversed()
                    .thenComparing(
                            Comparator.comparingLong(KeyResult::observedDenied).reversed())
                    .thenComparing(KeyResult::key));
            return List.copyOf(byKey);
        }
    }
}
