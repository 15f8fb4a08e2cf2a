package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/**
 * Seeded traffic of a few clients, each by turns busy and quiet, with arrivals that are exponentially apart: what the accuracy tables of the
 * research were made with.
 */
final class MadeUpTraffic {
    /** One request; the client's address is {@code ip}, its key {@code key}: two addresses share a key, one address has two. */
    record Request(long atMicros, int ip, int key, int route, int node) {}

    private static final long BEGIN_MICROS = 1_796_000_000_123_000L;

    private MadeUpTraffic() {}

    static List<Request> of(long seed, int requests, double busyRatePerSecond, int nodes) {
        Random random = new Random(seed);
        int clients = 5;
        List<Request> all = new ArrayList<>();
        for (int c = 0; c < clients; c++) {
            long at = BEGIN_MICROS + random.nextInt(2_000_000);
            int share = requests / clients;
            boolean busy = random.nextBoolean();
            long turn = at + (long) (1e6 * (3 + random.nextDouble() * 20));
            for (int i = 0; i < share; i++) {
                double rate = busy ? busyRatePerSecond : busyRatePerSecond / 8;
                at += (long) (-Math.log(1 - random.nextDouble()) / rate * 1e6);
                if (at > turn) {
                    busy = !busy;
                    turn = at + (long) (1e6 * (3 + random.nextDouble() * 20));
                }
                int ip = c < 2 ? c : c + (random.nextBoolean() ? 0 : 10);
                int key = c < 2 ? 100 : 100 + c;
                all.add(new Request(at, ip, key, random.nextInt(4), nodes == 0 ? -1 : random.nextInt(nodes)));
            }
        }
        all.sort((a, b) -> Long.compare(a.atMicros(), b.atMicros()));
        return all;
    }

    /** @param resolutionMicros stamps are rounded down to it */
    static DecisionLog decided(
            List<Request> traffic, long resolutionMicros, BiFunction<Request, Integer, Boolean> allows) {
        int n = traffic.size();
        long[] at = new long[n];
        long[] uncertainty = new long[n];
        boolean[] denied = new boolean[n];
        int[][] keys = new int[3][n];
        int[] node = new int[n];
        for (int i = 0; i < n; i++) {
            Request r = traffic.get(i);
            at[i] = Math.floorDiv(r.atMicros(), resolutionMicros) * resolutionMicros;
            uncertainty[i] = resolutionMicros - 1;
            denied[i] = !allows.apply(r, i);
            keys[0][i] = r.ip();
            keys[1][i] = r.key();
            keys[2][i] = r.route();
            node[i] = r.node();
        }
        List<String> names = Arrays.stream(node)
                .distinct()
                .filter(v -> v >= 0)
                .sorted()
                .mapToObj(v -> "pod" + v)
                .toList();
        return DecisionLog.plain(at, uncertainty, denied, List.of("client_ip", "api_key", "route"), keys)
                .on(node, names);
    }
}
