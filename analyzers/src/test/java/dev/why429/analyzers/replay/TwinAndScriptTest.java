package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random traffic of the nasty kind: script and twin must agree in every number of every decision. */
class TwinAndScriptTest {
    private static final int EVENTS = 100_000;

    static List<String> limiters() {
        return ReferenceLimiters.ids();
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void theTwinAgreesWithTheScriptOnRandomTraffic(String limiter) {
        EventStream events = RandomTraffic.of(limiter, EVENTS, new Random(429));
        List<Decision> twin = events.byTwin(limiter);
        List<Decision> script = events.byScript(ReferenceLimiters.rule(limiter).script());
        for (int i = 0; i < events.size(); i++) {
            if (!twin.get(i).equals(script.get(i))) {
                fail(events.describe(i) + ": twin " + twin.get(i) + ", script " + script.get(i));
            }
        }
        assertThat(twin).extracting(Decision::outcome).contains(Decision.Outcome.values());
    }
}
