package dev.why429.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkdownSummaryTest {
    @Test
    void itTellsWhatTheReportTells() {
        assertThat(MarkdownSummary.of(FilledCase.plain()))
                .startsWith("## Most 429s came from the app")
                .contains("4,891 of 14,311 requests denied, 2026-11-30T19:04:30Z to ")
                .contains("| app | express-rate-limit | limit | 4,250 | 98 % |")
                .contains("1. **Each of 3 pods counts alone** (high): A client gets 60")
                .contains("   - Fix for the client: Wait as long as Retry-After says")
                .contains("### Not seen")
                .endsWith("\n");
    }

    @Test
    void aCalmCaseIsShort() {
        assertThat(MarkdownSummary.of(FilledCase.calm()).lines()).hasSizeLessThan(10);
    }

    @Test
    void whatComesOutOfLogsFormatsNothingAndCallsNobody() {
        String text = MarkdownSummary.of(
                FilledCase.with(
                        " @team ![x](http://example.invalid) <img src=x> | `code` www.example.invalid https://example.invalid\n# head"));
        assertThat(text)
                .doesNotContain("@team", "[x](http", "https://", "www.example", "\n# head")
                .doesNotContainPattern("[^\\\\]<img")
                .contains(
                        "@<!-- -->team", "\\!\\[x\\](http:<!-- -->//example.invalid)", "\\<img src=x\\>", "\\`code\\`");
        assertThat(text.lines().filter(line -> line.startsWith("| app")))
                .allMatch(line ->
                        line.replace("\\|", "").chars().filter(c -> c == '|').count() == 6);
    }
}
