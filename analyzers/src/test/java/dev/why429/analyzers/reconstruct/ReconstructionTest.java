package dev.why429.analyzers.reconstruct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.casefile.Case;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconstructionTest {
    @ParameterizedTest(name = "{0}, {1} per {2} s, seed {3}")
    @CsvSource({
        "fixed_clock,   20, 10, 1", "fixed_clock,   50, 60, 2", "fixed_clock,    5,  1, 3",
        "fixed_first,   20, 10, 4", "fixed_first,   35, 12, 5", "fixed_first,   15, 20, 6",
        "log,           20, 10, 7", "log,           30, 15, 8", "log_all,       12,  5, 9",
        "counter,       20, 10, 10", "counter,      40, 20, 11",
    })
    void milliseconds_tell_a_window_exactly(String family, int limit, double windowSeconds, long seed) {
        var traffic = MadeUpTraffic.of(seed, 3000, 2.2 * limit / windowSeconds, 0);
        IdealLimiter limiter = window(family, limit, windowSeconds).get();
        DecisionLog log = MadeUpTraffic.decided(traffic, 1_000, (r, i) -> limiter.allows(r.key(), r.atMicros()));

        Case.Limiter found = only(log);

        assertThat(found.algorithm()).isEqualTo(algorithm(family));
        assertThat(found.key()).containsExactly("api_key");
        assertHolds(found.limit().orElseThrow(), limit, 0.02);
        assertHolds(found.windowSeconds().orElseThrow(), windowSeconds, 0.02);
        assertThat(found.agreement()).isGreaterThan(0.995);
        assertThat(found.runnerUp().orElseThrow().bits()).isGreaterThan(Reconstruction.TELLING_BITS);
    }

    @ParameterizedTest(name = "{0}/s up to {1}, seed {2}")
    @CsvSource({"2, 10, 1", "5, 5, 2", "10, 30, 3", "0.5, 3, 4", "8, 1, 5"})
    void milliseconds_tell_a_bucket_exactly(double rate, int capacity, long seed) {
        var traffic = MadeUpTraffic.of(seed, 3000, 2.2 * rate, 0);
        IdealLimiter limiter = IdealLimiter.bucket(rate, capacity);
        DecisionLog log = MadeUpTraffic.decided(traffic, 1_000, (r, i) -> limiter.allows(r.ip(), r.atMicros()));

        Case.Limiter found = only(log);

        assertThat(found.algorithm()).isEqualTo("token_bucket");
        assertThat(found.equivalent()).contains("leaky_bucket", "gcra");
        assertThat(found.key()).containsExactly("client_ip");
        assertHolds(found.ratePerSecond().orElseThrow(), rate, 0.02);
        assertHolds(found.burst().orElseThrow(), capacity, 0.1);
    }

    @ParameterizedTest(name = "{0}, {1} per {2} s, seed {3}")
    @CsvSource({
        "fixed_clock, 20, 10, 1",
        "fixed_first, 30, 12, 2",
        "fixed_first, 40, 20, 3",
        "log,         20, 10, 4",
        "counter,     40, 20, 5",
    })
    void whole_seconds_give_intervals_that_hold_the_truth(String family, int limit, double windowSeconds, long seed) {
        var traffic = MadeUpTraffic.of(seed, 4000, 2.2 * limit / windowSeconds, 0);
        IdealLimiter limiter = window(family, limit, windowSeconds).get();
        DecisionLog log = MadeUpTraffic.decided(traffic, 1_000_000, (r, i) -> limiter.allows(r.key(), r.atMicros()));

        Case.Limiter found = only(log);

        assertThat(found.key()).containsExactly("api_key");
        assertThat(algorithms(found)).contains(algorithm(family));
        if (found.algorithm().equals(algorithm(family))) {
            assertHolds(found.limit().orElseThrow(), limit, 0.3);
            assertHolds(found.windowSeconds().orElseThrow(), windowSeconds, 0.3);
        }
    }

    @Test
    void a_window_in_every_pod_is_told_as_such() {
        var traffic = MadeUpTraffic.of(21, 4000, 9, 3);
        IdealLimiter limiter = IdealLimiter.fixedFromFirst(15, 10);
        DecisionLog log = MadeUpTraffic.decided(
                traffic, 1_000, (r, i) -> limiter.allows(List.of(r.key(), r.node()), r.atMicros()));

        Case.Limiter found = only(log);

        assertThat(found.scope()).isEqualTo("per_node");
        assertThat(found.nodes()).contains(3);
        assertThat(found.effectiveLimit()).contains(45.0);
        assertHolds(found.limit().orElseThrow(), 15, 0.01);
    }

    @Test
    void pods_that_share_a_window_are_told_as_such() {
        var traffic = MadeUpTraffic.of(22, 3000, 6, 3);
        IdealLimiter limiter = IdealLimiter.fixedOnClock(30, 10);
        DecisionLog log = MadeUpTraffic.decided(traffic, 1_000, (r, i) -> limiter.allows(r.key(), r.atMicros()));

        assertThat(only(log).scope()).isEqualTo("shared");
    }

    @Test
    void one_bucket_for_everybody_has_no_key() {
        var traffic = MadeUpTraffic.of(23, 3000, 4, 0);
        IdealLimiter limiter = IdealLimiter.bucket(6, 12);
        DecisionLog log = MadeUpTraffic.decided(traffic, 1_000, (r, i) -> limiter.allows("all", r.atMicros()));

        Case.Limiter found = only(log);

        assertThat(found.key()).isEmpty();
        assertHolds(found.ratePerSecond().orElseThrow(), 6, 0.02);
    }

    @Test
    void a_pair_of_fields_is_found() {
        var traffic = MadeUpTraffic.of(24, 4000, 8, 0);
        IdealLimiter limiter = IdealLimiter.log(8, 5, false);
        DecisionLog log = MadeUpTraffic.decided(
                traffic, 1_000, (r, i) -> limiter.allows(List.of(r.key(), r.route()), r.atMicros()));

        assertThat(only(log).key()).containsExactly("api_key", "route");
    }

    @Test
    void written_levels_of_a_leaky_bucket_pin_it_through_stamps_of_whole_seconds() {
        var traffic = MadeUpTraffic.of(25, 2000, 15, 0);
        long[] excess = new long[traffic.size()];
        var levels = new java.util.HashMap<Object, double[]>();
        DecisionLog plain = MadeUpTraffic.decided(traffic, 1_000_000, (r, i) -> {
            double[] s = levels.computeIfAbsent(r.ip(), k -> new double[] {-1, r.atMicros()});
            double level = s[0] < 0 ? 0 : Math.max(0, s[0] - 8 * (r.atMicros() - s[1]) / 1e6 + 1);
            excess[i] = level > 10 ? Math.round(level * 1000) : -1;
            if (level <= 10) {
                s[0] = level;
                s[1] = r.atMicros();
            }
            return level <= 10;
        });
        DecisionLog log = new DecisionLog(
                "gateway",
                "nginx limit_req",
                plain.arrivalMicros(),
                plain.uncertaintyMicros(),
                plain.denied(),
                plain.keyNames(),
                plain.keyValue(),
                plain.node(),
                plain.nodeNames(),
                plain.file(),
                plain.line(),
                excess,
                plain.limitHeader(),
                plain.remainingHeader(),
                plain.windowsDeclared());

        Case.Limiter found = only(log);

        assertThat(found.algorithm()).isEqualTo("leaky_bucket");
        assertHolds(found.ratePerSecond().orElseThrow(), 8, 0.05);
        assertThat(found.burst()).contains(Case.Interval.exactly(11));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4", "5", "6"})
    void denials_by_chance_are_no_limiter(long seed) {
        var traffic = MadeUpTraffic.of(seed, 1500, 5, 2);
        Random random = new Random(seed);
        DecisionLog log = MadeUpTraffic.decided(traffic, 1_000, (r, i) -> random.nextDouble() > 0.1 * seed);

        Reconstruction found = Reconstruction.of(log);

        assertThat(found.limiters()).isEmpty();
        assertThat(found.skipped()).hasSize(1);
    }

    @Test
    void without_denials_there_is_nothing_to_say() {
        DecisionLog log = MadeUpTraffic.decided(MadeUpTraffic.of(1, 500, 5, 0), 1_000, (r, i) -> true);

        assertThat(Reconstruction.of(log).limiters()).isEmpty();
        assertThat(Reconstruction.of(log).skipped()).isEmpty();
    }

    private static Case.Limiter only(DecisionLog log) {
        Reconstruction found = Reconstruction.of(log);
        assertThat(found.limiters()).as("%s", found.skipped()).hasSize(1);
        return found.limiters().get(0);
    }

    private static Supplier<IdealLimiter> window(String family, int limit, double seconds) {
        return switch (family) {
            case "fixed_clock" -> () -> IdealLimiter.fixedOnClock(limit, seconds);
            case "fixed_first" -> () -> IdealLimiter.fixedFromFirst(limit, seconds);
            case "log" -> () -> IdealLimiter.log(limit, seconds, false);
            case "log_all" -> () -> IdealLimiter.log(limit, seconds, true);
            default -> () -> IdealLimiter.counterOnClock(limit, seconds);
        };
    }

    private static String algorithm(String family) {
        return switch (family) {
            case "fixed_clock", "fixed_first" -> "fixed_window";
            case "log", "log_all" -> "sliding_window_log";
            default -> "sliding_window_counter";
        };
    }

    private static List<String> algorithms(Case.Limiter limiter) {
        var all = new java.util.ArrayList<>(limiter.equivalent());
        all.add(limiter.algorithm());
        return all;
    }

    /** An interval must hold the truth, and not be wider than this part of it (or one). */
    private static void assertHolds(Case.Interval interval, double truth, double width) {
        assertThat(interval.low().orElseThrow()).as("%s", interval).isLessThanOrEqualTo(truth * 1.001);
        assertThat(interval.high().orElseThrow()).as("%s", interval).isGreaterThanOrEqualTo(truth * 0.999);
        assertThat(interval.high().orElseThrow() - interval.low().orElseThrow())
                .as("%s", interval)
                .isLessThanOrEqualTo(Math.max(1, width * truth));
    }
}
