package dev.why429.cli;

import dev.why429.analyzers.store.CaseStore;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 doctor}: whether everything that is needed works here. */
final class DoctorCommand implements Command {
    private static final long ENOUGH_BYTES = 1L << 30;

    private final StringBuilder page = new StringBuilder();
    private boolean wrong;

    @Override
    public CommandSpec spec() {
        return Options.command("doctor");
    }

    @Override
    public int run(ParseResult given, Terminal terminal) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir", "."));
        check("why429", Version.current(), true);
        check(
                "Java",
                Runtime.version() + ", " + System.getProperty("java.vm.name") + ", " + System.getProperty("os.name")
                        + " " + System.getProperty("os.arch"),
                Runtime.version().feature() >= 17);
        tables();
        space(temporary);
        check(
                "Terminal",
                (terminal.errIsTerminal() ? "progress is drawn" : "no progress, stderr is no terminal") + ", "
                        + (terminal.colour() ? "colour" : "no colour"),
                true);
        check(
                "File names",
                Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")).name(),
                true);
        terminal.out().print(page);
        return wrong ? ExitCode.INTERNAL : ExitCode.DONE;
    }

    private void tables() {
        try {
            Path folder = Files.createTempDirectory("why429-doctor");
            Path file = folder.resolve("case.duckdb");
            try (CaseStore store = CaseStore.create(file, folder, 1, 100)) {
                long rows = store.query("SELECT count(*) AS n FROM requests", row -> row.integer("n"))
                        .get(0);
                check("Tables", "DuckDB makes a case and reads it" + (rows == 0 ? "" : ", wrongly"), rows == 0);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            check("Tables", "DuckDB does not work here: " + e.getMessage(), false);
        }
    }

    private void space(Path temporary) {
        try {
            long free = Files.getFileStore(temporary).getUsableSpace();
            check(
                    "Temporary space",
                    String.format(Locale.ROOT, "%,d MB free in %s", free >> 20, temporary),
                    free >= ENOUGH_BYTES);
        } catch (IOException e) {
            check("Temporary space", "\"" + temporary + "\" cannot be used: " + e.getMessage(), false);
        }
    }

    private void check(String what, String how, boolean good) {
        wrong |= !good;
        page.append(String.format(Locale.ROOT, "%-6s %-16s %s%n", good ? "ok" : "WRONG", what, Printable.of(how)));
    }
}
