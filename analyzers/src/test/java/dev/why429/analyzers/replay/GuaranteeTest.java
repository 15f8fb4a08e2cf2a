package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the limiters' pages promise, on random traffic through the twins (which decide as the scripts do: {@link TwinAndScriptTest}). */
class GuaranteeTest {
    static List<String> limiters() {
        return ReferenceLimiters.ids();
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void aKeyThatExpiresWhenItMayDecidesAsOneThatIsKept(String limiter) {
        Random random = new Random(3);
        EventStream events = RandomTraffic.of(limiter, 50_000, random);
        int expired = 0;
        String key = "";
        Limiter kept = null;
        Limiter expiring = null;
        long now = 0;
        long gone = Long.MAX_VALUE;
        for (int i = 0; i < events.size(); i++) {
            if (!events.key(i).equals(key)) {
                key = events.key(i);
                kept = ReferenceLimiters.twin(limiter, events.parameters(i));
                expiring = ReferenceLimiters.twin(limiter, events.parameters(i));
                now = 0;
                gone = Long.MAX_VALUE;
            }
            now = Math.max(now, events.nowMicros(i));
            if (now >= gone) {
                expiring = ReferenceLimiters.twin(limiter, events.parameters(i));
                gone = Long.MAX_VALUE;
                expired++;
            }
            kept.change(events.parameters(i));
            expiring.change(events.parameters(i));
            Decision decision = expiring.decide(now, events.cost(i));
            assertThat(decision).as(events.describe(i)).isEqualTo(kept.decide(now, events.cost(i)));
            if (decision.outcome() != Decision.Outcome.COST_EXCEEDS_CAPACITY && events.cost(i) > 0) {
                gone = now + decision.resetMicros();
            }
        }
        assertThat(expired).isGreaterThan(100);
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void theWaitIsExactlyLongEnough(String limiter) {
        EventStream events = RandomTraffic.of(limiter, 20_000, new Random(4));
        int waits = 0;
        String key = "";
        Limiter state = null;
        long now = 0;
        for (int i = 0; i < events.size(); i++) {
            if (!events.key(i).equals(key)) {
                key = events.key(i);
                state = ReferenceLimiters.twin(limiter, events.parameters(i));
                now = 0;
            }
            now = Math.max(now, events.nowMicros(i));
            long cost = events.cost(i);
            Decision decision = state.decide(now, cost);
            if (decision.outcome() == Decision.Outcome.DENIED && cost > 0) {
                long early = now + decision.retryMicros() - 1;
                if (early > now) {
                    assertThat(state.decide(early, cost).allowed())
                            .as(events.describe(i))
                            .isFalse();
                }
                now = now + decision.retryMicros();
                assertThat(state.decide(now, cost).allowed())
                        .as(events.describe(i))
                        .isTrue();
                waits++;
            }
        }
        assertThat(waits).isGreaterThan(100);
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void clocksThatDisagreeByTwoSecondsLetNoMoreThrough(String limiter) {
        long[] parameters = switch (limiter) {
            case "token-bucket", "gcra" -> new long[] {20, 10, 1_000_000};
            case "leaky-bucket" -> new long[] {19, 10_000};
            case "leaky-queue" -> new long[] {1_900_000, 10, 1_000_000};
            case "layered" -> new long[] {20, 10, 1_000_000, 30, 11, 1_000_000};
            case "settle" -> new long[] {20, 10, 1_000_000, 1_000_000};
            default -> new long[] {20, 2_000_000};
        };
        Random random = new Random(5);
        Limiter state = ReferenceLimiters.twin(limiter, parameters);
        long start = 1_700_000_000_000_000L;
        int allowed = 0;
        for (long t = 0; t < 60_000_000; t += 5000) {
            long skew = random.nextInt(3) * 2_000_000L - 2_000_000;
            allowed += state.decide(start + t + skew, 1).allowed() ? 1 : 0;
        }
        // 10 a second for 60 s with 2 s more on either side, and once the burst, or the half window that a boundary
        // adds
        assertThat(allowed).isLessThanOrEqualTo(20 + 10 * 64 + 20).isGreaterThan(400);
    }
}
