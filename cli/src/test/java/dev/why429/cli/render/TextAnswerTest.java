package dev.why429.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TextAnswerTest {
    private static final Path FOLDER = Path.of("why429-case");

    @Test
    void aFullCaseFitsOneScreen() {
        String answer = TextAnswer.of(FilledCase.plain(), FOLDER, false);
        assertThat(answer.lines()).hasSizeLessThanOrEqualTo(23).allMatch(line -> line.length() <= 80);
        assertThat(answer)
                .startsWith("Most 429s came from the app")
                .contains("14,311 requests, 4,891 denied; 2026-11-30 19:04:30 to 2026-11-30 19:14:29 UTC")
                .contains("app          express-rate-limit         limit              4,250   86.2 %  0.98")
                .contains("HIGH   Each of 3 pods counts alone")
                .contains("8 of 19,089 lines could not be read")
                .contains("Report  why429-case/report.html");
    }

    @Test
    void aCalmCaseIsShort() {
        assertThat(TextAnswer.of(FilledCase.calm(), FOLDER, false).lines().limit(3))
                .contains("Nothing was denied: 12 requests, none answered 429.");
    }

    @Test
    void escapeSequencesFromLogsNeverReachTheTerminal() {
        String answer = TextAnswer.of(FilledCase.with("\u001b[2J\u202e\u009b31m\r\n"), FOLDER, false);
        assertThat(answer).doesNotContain("\u001b", "\u202e", "\u009b", "\r").contains("\\u{1b}[2J");
        assertThat(answer.lines()).hasSizeLessThanOrEqualTo(23).allMatch(line -> line.length() <= 80);
    }

    @Test
    void colourAddsNoWord() {
        String coloured = TextAnswer.of(FilledCase.plain(), FOLDER, true);
        assertThat(coloured).contains("\u001b[1m");
        assertThat(coloured.replaceAll("\u001b\\[[0-9]*m", ""))
                .isEqualTo(TextAnswer.of(FilledCase.plain(), FOLDER, false));
    }
}
