package dev.why429.analyzers.replay;

import java.util.Arrays;

/** Twin of {@code rules/limiters/concurrency} as replay uses it: each request holds its places for the time it took. */
final class Concurrency extends Twin {
    private static final int MOST = 100_000;

    private long limit;
    private long hold;
    private long last;
    /** when the places end, in order */
    private long[] ends = new long[8];

    private int size;

    Concurrency(long... parameters) {
        change(parameters);
    }

    @Override
    public void change(long... p) {
        Exact.parameters(
                p.length == 2 && p[0] >= 1 && p[0] <= MOST && p[1] >= 1 && p[1] < Exact.LATEST,
                "limit (at most 100000) and hold_us are whole numbers from 1");
        limit = p[0];
        hold = p[1];
    }

    @Override
    Decision step(long nowMicros, long cost, Taking taking) {
        Exact.request(nowMicros, cost);
        if (cost > limit) {
            return Decision.costExceedsCapacity();
        }
        long now = Math.max(nowMicros, last);
        int first = firstAfter(now);
        long taken = (long) size - first;
        long want = Math.max(cost, 1);
        boolean allowed = taken + want <= limit;
        long retry = allowed ? 0 : ends[first + (int) (taken + want - limit) - 1] - now;
        if (cost > 0 && taking.takes(allowed)) {
            forget(first);
            add(now + hold, (int) cost);
            last = now;
            taken = size;
        }
        long reset = taken > 0 ? ends[size - 1] - now : 0;
        return Exact.decision(allowed, Math.max(0, limit - taken), retry, reset, limit);
    }

    @Override
    public Twin copy() {
        Concurrency copy = (Concurrency) super.copy();
        copy.ends = ends.clone();
        return copy;
    }

    private int firstAfter(long now) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] > now) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private void forget(int first) {
        System.arraycopy(ends, first, ends, 0, size - first);
        size -= first;
    }

    private void add(long end, int places) {
        if (size + places > ends.length) {
            ends = Arrays.copyOf(ends, Math.max(size + places, 2 * ends.length));
        }
        int at = firstAfter(end);
        System.arraycopy(ends, at, ends, at + places, size - at);
        Arrays.fill(ends, at, at + places, end);
        size += places;
    }
}
