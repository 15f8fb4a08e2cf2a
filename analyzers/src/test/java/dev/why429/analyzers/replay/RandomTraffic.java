package dev.why429.analyzers.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Equal stamps, stamps that go back, bursts, costs above 1 and above the capacity, years of idleness, and parameters that change. */
final class RandomTraffic {
    private static final long SECOND = 1_000_000;
    private static final long YEAR = 365 * 24 * 3600 * SECOND;

    private RandomTraffic() {}

    static EventStream of(String limiter, int events, Random random) {
        EventStream stream = new EventStream();
        int key = 0;
        while (stream.size() < events) {
            key++;
            key(stream, limiter, "k" + key, Math.min(events - stream.size(), 20 + random.nextInt(200)), random);
        }
        return stream;
    }

    private static void key(EventStream stream, String limiter, String key, int events, Random random) {
        List<long[]> sets = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            sets.add(parameters(limiter, random));
        }
        long[] parameters = sets.get(0);
        long now =
                random.nextInt(4) == 0 ? random.nextInt(1000) : 1_700_000_000L * SECOND + random.nextInt(1_000_000_000);
        for (int i = 0; i < events; i++) {
            if (random.nextInt(25) == 0) {
                parameters = sets.get(random.nextInt(sets.size()));
            }
            now = Math.max(0, now + step(limiter, parameters, random));
            stream.add(key, now, cost(limiter, parameters, random), parameters);
        }
    }

    private static long step(String limiter, long[] p, Random random) {
        long one = typical(limiter, p);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> 0;
            case 3 -> 1;
            case 4 -> -(long) (random.nextDouble() * 5 * SECOND);
            case 5 -> one;
            case 6 -> Math.max(0, one - 1 + random.nextInt(3));
            case 7 -> (long) (random.nextDouble() * 2 * one);
            case 8 -> (long) (random.nextDouble() * 20 * one);
            case 9 -> random.nextInt(40) == 0 ? (long) (random.nextDouble() * 2 * YEAR) : random.nextInt(1000);
            default -> (long) (random.nextDouble() * one);
        };
    }

    /** About the time for one request's worth. */
    private static long typical(String limiter, long[] p) {
        return switch (limiter) {
            case "token-bucket", "gcra", "leaky-queue", "layered", "settle" -> Math.max(1, p[2] / p[1]);
            case "leaky-bucket" -> Math.max(1, 1_000_000_000 / p[1]);
            default -> Math.max(1, p[1] / p[0]);
        };
    }

    private static long cost(String limiter, long[] p, Random random) {
        long most = switch (limiter) {
            case "leaky-bucket" -> p[0] + 1;
            case "leaky-queue" -> p[0] * p[1] / p[2] + 1;
            case "layered" -> Math.min(p[0], p[3]);
            default -> p[0];
        };
        return switch (random.nextInt(16)) {
            case 0 -> 0;
            case 1 -> most;
            case 2 -> most + 1 + random.nextInt(3);
            case 3, 4 -> 1 + random.nextInt((int) Math.min(most, 50));
            case 5 -> Math.min(most, 2);
            default -> 1;
        };
    }

    private static long[] parameters(String limiter, Random random) {
        long limit = random.nextInt(5) == 0 ? 1 : 1L + random.nextInt(random.nextBoolean() ? 10 : 200);
        long[] windows = {1, 7, 1000, 999_983, SECOND, 10 * SECOND, 60 * SECOND, 3600 * SECOND, 24 * 3600 * SECOND};
        long window = windows[random.nextInt(windows.length)];
        return switch (limiter) {
            case "token-bucket", "gcra" ->
                new long[] {limit, 1L + random.nextInt(random.nextBoolean() ? 10 : 5000), window};
            case "leaky-queue" -> {
                long requests = 1L + random.nextInt(random.nextBoolean() ? 10 : 5000);
                yield new long[] {limit * window / requests + random.nextLong(3), requests, window};
            }
            case "layered" ->
                new long[] {
                    limit,
                    1 + random.nextInt(10),
                    window,
                    1 + random.nextInt(300),
                    1 + random.nextInt(100),
                    windows[random.nextInt(windows.length)]
                };
            case "settle" -> new long[] {limit, 1L + random.nextInt(random.nextBoolean() ? 10 : 5000), window, SECOND};
            case "leaky-bucket" -> new long[] {limit - 1, 1 + random.nextInt(random.nextBoolean() ? 2000 : 50_000_000)};
            default -> new long[] {limit, window};
        };
    }
}
