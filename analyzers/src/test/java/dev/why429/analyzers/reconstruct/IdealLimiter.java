package dev.why429.analyzers.reconstruct;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Limiters as their documents describe them, to decide about made-up traffic. Times in micros. */
interface IdealLimiter {
    boolean allows(Object key, long atMicros);

    static IdealLimiter fixedOnClock(int limit, double windowSeconds) {
        long window = Math.round(windowSeconds * 1e6);
        Map<Object, long[]> state = new HashMap<>();
        return (key, at) -> {
            long[] s = state.computeIfAbsent(key, k -> new long[] {-1, 0});
            long now = Math.floorDiv(at, window);
            if (s[0] != now) {
                s[0] = now;
                s[1] = 0;
            }
            return ++s[1] <= limit;
        };
    }

    static IdealLimiter fixedFromFirst(int limit, double windowSeconds) {
        long window = Math.round(windowSeconds * 1e6);
        Map<Object, long[]> state = new HashMap<>();
        return (key, at) -> {
            long[] s = state.computeIfAbsent(key, k -> new long[] {Long.MIN_VALUE / 2, 0});
            if (at >= s[0] + window) {
                s[0] = at;
                s[1] = 0;
            }
            return ++s[1] <= limit;
        };
    }

    static IdealLimiter log(int limit, double windowSeconds, boolean countDenied) {
        long window = Math.round(windowSeconds * 1e6);
        Map<Object, Deque<Long>> state = new HashMap<>();
        return (key, at) -> {
            Deque<Long> hits = state.computeIfAbsent(key, k -> new ArrayDeque<>());
            while (!hits.isEmpty() && hits.peek() <= at - window) {
                hits.poll();
            }
            boolean allowed = hits.size() < limit;
            if (allowed || countDenied) {
                hits.add(at);
            }
            return allowed;
        };
    }

    static IdealLimiter counterOnClock(int limit, double windowSeconds) {
        long window = Math.round(windowSeconds * 1e6);
        Map<Object, long[]> state = new HashMap<>();
        return (key, at) -> {
            long[] s = state.computeIfAbsent(key, k -> new long[] {Long.MIN_VALUE, 0, 0});
            long now = Math.floorDiv(at, window);
            if (s[0] != now) {
                s[1] = s[0] == now - 1 ? s[2] : 0;
                s[2] = 0;
                s[0] = now;
            }
            double part = Math.floorMod(at, window) / (double) window;
            boolean allowed = s[1] * (1 - part) + s[2] < limit;
            s[2] += allowed ? 1 : 0;
            return allowed;
        };
    }

    static IdealLimiter bucket(double ratePerSecond, double capacity) {
        Map<Object, double[]> state = new HashMap<>();
        return (key, at) -> {
            double[] s = state.computeIfAbsent(key, k -> new double[] {capacity, at});
            s[0] = Math.min(capacity, s[0] + (at - s[1]) / 1e6 * ratePerSecond);
            s[1] = at;
            boolean allowed = s[0] >= 1;
            s[0] -= allowed ? 1 : 0;
            return allowed;
        };
    }
}
