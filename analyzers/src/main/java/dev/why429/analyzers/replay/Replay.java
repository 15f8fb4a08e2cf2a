package dev.why429.analyzers.replay;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * What a correct limiter would have done with the traffic of a case. The Java twin decides every request; Redis confirms it decision by decision.
 */
public final class Replay {
    /** Decisions a policy that Redis confirms at most; beyond, keys with denials come first and the quiet ones are sampled. */
    static final int MOST_CONFIRMED = 1_000_000;

    private Replay() {}

    /**
     * One policy's result.
     *
     * @param dependsOnStamps decisions that come out otherwise when requests whose stamps are too coarse arrive as early as the stamps allow
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

    /** The same with what each key got. */
    public static List<Result> results(CaseStore store, List<Policy> policies, RedisEngine engine) {
        return policies.stream()
                .map(policy -> replay(CaseRequests.read(store, policy), policy, engine, MOST_CONFIRMED))
                .toList();
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
        long denied = verdicts.denied.cardinality();
        long allowedWouldDeny = 0;
        long deniedWouldAllow = 0;
        int keys = requests.keyNames().size();
        long[] seen = new long[keys];
        long[] observed = new long[keys];
        long[] would = new long[keys];
        for (int i = 0; i < requests.size(); i++) {
            boolean now = verdicts.denied.get(i);
            int key = requests.keyId(i);
            seen[key]++;
            if (requests.denied(i)) {
                observed[key]++;
                deniedWouldAllow += now ? 0 : 1;
            } else {
                allowedWouldDeny += now ? 1 : 0;
            }
            would[key] += now ? 1 : 0;
        }
        List<KeyResult> byKey = new ArrayList<>();
        for (int key = 0; key < keys; key++) {
            byKey.add(new KeyResult(requests.keyNames().get(key), seen[key], observed[key], would[key]));
        }
        byKey.sort(Comparator.comparingLong(KeyResult::denied)
                .reversed()
                .thenComparing(
                        Comparator.comparingLong(KeyResult::observedDenied).reversed())
                .thenComparing(KeyResult::key));
        long same = requests.size() - allowedWouldDeny - deniedWouldAllow;
        Case.Replay summary = new Case.Replay(
                policy.text(),
                Confirmation.of(requests, policy, verdicts.denied, engine, mostConfirmed),
                requests.size() - denied,
                denied,
                requests.size() == 0 ? 1.0 : (double) same / requests.size(),
                allowedWouldDeny,
                deniedWouldAllow);
        return new Result(summary, dependingOnStamps(requests, policy, verdicts), verdicts.never, List.copyOf(byKey));
    }

    /** @param never requests that no waiting would help */
    private record Verdicts(BitSet denied, long never) {}

    private static Verdicts decide(RequestStream requests, Policy policy) {
        Limiter[] limiters = new Limiter[requests.keyNames().size()];
        BitSet denied = new BitSet(requests.size());
        long never = 0;
        for (int i = 0; i < requests.size(); i++) {
            Decision decision =
                    limiter(limiters, requests.keyId(i), policy).decide(requests.arrivalMicros(i), requests.cost(i));
            if (!decision.allowed()) {
                denied.set(i);
                never += decision.outcome() == Decision.Outcome.COST_EXCEEDS_CAPACITY ? 1 : 0;
            }
        }
        return new Verdicts(denied, never);
    }

    private static long dependingOnStamps(RequestStream requests, Policy policy, Verdicts verdicts) {
        Limiter[] limiters = new Limiter[requests.keyNames().size()];
        long different = 0;
        for (int i = 0; i < requests.size(); i++) {
            int request = requests.bunched(i);
            Decision decision = limiter(limiters, requests.keyId(request), policy)
                    .decide(requests.earliestMicros(request), requests.cost(request));
            different += decision.allowed() == verdicts.denied.get(request) ? 1 : 0;
        }
        return different;
    }

    private static Limiter limiter(Limiter[] limiters, int key, Policy policy) {
        Limiter limiter = limiters[key];
        if (limiter == null) {
            limiter = policy.newLimiter();
            limiters[key] = limiter;
        }
        return limiter;
    }
}
