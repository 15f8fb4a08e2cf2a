package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final ByteArrayOutputStream drawn = new ByteArrayOutputStream();
    private final ProgressLine line = new ProgressLine(new PrintStream(drawn, true, StandardCharsets.UTF_8));

    private String text() {
        return drawn.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theStageTheBytesAndTheLinesPerSecondAreShown() {
        line.stage("reading");
        line.read(20_000_000, 50_000_000, 120_000);
        line.stage("joining");
        line.erase();
        assertThat(text()).contains("reading", "20/50 MB", "lines/s", "joining").endsWith("\r\u001b[K");
        assertThat(text().split("\r\u001b\\[K")).allMatch(one -> one.length() <= 79 && !one.contains("\n"));
    }

    @Test
    void nothingIsDrawnOnceItIsGone() {
        line.stage("joining");
        line.erase();
        int before = drawn.size();
        line.read(1, 2, 3);
        line.stage("writing");
        line.erase();
        assertThat(drawn.size()).isEqualTo(before);
    }
}
