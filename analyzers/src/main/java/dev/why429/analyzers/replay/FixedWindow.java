package dev.why429.analyzers.replay;

/** Twin of {@code rules/limiters/fixed-window}: windows at multiples of their length since 1970-01-01T00:00:00Z. */
final class FixedWindow extends Twin {
    private long limit;
    private long window;
    private boolean used;
    private long start;
    private long startWindow;
    private long count;

    FixedWindow(long... parameters) {
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
        long counted = used && now < start + startWindow ? count : 0;
        boolean changed = used && startWindow != window;
        long newStart = now - now % window;
        long left = newStart + window - now;
        boolean allowed = counted + Math.max(cost, 1) <= limit;
        boolean takes = taking.takes(allowed);
        if (cost > 0 && taking != Taking.LOOK && (takes || changed)) {
            if (takes) {
                counted += cost;
            }
            used = true;
            start = newStart;
            startWindow = window;
            count = counted;
        }
        return Exact.decision(allowed, Math.max(0, limit - counted), allowed ? 0 : left, left, limit);
    }
}
