package dev.why429.analyzers.ticket;

import java.util.List;

/** Counts over sorted moments, in microseconds. */
final class Arrivals {
    private Arrivals() {}

    /** The most that lie in any stretch of this length; the stretch is open at its end. */
    static long most(List<Long> times, double seconds) {
        return slide(times, seconds)[0];
    }

    /** Where the fullest stretch of this length starts. */
    static long busiest(List<Long> times, double seconds) {
        return slide(times, seconds)[1];
    }

    private static long[] slide(List<Long> times, double seconds) {
        long span = Math.round(seconds * 1e6);
        int from = 0;
        long most = 0;
        long start = times.isEmpty() ? 0 : times.get(0);
        for (int to = 0; to < times.size(); to++) {
            while (times.get(to) - times.get(from) >= span) {
                from++;
            }
            if (to - from + 1 > most) {
                most = to - from + 1L;
                start = times.get(from);
            }
        }
        return new long[] {most, start};
    }

    /**
     * The capacity that a token bucket with this rate needs so that it lets all of them pass: the highest that the level of a leaky bucket rises
     * when each request adds one and the rate flows off.
     */
    static double burstNeeded(List<Long> times, double perSecond) {
        double level = 0;
        double highest = 0;
        long before = times.isEmpty() ? 0 : times.get(0);
        for (long time : times) {
            level = Math.max(0, level - perSecond * (time - before) / 1e6) + 1;
            highest = Math.max(highest, level);
            before = time;
        }
        return Math.ceil(highest - 1e-9);
    }
}
