package dev.why429.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.casefile.Case;
import org.junit.jupiter.api.Test;

class CaseDiffTest {
    private final Case filled = FilledCase.plain();

    @Test
    void aCaseIsLikeItself() {
        CaseDiff diff = CaseDiff.between(filled, filled);
        assertThat(diff.findings().gone()).isEmpty();
        assertThat(diff.findings().appeared()).isEmpty();
        assertThat(diff.clients()).isEmpty();
        assertThat(diff.limiters())
                .allSatisfy(change -> assertThat(change.before()).isEqualTo(change.after()));
        assertThat(diff.text()).contains("requests", "before", "after", "share denied");
    }

    @Test
    void whatIsGoneAndWhatIsNewIsNamed() {
        Case mended = CaseJson.withFindings(filled, java.util.List.of());
        assertThat(CaseDiff.between(filled, mended).findings().gone()).isNotEmpty();
        assertThat(CaseDiff.between(mended, filled).findings().appeared()).isNotEmpty();
        assertThat(CaseDiff.between(filled, mended).text()).contains("No longer found");
    }
}
