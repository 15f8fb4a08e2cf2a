package dev.why429.cli;

import dev.why429.rules.Catalog;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 formats}: how log lines may be written. */
final class FormatsCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Options.command("formats");
    }

    @Override
    public int run(ParseResult given, Terminal terminal) {
        Catalog.builtIn().stream()
                .filter(entry -> entry.kind().equals("format"))
                .forEach(entry -> terminal.out()
                        .println(String.format(Locale.ROOT, "%-24s %s", entry.id(), Printable.of(entry.title()))));
        return ExitCode.DONE;
    }
}
