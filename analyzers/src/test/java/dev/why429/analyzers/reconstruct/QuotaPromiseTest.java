package dev.why429.analyzers.reconstruct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.casefile.Case;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotaPromiseTest {
    private static DecisionLog log(int[] limits, double... windows) {
        int n = limits.length;
        DecisionLog plain = DecisionLog.plain(new long[n], new long[n], new boolean[n], List.of(), new int[0][]);
        return new DecisionLog(
                plain.layer(),
                plain.component(),
                plain.arrivalMicros(),
                plain.uncertaintyMicros(),
                plain.denied(),
                plain.keyNames(),
                plain.keyValue(),
                plain.node(),
                plain.nodeNames(),
                plain.file(),
                plain.line(),
                plain.excessMilli(),
                limits,
                plain.remainingHeader(),
                windows);
    }

    @Test
    void mostAnswersDecideWhatWasPromised() {
        QuotaPromise promise =
                QuotaPromise.of(log(new int[] {40, 40, -1, 60, 40}, 10)).orElseThrow();
        assertThat(promise.declared())
                .isEqualTo(new Case.Declared("40 per 10 s", "quota headers of 3 of 4 answers that bear one"));
    }

    @Test
    void withoutOneWindowOnlyTheLimitIsSaid() {
        assertThat(QuotaPromise.of(log(new int[] {100}, 10, 60))
                        .orElseThrow()
                        .declared()
                        .text())
                .isEqualTo("100 requests");
    }

    @Test
    void answersWithoutQuotaHeadersPromiseNothing() {
        assertThat(QuotaPromise.of(log(new int[] {-1, -1}, 10))).isEmpty();
    }

    @Test
    void aLimitBesideThePromiseIsAContradiction() {
        QuotaPromise promise = QuotaPromise.of(log(new int[] {40}, 10)).orElseThrow();
        assertThat(promise.contradiction(Case.Interval.between(38, 41))).isEmpty();
        assertThat(promise.contradiction(Case.Interval.exactly(20)))
                .contains("the quota headers promise 40, the decisions show a limit below it");
        assertThat(promise.contradiction(Case.Interval.exactly(60)))
                .contains("the quota headers promise 40, the decisions show a limit above it");
    }
}
