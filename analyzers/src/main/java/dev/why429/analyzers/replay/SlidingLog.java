package dev.why429.analyzers.replay;

/** Twin of {@code rules/limiters/sliding-log}: the stamps of what was allowed, in a ring. */
final class SlidingLog extends Twin {
    private static final int MOST = 100_000;

    private long limit;
    private long window;
    private boolean used;
    private long logWindow;
    private long[] stamps = new long[8];
    private int oldest;
    private int size;

    SlidingLog(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 2 && p[0] >= 1 && p[0] <= MOST && p[1] >= 1 && p[1] < Exact.LATEST,
                "limit (at most 100000) and window_us are whole numbers from 1");
        limit = p[0];
        window = p[1];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        if (cost > limit) {
            return Decision.costExceedsCapacity();
        }
        long now = nowMicros;
        if (size > 0) {
            now = Math.max(now, stamp(size - 1));
            forget(now - Math.min(logWindow, window));
        }
        long want = Math.max(cost, 1);
        boolean allowed = size + want <= limit;
        boolean takes = taking.takes(allowed);
        long retry = allowed ? 0 : stamp((int) (size + want - limit) - 1) + window - now;
        if (cost > 0 && taking != Taking.LOOK && (takes || (used && logWindow != window))) {
            if (takes) {
                for (long i = 0; i < cost; i++) {
                    add(now);
                }
            }
            used = true;
            logWindow = window;
        }
        long reset = size > 0 ? stamp(size - 1) + window - now : 0;
        return Exact.decision(allowed, Math.max(0, limit - size), retry, reset, limit);
    }

    @Override
    public Twin copy() {
        SlidingLog copy = (SlidingLog) super.copy();
        copy.stamps = stamps.clone();
        return copy;
    }

    private long stamp(int fromOldest) {
        return stamps[(oldest + fromOldest) % stamps.length];
    }

    private void forget(long atOrBefore) {
        while (size > 0 && stamps[oldest] <= atOrBefore) {
            oldest = (oldest + 1) % stamps.length;
            size--;
        }
    }

    private void add(long now) {
        if (size == stamps.length) {
            long[] larger = new long[stamps.length * 2];
            for (int i = 0; i < size; i++) {
                larger[i] = stamp(i);
            }
            stamps = larger;
            oldest = 0;
        }
        stamps[(oldest + size) % stamps.length] = now;
        size++;
    }
}
