package dev.why429.analyzers.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** How well clocks are told from a hundred shared requests in an hour: 1 ms and an exponential 4 ms on the way in and on the way out. */
class ClockAccuracyTest {
    private static final int PAIRS = 100;
    private static final int TRIALS = 200;
    private static final double HOUR = 3600;

    @Test
    void anOffsetIsKnownWithinTwoMillisecondsFromStampsOfMilliseconds() {
        assertThat(percentile95(0.001, false, clock -> clock.offset().seconds()))
                .isLessThan(0.002);
    }

    @Test
    void anOffsetIsKnownWithinATenthOfASecondFromStampsOfSeconds() {
        assertThat(percentile95(1, false, clock -> clock.offset().seconds())).isLessThan(0.1);
    }

    @Test
    void aDriftIsKnownWithinOnePartInAMillion() {
        assertThat(percentile95(0.001, true, clock -> clock.line().slope())).isLessThan(1e-6);
    }

    @Test
    void clocksThatAgreeAreSaidToAgree() {
        Random random = new Random(7);
        for (double resolution : new double[] {0.001, 1}) {
            for (int trial = 0; trial < TRIALS; trial++) {
                NodeClock clock = NodeClock.of(pairs(random, 0, 0, resolution));
                assertThat(clock.isOff() || clock.drifts() || clock.step().isPresent())
                        .isFalse();
            }
        }
    }

    private static double percentile95(double resolution, boolean drifting, ToDoubleFunction<NodeClock> told) {
        Random random = new Random(42);
        double[] errors = new double[TRIALS];
        for (int trial = 0; trial < TRIALS; trial++) {
            double offset = 2 + random.nextDouble() * 3;
            double slope = drifting ? (random.nextDouble() * 2 - 1) * 30e-6 : 0;
            NodeClock clock = NodeClock.of(pairs(random, offset, slope, resolution));
            errors[trial] = Math.abs(told.applyAsDouble(clock) - (drifting ? slope : offset));
        }
        Arrays.sort(errors);
        return errors[(int) (TRIALS * 0.95)];
    }

    private static ClockPairs pairs(Random random, double offset, double slope, double resolution) {
        long[] outer = new long[PAIRS];
        long[] inner = new long[PAIRS];
        double[] low = new double[PAIRS];
        double[] high = new double[PAIRS];
        double[] middle = new double[PAIRS];
        double[] starts = random.doubles(PAIRS, 0, HOUR).sorted().toArray();
        for (int i = 0; i < PAIRS; i++) {
            double in = 0.001 - 0.004 * Math.log(1 - random.nextDouble());
            double out = 0.001 - 0.004 * Math.log(1 - random.nextDouble());
            double work = 0.005;
            double ahead = offset + slope * (starts[i] - HOUR / 2);
            double end = Math.floor((starts[i] + in + work + out) / resolution) * resolution;
            double innerEnd = Math.floor((starts[i] + in + work + ahead) / resolution) * resolution;
            double took = in + work + out;
            outer[i] = Math.round(end * 1e6);
            inner[i] = Math.round(innerEnd * 1e6);
            low[i] = innerEnd - end - resolution;
            high[i] = innerEnd - work + resolution - (end - took);
            middle[i] = (innerEnd - end + innerEnd - work - (end - took)) / 2;
        }
        return new ClockPairs("edge", "pod", outer, inner, low, high, middle, resolution, List.of());
    }
}
