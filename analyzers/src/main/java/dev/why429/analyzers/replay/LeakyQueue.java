package dev.why429.analyzers.replay;

/** Twin of {@code rules/limiters/leaky-queue}: the next free slot in microseconds and the n-th parts of one. */
final class LeakyQueue extends Twin {
    private long maxWait;
    private long requests;
    private long period;
    private boolean used;
    private long free;
    private long rest;
    private long freeRequests;
    private long freeSpan;

    LeakyQueue(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 3 && p[0] >= 0 && p[1] >= 1 && p[1] < Exact.LATEST && p[2] >= 1 && p[2] < Exact.LATEST,
                "max_wait_us from 0, requests and period_us from 1 are whole numbers");
        Exact.range(
                p[0] <= (Exact.LATEST - 1 - p[1] - p[2]) / p[1],
                "max_wait_us times requests must stay below 2^52: reduce requests / period_us");
        maxWait = p[0];
        requests = p[1];
        period = p[2];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        long full = maxWait * requests + period;
        long places = full / period;
        if (cost > places) {
            return Decision.costExceedsCapacity();
        }
        long span = Exact.up(full, requests);
        long now = nowMicros;
        long queued = 0;
        boolean changed = used && (freeRequests != requests || freeSpan != span);
        if (used) {
            now = Math.max(now, free - freeSpan);
            long slot = free;
            long part = rest;
            if (changed && part > 0) {
                slot++;
                part = 0;
            }
            long ahead = slot - now;
            if (ahead > full / requests) {
                queued = full;
            } else if (ahead >= 0) {
                queued = Math.min(full, ahead * requests + part);
            }
        }
        long need = Math.max(cost, 1) * period;
        boolean allowed = queued + need <= full;
        long wait = Exact.up(allowed ? queued + need - period : queued + need - full, requests);
        boolean takes = taking.takes(allowed);
        if (cost > 0 && taking != Taking.LOOK && (takes || changed)) {
            if (takes) {
                queued += need;
            }
            used = true;
            free = now + queued / requests;
            rest = queued % requests;
            freeRequests = requests;
            freeSpan = span;
        }
        return Exact.decision(allowed, Math.max(0, (full - queued) / period), wait, Exact.up(queued, requests), places);
    }
}
