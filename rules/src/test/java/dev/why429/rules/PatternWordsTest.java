package dev.why429.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "^REJECTED$ → is \"REJECTED\"",
                "^limit=\\d+, remaining=0, reset=\\d+$ → is \"limit=…, remaining=0, reset=…\"",
                "^\\d+;w=\\d+$ → is \"…;w=…\"",
                "^nginx → starts with \"nginx\"",
                "<hr><center>nginx(/[0-9.]+)?</center> → contains \"<hr><center>nginx…</center>\"",
                "^Too many requests, please try again later\\.$ → is \"Too many requests, please try again later.\"",
                "\"code\":\\s?\"(rate_limit|lock_timeout)\" → contains \"\"code\": \"rate_limit or lock_timeout\"\"",
                "(?i)^throttled → starts with \"throttled\"",
            })
    void aPatternIsReadAloud(String pattern, String words) {
        assertThat(PatternWords.of(pattern)).isEqualTo(words);
    }
}
