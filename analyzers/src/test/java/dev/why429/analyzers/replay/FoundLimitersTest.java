package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FoundLimitersTest {
    @Test
    void aCaseWithoutAFoundLimiterSaysSoAndWhatToDoNext() {
        assertThat(FoundLimiters.leftOut(List.of()))
                .singleElement()
                .asString()
                .contains("No limiter was found")
                .contains("--policy");
    }
}
