package dev.why429.analyzers.replay;

/** Twin of {@code rules/limiters/sliding-counter}: compared in count-microseconds, so nothing is rounded. */
final class SlidingCounter extends Twin {
    private long limit;
    private long window;
    private boolean used;
    private long start;
    private long startWindow;
    private long current;
    private long previous;

    SlidingCounter(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 2 && p[0] >= 1 && p[0] <= Exact.MAX && p[1] >= 1 && p[1] <= Exact.MAX,
                "limit and window_us are whole numbers from 1");
        Exact.range(p[0] <= (1L << 51) / p[1], "limit times window_us must stay below 2^51");
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
        long thisWindow = 0;
        long lastWindow = 0;
        boolean changed = used && startWindow != window;
        if (used) {
            long since = now - start;
            if (since < startWindow) {
                thisWindow = current;
                lastWindow = previous;
            } else if (since < 2 * startWindow) {
                lastWindow = current;
            }
            if (changed) {
                thisWindow += Exact.up(lastWindow * (startWindow - since % startWindow), startWindow);
                lastWindow = 0;
            }
            thisWindow = Math.min(thisWindow, limit);
            lastWindow = Math.min(lastWindow, limit);
        }
        long elapsed = now % window;
        long want = Math.max(cost, 1);
        long weight = lastWindow * (window - elapsed);
        boolean allowed = weight + (thisWindow + want) * window <= limit * window;
        boolean takes = taking.takes(allowed);
        long retry = 0;
        if (!allowed) {
            long room = limit - want;
            retry = thisWindow <= room
                    ? Exact.up(weight - (room - thisWindow) * window, lastWindow)
                    : window - elapsed + Exact.up((thisWindow - room) * window, thisWindow);
        }
        if (takes && cost > 0) {
            thisWindow += cost;
        }
        if (cost > 0 && taking != Taking.LOOK && (takes || changed)) {
            used = true;
            start = now - elapsed;
            startWindow = window;
            current = thisWindow;
            previous = lastWindow;
        }
        long reset = thisWindow > 0 ? 2 * window - elapsed : lastWindow > 0 ? window - elapsed : 0;
        long remaining = Math.max(0, Math.floorDiv(limit * window - weight - thisWindow * window, window));
        return Exact.decision(allowed, remaining, retry, reset, limit);
    }
}
