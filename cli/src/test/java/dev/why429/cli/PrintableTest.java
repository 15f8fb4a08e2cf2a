package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "GET /über/日本語?q=ß", "emoji 🙂", "a\u0301"})
    void whatReadsAsItIsStays(String text) {
        assertThat(Printable.of(text)).isSameAs(text);
    }

    @ParameterizedTest
    @CsvSource({
        "27,1b",
        "7,7",
        "10,a",
        "13,d",
        "0,0",
        "127,7f",
        "155,9b",
        "8238,202e",
        "8294,2066",
        "8203,200b",
        "65279,feff",
        "8232,2028",
        "55296,d800"
    })
    void whatHidesBecomesVisible(int point, String shown) {
        assertThat(Printable.of("a" + new String(Character.toChars(point)) + "b"))
                .isEqualTo("a\\u{" + shown + "}b");
    }

    @Test
    void aCutIsMarkedAndNeverSplitsACharacter() {
        assertThat(Printable.of("🙂🙂🙂", 2)).isEqualTo("🙂…");
        assertThat(Printable.of("abc", 3)).isEqualTo("abc");
    }
}
