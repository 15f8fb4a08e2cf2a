package dev.why429.analyzers.replay;

/** Twin of {@code rules/limiters/fixed-window-first}: a window starts with the first request after the last one's end. */
final class FixedWindowFirst extends Twin {
    private long limit;
    private long window;
    private boolean used;
    private long start;
    private long stop;
    private long count;

    FixedWindowFirst(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 2 && p[0] >= 1 && p[0] <= Exact.MAX && p[1] >= 1 && p[1] < Exact.LATEST,
                "limit and window_us are whole numbers from 1");
        limit = p[0];
        window = p[1];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        if (cost > limit) {
            return Decision.costExceedsCapacity();
        }
        long now = used ? Math.max(nowMicros, start) : nowMicros;
        boolean open = used && now < stop;
        long counted = open ? count : 0;
        long ends = open ? stop : now;
        boolean allowed = counted + Math.max(cost, 1) <= limit;
        boolean takes = taking.takes(allowed);
        long retry = allowed ? 0 : ends - now;
        if (takes && cost > 0) {
            if (!open) {
                start = now;
                ends = now + window;
            }
            counted += cost;
            used = true;
            stop = ends;
            count = counted;
        }
        return Exact.decision(allowed, Math.max(0, limit - counted), retry, Math.max(0, ends - now), limit);
    }
}
