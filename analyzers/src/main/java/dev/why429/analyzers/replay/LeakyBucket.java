package dev.why429.analyzers.replay;

/** Twin of {@code rules/limiters/leaky-bucket}: the arithmetic of nginx's limit_req, in thousandths and milliseconds. */
final class LeakyBucket extends Twin {
    private static final long REST = -1000;

    private long burst;
    private long rate;
    private boolean used;
    private long excess;
    private long lastMillis;
    private long lastRate;

    LeakyBucket(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 2 && p[0] >= 0 && p[0] <= 1_000_000_000L && p[1] >= 1 && p[1] <= 1_000_000_000_000L,
                "burst from 0 to 10^9 and rate_milli from 1 to 10^12 are whole numbers");
        Exact.range(
                Exact.up((p[0] + 2) * 1_000_000, p[1]) <= 4_000_000_000_000L, "burst / rate must stay below 126 years");
        burst = p[0];
        rate = p[1];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        if (cost > burst + 1) {
            return Decision.costExceedsCapacity();
        }
        long now = nowMicros;
        long millis = now / 1000;
        long held = REST;
        long since = millis;
        long from = REST;
        boolean changed = used && lastRate != rate;
        if (used) {
            if (millis < lastMillis) {
                millis = lastMillis;
                now = lastMillis * 1000;
            }
            long elapsed = millis - lastMillis;
            if (elapsed < Exact.up((excess + 1000) * 1000, lastRate)) {
                held = Math.max(REST, excess - lastRate * elapsed / 1000);
            }
            since = changed ? millis : lastMillis;
            from = changed ? held : excess;
        }
        long want = Math.max(cost, 1) * 1000;
        long most = burst * 1000;
        boolean allowed = held + want <= most;
        boolean takes = taking.takes(allowed);
        long retry = allowed ? 0 : until(since, from + want - most) - now;
        if (cost > 0 && taking != Taking.LOOK && (takes || changed)) {
            if (takes) {
                held += want;
                since = millis;
                from = held;
            }
            used = true;
            excess = held;
            lastMillis = millis;
            lastRate = rate;
        }
        long reset = held > REST ? until(since, from + 1000) - now : 0;
        long remaining = Math.max(0, Math.floorDiv(most - held, 1000L));
        return Exact.decision(allowed, remaining, retry, Math.max(0, reset), burst + 1);
    }

    /** The first instant, in microseconds, at which this many thousandths have drained since the given millisecond. */
    private long until(long millis, long thousandths) {
        return (millis + Exact.up(thousandths * 1000, rate)) * 1000;
    }
}
