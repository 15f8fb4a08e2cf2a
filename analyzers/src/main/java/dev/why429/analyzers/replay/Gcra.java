package dev.why429.analyzers.replay;

/** Twin of {@code rules/limiters/gcra}: the theoretical arrival time in microseconds and the n-th parts of one. */
final class Gcra extends Twin {
    private long burst;
    private long requests;
    private long period;
    private boolean used;
    private long arrival;
    private long rest;
    private long arrivalRequests;
    private long arrivalSpan;

    Gcra(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 3 && p[0] >= 1 && p[1] >= 1 && p[1] < Exact.LATEST && p[2] >= 1,
                "burst, requests and period_us are whole numbers from 1");
        Exact.range(
                p[0] <= (Exact.LATEST - 1 - p[1]) / p[2],
                "burst times period_us must stay below 2^52: reduce requests / period_us");
        burst = p[0];
        requests = p[1];
        period = p[2];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        if (cost > burst) {
            return Decision.costExceedsCapacity();
        }
        long full = burst * period;
        long span = Exact.up(full, requests);
        long now = nowMicros;
        long debt = 0;
        boolean changed = used && (arrivalRequests != requests || arrivalSpan != span);
        if (used) {
            now = Math.max(now, arrival - arrivalSpan);
            long owed = arrival;
            long part = rest;
            if (changed && part > 0) {
                owed++;
                part = 0;
            }
            long ahead = owed - now;
            if (ahead > full / requests) {
                debt = full;
            } else if (ahead >= 0) {
                debt = Math.min(full, ahead * requests + part);
            }
        }
        long need = Math.max(cost, 1) * period;
        boolean allowed = debt + need <= full;
        boolean takes = taking.takes(allowed);
        long retry = allowed ? 0 : Exact.up(debt + need - full, requests);
        if (cost > 0 && taking != Taking.LOOK && (takes || changed)) {
            if (takes) {
                debt += need;
            }
            used = true;
            arrival = now + debt / requests;
            rest = debt % requests;
            arrivalRequests = requests;
            arrivalSpan = span;
        }
        return Exact.decision(allowed, (full - debt) / period, retry, Exact.up(debt, requests), burst);
    }
}
