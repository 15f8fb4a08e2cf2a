package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.casefile.Case;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/** How often key, algorithm and parameters are found again in generated traffic. Arguments: runs per cell, requests per run. */
public final class AccuracyTable {
    private static final List<String> FAMILIES =
            List.of("fixed_clock", "fixed_first", "log", "log_all", "counter", "bucket");

    private AccuracyTable() {}

    public static void main(String[] arguments) {
        int runs = Integer.parseInt(arguments[0]);
        int requests = Integer.parseInt(arguments[1]);
        System.out.println(
                "| family | stamps | key | algorithm | intervals hold | wrong points | none |\n|---|---|---|---|---|---|---|");
        for (long resolution : arguments.length > 2 ? new long[] {1_000_000} : new long[] {1_000, 1_000_000}) {
            for (String family : arguments.length > 2 ? List.of(arguments[2]) : FAMILIES) {
                System.out.println(cell(family, resolution, runs, requests));
            }
        }
        int none = 0;
        for (int run = 0; run < runs; run++) {
            Random random = new Random(run);
            double share = 0.05 + 0.4 * random.nextDouble();
            DecisionLog log = MadeUpTraffic.decided(
                    MadeUpTraffic.of(1000 + run, requests, 5, 2),
                    run % 2 == 0 ? 1_000 : 1_000_000,
                    (r, i) -> random.nextDouble() > share);
            none += Reconstruction.of(log).limiters().isEmpty() ? 1 : 0;
        }
        System.out.println("without a limiter: none in " + none + " of " + runs);
    }

    private static String cell(String family, long resolution, int runs, int requests) {
        int key = 0;
        int algorithm = 0;
        int holds = 0;
        int wrong = 0;
        int none = 0;
        for (int run = 0; run < runs; run++) {
            Random random = new Random(31L * run + family.hashCode());
            double window = new double[] {10, 20, 30, 60}[random.nextInt(4)];
            int limit = 10 + random.nextInt(50);
            double rate = family.equals("bucket") ? 1 + random.nextInt(10) : limit / window;
            IdealLimiter limiter = limiter(family, limit, window, rate);
            DecisionLog log = MadeUpTraffic.decided(
                    MadeUpTraffic.of(run, requests, 2.2 * rate, 0),
                    resolution,
                    (r, i) -> limiter.allows(r.key(), r.atMicros()));
            List<Case.Limiter> found = Reconstruction.of(log).limiters();
            if (found.isEmpty()) {
                none++;
                continue;
            }
            Case.Limiter l = found.get(0);
            key += l.key().equals(List.of("api_key")) ? 1 : 0;
            boolean same =
                    l.algorithm().equals(algorithm(family)) || l.equivalent().contains(algorithm(family));
            algorithm += same ? 1 : 0;
            if (l.algorithm().equals(algorithm(family))) {
                boolean all = family.equals("bucket")
                        ? holds(l.ratePerSecond(), rate) && holds(l.burst(), limit)
                        : holds(l.limit(), limit) && holds(l.windowSeconds(), window);
                holds += all ? 1 : 0;
                wrong += all ? 0 : 1;
                if (!all) {
                    System.err.println(family + " " + rate + " " + limit + " " + window + ": " + l.ratePerSecond()
                            + l.burst() + l.limit() + l.windowSeconds());
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %d | %d | %d | of %d",
                family,
                resolution == 1_000 ? "ms" : "s",
                key,
                algorithm,
                holds,
                wrong,
                none,
                runs);
    }

    private static boolean holds(Optional<Case.Interval> interval, double truth) {
        return interval.filter(
                        i -> i.low().orElse(0.0) <= truth * 1.001 && i.high().orElse(1e9) >= truth * 0.999)
                .isPresent();
    }

    private static IdealLimiter limiter(String family, int limit, double window, double rate) {
        return switch (family) {
            case "fixed_clock" -> IdealLimiter.fixedOnClock(limit, window);
            case "fixed_first" -> IdealLimiter.fixedFromFirst(limit, window);
            case "log" -> IdealLimiter.log(limit, window, false);
            case "log_all" -> IdealLimiter.log(limit, window, true);
            case "counter" -> IdealLimiter.counterOnClock(limit, window);
            default -> IdealLimiter.bucket(rate, limit);
        };
    }

    private static String algorithm(String family) {
        return switch (family) {
            case "fixed_clock", "fixed_first" -> "fixed_window";
            case "log", "log_all" -> "sliding_window_log";
            case "counter" -> "sliding_window_counter";
            default -> "token_bucket";
        };
    }
}
