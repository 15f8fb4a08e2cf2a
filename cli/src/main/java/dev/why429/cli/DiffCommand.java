package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.cli.render.CaseDiff;
import dev.why429.cli.render.CaseJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 diff BEFORE AFTER}: what a change did. */
final class DiffCommand implements Command {
    private enum Format {
        TEXT,
        JSON
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("diff");
        for (int i = 0; i < 2; i++) {
            spec.addPositional(PositionalParamSpec.builder()
                    .paramLabel(i == 0 ? "BEFORE" : "AFTER")
                    .index(Integer.toString(i))
                    .required(true)
                    .type(String.class)
                    .description("a case folder")
                    .build());
        }
        spec.addOption(Options.value("FORMAT", "text or json (default text)", "--format"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        Format format = Options.choice(given, "--format", Format.TEXT, Format.values());
        CaseDiff diff = CaseDiff.between(
                CaseJson.read(caseFile(given.matchedPositionalValue(0, ""))),
                CaseJson.read(caseFile(given.matchedPositionalValue(1, ""))));
        terminal.out().print(format == Format.TEXT ? diff.text() : CaseJson.text(diff));
        return ExitCode.DONE;
    }

    private static Path caseFile(String name) {
        Path given = Path.of(name);
        Path file = Files.isDirectory(given) ? given.resolve("case.json") : given;
        if (!Files.isRegularFile(file)) {
            throw new InputProblem(
                    InputProblem.Kind.NO_USABLE_INPUT,
                    List.of("\"" + name + "\" is no case folder; why429 investigate makes one from logs"));
        }
        return file;
    }
}
