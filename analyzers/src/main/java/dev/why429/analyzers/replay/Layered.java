package dev.why429.analyzers.replay;

import java.util.Arrays;
import java.util.List;

/** Twin of {@code rules/limiters/layered}: several token buckets, all charged or none. The buckets may belong to other requests' keys too. */
final class Layered extends Twin {
    private TokenBucket[] buckets;

    /** Buckets of this key alone. */
    Layered(long... parameters) {
        check(parameters);
        buckets = new TokenBucket[parameters.length / 3];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = new TokenBucket(of(parameters, i));
        }
    }

    /** Buckets that are shared with other keys, outermost first. */
    Layered(List<TokenBucket> shared) {
        buckets = shared.toArray(new TokenBucket[0]);
    }

    private static void check(long... p) {
        Exact.parameters(
                p.length >= 3 && p.length % 3 == 0 && p.length <= 48,
                "capacity, tokens and period_us for each of up to 16 buckets");
    }

    static long[] of(long[] parameters, int bucket) {
        return Arrays.copyOfRange(parameters, 3 * bucket, 3 * bucket + 3);
    }

    @Override
    public void change(long... parameters) {
        check(parameters);
        if (parameters.length != 3 * buckets.length) {
            throw new LimiterProblem("BAD_PARAMETERS", "the number of buckets of a key does not change");
        }
        for (int i = 0; i < buckets.length; i++) {
            buckets[i].change(of(parameters, i));
        }
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        long now = nowMicros;
        for (TokenBucket bucket : buckets) {
            now = Math.max(now, bucket.lastMicros());
        }
        boolean allowed = true;
        boolean changed = false;
        long retry = 0;
        for (TokenBucket bucket : buckets) {
            Decision one = bucket.step(now, cost, Taking.LOOK);
            if (one.outcome() == Decision.Outcome.COST_EXCEEDS_CAPACITY) {
                return one;
            }
            allowed &= one.allowed();
            changed |= bucket.isOfOtherParameters();
            retry = Math.max(retry, one.retryMicros());
        }
        boolean takes = cost > 0 && taking.takes(allowed);
        boolean writes = takes || (cost > 0 && changed && taking != Taking.LOOK);
        long remaining = Exact.MAX;
        long reset = 0;
        long least = 0;
        for (TokenBucket bucket : buckets) {
            Decision one = writes
                    ? bucket.step(now, cost, takes ? Taking.ALWAYS : Taking.NEVER)
                    : bucket.step(now, 0, Taking.LOOK);
            if (one.remaining() < remaining) {
                remaining = one.remaining();
                least = one.limit();
            }
            reset = Math.max(reset, one.resetMicros());
        }
        return Exact.decision(allowed, remaining, retry, reset, least);
    }

    @Override
    public Twin copy() {
        Layered copy = (Layered) super.copy();
        copy.buckets = new TokenBucket[buckets.length];
        for (int i = 0; i < buckets.length; i++) {
            copy.buckets[i] = (TokenBucket) buckets[i].copy();
        }
        return copy;
    }
}
