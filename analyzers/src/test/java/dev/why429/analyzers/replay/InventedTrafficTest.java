package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.why429.analyzers.InputProblem;
import org.junit.jupiter.api.Test;

class InventedTrafficTest {
    private static final RedisEngine TWIN = RedisEngine.open("none");

    @Test
    void evenTrafficAtTheRatePassesAndABurstIsCutToWhatTheBucketHolds() {
        RequestStream even = InventedTraffic.parse("even:10/s,for=10s");
        Policy policy = Policy.parse("token-bucket:rate=10/s,burst=1");
        assertThat(Replay.replay(InventedTraffic.under(even, policy), policy, TWIN)
                        .summary()
                        .denied())
                .isZero();

        RequestStream burst = InventedTraffic.parse("even:1/m,burst=25,every=10s,for=10s");
        Policy tutorial = Policy.parse("token-bucket:rate=10/s,burst=20");
        assertThat(Replay.replay(InventedTraffic.under(burst, tutorial), tutorial, TWIN)
                        .summary()
                        .denied())
                .isEqualTo(5);
    }

    @Test
    void theSameTextIsTheSameTraffic() {
        RequestStream once = InventedTraffic.parse("poisson:50/s,for=20s,clients=3");
        RequestStream again = InventedTraffic.parse("poisson:50/s,for=20s,clients=3");
        assertThat(once.size()).isEqualTo(again.size()).isBetween(850, 1150);
        assertThat(once.arrivalMicros(500)).isEqualTo(again.arrivalMicros(500));
    }

    @Test
    void everyMistakeIsTold() {
        assertThat(catchThrowableOfType(
                                InputProblem.class, () -> InventedTraffic.parse("storm:x,burst=many,size=3,every=soon"))
                        .problems())
                .hasSize(5);
    }
}
