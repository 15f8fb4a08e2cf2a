package dev.why429.analyzers.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static final List<Long> TEN_IN_A_SECOND =
            LongStream.range(0, 10).mapToObj(i -> i * 100_000).toList();

    @Test
    void aStretchIsOpenAtItsEnd() {
        assertThat(Arrivals.most(TEN_IN_A_SECOND, 1)).isEqualTo(10);
        assertThat(Arrivals.most(TEN_IN_A_SECOND, 0.5)).isEqualTo(5);
        assertThat(Arrivals.most(List.of(0L, 1_000_000L), 1)).isEqualTo(1);
    }

    @Test
    void theFullestStretchStartsWhereItsFirstRequestIs() {
        assertThat(Arrivals.busiest(List.of(0L, 5_000_000L, 5_100_000L), 1)).isEqualTo(5_000_000L);
    }

    @Test
    void theBurstNeededIsTheHighestLevelOfTheBucket() {
        // ten a second against five a second: after the last one, ten have come and 4.5 have flowed off
        assertThat(Arrivals.burstNeeded(TEN_IN_A_SECOND, 5)).isEqualTo(6);
        assertThat(Arrivals.burstNeeded(TEN_IN_A_SECOND, 10)).isEqualTo(1);
        assertThat(Arrivals.burstNeeded(List.of(7L, 7L, 7L), 1)).isEqualTo(3);
    }
}
