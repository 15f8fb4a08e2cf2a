package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatsCommandTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int formats(String text, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("access.log"), text, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        String[] arguments = new String[2 + more.length];
        arguments[0] = "formats";
        arguments[1] = file.toString();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return Main.run(terminal, arguments);
    }

    private static final String COMBINED =
            "192.0.2.7 - - [30/Nov/2026:19:04:30 +0000] \"GET /v1/orders HTTP/1.1\" 429 19 \"-\" \"client/1.0\"\n";

    @Test
    void aLogShowsItsFormatItsRowsAndWhatIsMissing() throws IOException {
        assertThat(formats(COMBINED.repeat(5))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("5 of the first 5 lines", "  missing    ", "line 3", "/v1/orders", "2026-11-30T19:04:30Z")
                .doesNotContain("line 4")
                .doesNotContain("192.0.2.7");
    }

    @Test
    void aLogThatIsGivenItsFormatIsReadByIt() throws IOException {
        assertThat(formats(
                        "30/Nov/2026:19:04:30 +0000;GET;429;192.0.2.7\n",
                        "--log-format",
                        "$time_local;$request_method;$status;$remote_addr"))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 of the first 1 lines", "429");
    }

    @Test
    void whatIsNoLogIsNoUsableInput() throws IOException {
        assertThat(formats("dear diary\nnothing happened today\n")).isEqualTo(ExitCode.NO_USABLE_INPUT);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("why429: ");
    }
}
