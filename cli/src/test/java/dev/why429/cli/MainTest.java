package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        return Main.run(terminal, arguments);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private String answered() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void withoutACommandThereAreExamples() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(said()).contains("why429 investigate logs/");
        assertThat(answered()).isEmpty();
    }

    @Test
    void everyCommandThatIsListedHasAPage() {
        assertThat(run("--help")).isZero();
        assertThat(Commands.ALL).allSatisfy(entry -> {
            assertThat(answered()).contains("  " + entry.name());
            out.reset();
            assertThat(run(entry.name(), "--help")).isZero();
            assertThat(answered()).contains("Usage: why429 " + entry.name());
            out.reset();
            run("--help");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "investigat,                'unknown command \"investigat\", did you mean \"investigate\"?'",
        "--halp,                    'unknown option \"--halp\"'",
        "investigate --outptu x,    'unknown option \"--outptu\", did you mean \"--output\"?'",
        "investigate x --nginx-konf f, 'unknown option \"--nginx-konf\"'",
        "investigate,               'no input is given'",
        "investigate x --redact all, '--redact: \"all\" is none of normal, strict, off'",
        "investigate x --as pod=y,  '--as: \"pod=y\" is not LAYER[/COMPONENT][@NODE]=GLOB'",
        "investigate x --threads 0, '--threads: \"0\" is no whole number from 1 to 1024'",
        "investigate x --memory 1K, '--memory: \"1K\" is no size'",
        "investigate x --color red, '--color: \"red\" is none of auto, always, never'",
        "explain nothing-like-it,   'no rule is named \"nothing-like-it\"'",
        "completion csh,            'is none of bash, zsh, fish'",
        "rules --kind x,            '--kind: \"x\" is none of format, fingerprint'",
    })
    void aMistakeIsASentenceAndExitCodeTwo(String line, String sentence) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(said()).startsWith("why429: ").contains(sentence);
        assertThat(answered()).isEmpty();
    }

    @Test
    void everyMistakeIsSaidAtOnce() {
        run("investigate", "--since", "noon", "--until", "never", "--tz", "Mars");
        assertThat(said()).contains("no input", "\"noon\"", "\"never\"", "\"Mars\"");
    }

    @Test
    void aFolderWithoutLogsIsNoUsableInput(@TempDir Path empty) {
        assertThat(run(
                        "investigate",
                        empty.toString(),
                        "-o",
                        empty.resolve("case").toString()))
                .isEqualTo(ExitCode.NO_USABLE_INPUT);
        assertThat(empty.resolve("case")).doesNotExist();
        assertThat(run("query", empty.toString(), "SELECT 1")).isEqualTo(ExitCode.NO_USABLE_INPUT);
    }

    @Test
    void anArgumentThatBeginsWithAtIsNoFileOfArguments() {
        run("investigate", "@nothing");
        assertThat(said()).contains("@nothing");
    }

    @Test
    void escapeSequencesInArgumentsAreShownNotSent() {
        run("investigate", "--\u001b[2J");
        assertThat(said()).contains("\\u{1b}[2J").doesNotContain("\u001b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "FISH"})
    void completionKnowsTheOptions(String shell) {
        assertThat(run("completion", shell)).isZero();
        assertThat(answered()).contains("investigate").contains("salt-file");
    }

    @Test
    void colourFollowsTheEnvironment() {
        assertThat(Terminal.wantsColour(Map.of(), true)).isTrue();
        assertThat(Terminal.wantsColour(Map.of(), false)).isFalse();
        assertThat(Terminal.wantsColour(Map.of("NO_COLOR", "1"), true)).isFalse();
        assertThat(Terminal.wantsColour(Map.of("CLICOLOR_FORCE", "1"), false)).isTrue();
        assertThat(Terminal.wantsColour(Map.of("TERM", "dumb"), true)).isFalse();
    }
}
