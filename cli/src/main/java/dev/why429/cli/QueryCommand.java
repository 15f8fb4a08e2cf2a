package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.store.Question;
import dev.why429.analyzers.store.StoreException;
import dev.why429.cli.render.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 query CASE "SQL"}. */
final class QueryCommand implements Command {
    private static final int MEMORY_MEGABYTES = 400;

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("query");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("CASE")
                .index("0")
                .type(String.class)
                .required(true)
                .description("a case folder")
                .build());
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("SQL")
                .index("1")
                .type(String.class)
                .required(true)
                .description("for example \"SELECT layer, count(*) FROM attributions GROUP BY ALL\"")
                .build());
        spec.addOption(Options.value("FORMAT", "table, csv or json (default table)", "--format"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        Rows.Format format = Options.choice(given, "--format", Rows.Format.TABLE, Rows.Format.values());
        Path folder = Path.of(given.matchedPositionalValue(0, ""));
        Path tables = Files.isDirectory(folder) ? folder.resolve("case.duckdb") : folder;
        if (!Files.isRegularFile(tables)) {
            throw new InputProblem(
                    InputProblem.Kind.NO_USABLE_INPUT,
                    List.of("\"" + folder
                            + "\" is no case folder: it holds no case.duckdb; why429 investigate makes one"));
        }
        Path spill = Files.createTempDirectory("why429-query");
        int threads = Runtime.getRuntime().availableProcessors();
        Rows rows = Rows.to(terminal.out(), format);
        try (CaseStore store = CaseStore.read(tables, spill, threads, MEMORY_MEGABYTES)) {
            Question.ask(store, given.matchedPositionalValue(1, ""), rows);
            rows.end();
        } catch (StoreException e) {
            throw new InputProblem(InputProblem.Kind.USAGE, List.of(e.getMessage()));
        } finally {
            Files.deleteIfExists(spill);
        }
        return ExitCode.DONE;
    }
}
