package dev.why429.analyzers.replay;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

/** Twin of {@code rules/limiters/settle}: a token bucket that takes an estimate before the work and the truth after it. */
final class SettledBucket extends Twin {
    private static final int MOST_OPEN = 1024;
    private static final int SWEPT_FROM = 256;

    private long capacity;
    private long tokens;
    private long period;
    private long hold;
    private boolean used;
    private long level;
    private long last;
    private long levelCapacity;
    private long levelTokens;
    private long levelPeriod;
    private long lastLapse;
    private Map<String, Reservation> open = new HashMap<>();

    private record Reservation(long cost, long lapses) {}

    SettledBucket(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 4
                        && p[0] >= 1
                        && p[1] >= 1
                        && p[1] < Exact.LATEST
                        && p[2] >= 1
                        && p[2] <= 1L << 51
                        && p[3] >= 1
                        && p[3] < Exact.LATEST,
                "capacity, tokens, period_us and hold_us are whole numbers from 1");
        Exact.range(
                p[0] <= (Exact.LATEST - 1 - p[1]) / p[2],
                "capacity times period_us must stay below 2^52: reduce tokens / period_us");
        capacity = p[0];
        tokens = p[1];
        period = p[2];
        hold = p[3];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        return reserve(nowMicros, cost, "", taking);
    }

    /** Takes an estimate under a name, once however often it is asked. */
    Decision reserve(long nowMicros, long cost, String id) {
        return reserve(nowMicros, cost, id, Taking.AS_DECIDED);
    }

    private Decision reserve(long nowMicros, long cost, String id, Taking taking) {
        Exact.request(nowMicros, cost);
        if (cost > capacity) {
            return Decision.costExceedsCapacity();
        }
        long now = used ? Math.max(nowMicros, last) : nowMicros;
        long there = used ? levelAt(now) : capacity * period;
        Reservation before = open.get(id);
        if (before != null && before.lapses() > now) {
            return reply(true, there, 0, now);
        }
        long need = Math.max(cost, 1) * period;
        boolean allowed = there >= need;
        long retry = allowed ? 0 : Exact.up(need - there, tokens);
        if (cost > 0 && taking != Taking.LOOK) {
            if (taking.takes(allowed)) {
                if (!id.isEmpty()) {
                    sweep(now);
                    open.put(id, new Reservation(cost, now + hold));
                    lastLapse = Math.max(lastLapse, now + hold);
                }
                there -= need;
            }
            save(there, now);
        }
        return reply(allowed, there, retry, now);
    }

    private void sweep(long now) {
        if (open.size() >= SWEPT_FROM) {
            open.values().removeIf(reservation -> reservation.lapses() <= now);
            if (open.size() >= MOST_OPEN) {
                throw new LimiterProblem("TOO_MANY_OPEN", "1024 reservations are open");
            }
        }
    }

    /** What the work really cost; not allowed: the name is unknown, was settled before, or is too old. */
    Decision settle(long nowMicros, long cost, String id) {
        Exact.request(nowMicros, cost);
        long now = used ? Math.max(nowMicros, last) : nowMicros;
        long there = used ? levelAt(now) : capacity * period;
        Reservation reserved = open.remove(id);
        if (reserved == null) {
            return reply(false, there, 0, now);
        }
        boolean inTime = reserved.lapses() > now;
        if (inTime) {
            long full = capacity * period;
            there += (reserved.cost() - Math.min(cost, reserved.cost() + 2 * capacity)) * period;
            there = Math.max(-full, Math.min(full, there));
        }
        save(there, now);
        return reply(inTime, there, 0, now);
    }

    private Decision reply(boolean allowed, long there, long retry, long now) {
        long reset = Math.max(
                Exact.up(capacity * period - there, tokens), open.isEmpty() ? 0 : Math.max(0, lastLapse - now));
        return Exact.decision(allowed, Math.max(0, Math.floorDiv(there, period)), retry, reset, capacity);
    }

    private void save(long there, long now) {
        used = true;
        level = there;
        last = now;
        levelCapacity = capacity;
        levelTokens = tokens;
        levelPeriod = period;
    }

    private long levelAt(long now) {
        long wasFull = levelCapacity * levelPeriod;
        long elapsed = now - last;
        long there = elapsed >= Exact.up(wasFull - level, levelTokens) ? wasFull : level + elapsed * levelTokens;
        if (levelCapacity == capacity && levelTokens == tokens && levelPeriod == period) {
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
        return Math.max(-capacity * period, held * period + part);
    }

    @Override
    public Twin copy() {
        SettledBucket copy = (SettledBucket) super.copy();
        copy.open = new HashMap<>(open);
        return copy;
    }
}
