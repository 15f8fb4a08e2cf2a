package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.store.CaseStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryCommandTest {
    @TempDir
    static Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void aCase() {
        try (CaseStore store = CaseStore.create(folder.resolve("case.duckdb"), folder, 1, 100)) {
            store.execute("INSERT INTO rejects VALUES (1, 7, 0, 'not_json', '=cmd()'), (1, 8, 90, 'no_status', NULL)");
        }
    }

    private int ask(String sql, String... more) {
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        String[] arguments = new String[3 + more.length];
        arguments[0] = "query";
        arguments[1] = folder.toString();
        arguments[2] = sql;
        System.arraycopy(more, 0, arguments, 3, more.length);
        return Main.run(terminal, arguments);
    }

    private String answered() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static final String SQL = "SELECT line, reason, text FROM rejects ORDER BY line";

    @Test
    void aTableForPeople() {
        assertThat(ask(SQL)).isZero();
        assertThat(answered()).isEqualToNormalizingNewlines("""
                        line  reason     text
                        ----  ---------  ------
                           7  not_json   =cmd()
                           8  no_status  NULL
                        2 rows
                        """);
    }

    @Test
    void csvIsSafeForSpreadsheets() {
        assertThat(ask(SQL, "--format", "csv")).isZero();
        assertThat(answered())
                .isEqualTo("\"line\",\"reason\",\"text\"\r\n7,\"not_json\",\"'=cmd()\"\r\n8,\"no_status\",\r\n");
    }

    @Test
    void jsonIsOneObjectARow() {
        assertThat(ask(SQL, "--format", "json")).isZero();
        assertThat(answered().lines())
                .containsExactly(
                        "{\"line\":7,\"reason\":\"not_json\",\"text\":\"=cmd()\"}",
                        "{\"line\":8,\"reason\":\"no_status\",\"text\":null}");
    }

    @Test
    void aQuestionThatCannotBeAnsweredIsAMistakeOfUse() {
        assertThat(ask("SELEC 1")).isEqualTo(ExitCode.USAGE);
        assertThat(ask("SELECT * FROM read_text('/etc/passwd')")).isEqualTo(ExitCode.USAGE);
        assertThat(ask("DELETE FROM rejects")).isEqualTo(ExitCode.USAGE);
        assertThat(answered()).isEmpty();
    }
}
