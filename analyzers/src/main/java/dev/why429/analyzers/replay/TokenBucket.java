package dev.why429.analyzers.replay;

import java.math.BigInteger;

/** Twin of {@code rules/limiters/token-bucket}. Levels are in token-microseconds, so nothing is rounded away. */
final class TokenBucket extends Twin {
    private long capacity;
    private long tokens;
    private long period;
    private boolean used;
    private long level;
    private long last;
    private long levelCapacity;
    private long levelTokens;
    private long levelPeriod;

    TokenBucket(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 3 && p[0] >= 1 && p[1] >= 1 && p[2] >= 1 && p[2] <= 1L << 51,
                "capacity, tokens and period_us are whole numbers from 1");
        Exact.range(
                p[0] <= (Exact.MAX - p[1]) / p[2],
                "capacity times period_us must stay below 2^53: reduce tokens / period_us");
        capacity = p[0];
        tokens = p[1];
        period = p[2];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        if (cost > capacity) {
            return Decision.costExceedsCapacity();
        }
        long full = capacity * period;
        long now = used ? Math.max(nowMicros, last) : nowMicros;
        long there = used ? levelAt(now) : full;
        long need = Math.max(cost, 1) * period;
        boolean allowed = there >= need;
        boolean takes = taking.takes(allowed);
        long retry = allowed ? 0 : Exact.up(need - there, tokens);
        if (cost > 0 && taking != Taking.LOOK) {
            if (takes) {
                there -= need;
            }
            used = true;
            level = there;
            last = now;
            levelCapacity = capacity;
            levelTokens = tokens;
            levelPeriod = period;
        }
        // led by what was observed a level can lie below nothing
        return Exact.decision(
                allowed, Math.max(0, Math.floorDiv(there, period)), retry, Exact.up(full - there, tokens), capacity);
    }

    /** The newest stamp seen; 0 before the first. */
    long lastMicros() {
        return last;
    }

    /** Whether the state was written under other parameters. */
    boolean isOfOtherParameters() {
        return used && (levelCapacity != capacity || levelTokens != tokens || levelPeriod != period);
    }

    /** What is there at an instant: refilled at the rate that was in force, then carried over into the one that is; full stays full. */
    private long levelAt(long now) {
        long wasFull = levelCapacity * levelPeriod;
        long elapsed = now - last;
        long there = elapsed >= Exact.up(wasFull - level, levelTokens) ? wasFull : level + elapsed * levelTokens;
        if (!isOfOtherParameters()) {
            return there;
        }
        long held = Math.floorDiv(there, levelPeriod);
        if (there == wasFull || held >= capacity) {
            return capacity * period;
        }
        long part = BigInteger.valueOf(Math.floorMod(there, levelPeriod))
                .multiply(BigInteger.valueOf(period))
                .divide(BigInteger.valueOf(levelPeriod))
                .longValueExact();
        return held * period + part;
    }
}
