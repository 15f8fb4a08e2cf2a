package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of every decision table, through the twin and through the script on a real Redis. */
class DecisionTableTest {
    static List<String> limiters() {
        return ReferenceLimiters.ids();
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void theTwinDecidesAsTheTableSays(String limiter) {
        DecisionTable table = DecisionTable.of(limiter);
        assertThat(table.rows()).isNotEmpty();
        assertThat(table.differences(table.events().byTwin(limiter))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void theScriptDecidesAsTheTableSays(String limiter) {
        DecisionTable table = DecisionTable.of(limiter);
        assertThat(table.differences(
                        table.events().byScript(ReferenceLimiters.rule(limiter).script())))
                .isEmpty();
    }

    @Test
    void everyLimiterHasATwin() {
        assertThat(ReferenceLimiters.ids())
                .containsExactlyInAnyOrderElementsOf(
                        dev.why429.rules.Rulebook.builtIn().all(dev.why429.rules.RuleKind.LIMITER).stream()
                                .map(dev.why429.rules.LimiterRule::id)
                                .toList());
    }
}
