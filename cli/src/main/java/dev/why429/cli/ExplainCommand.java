package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.cli.render.RulePage;
import dev.why429.rules.Catalog;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 explain ID}: one rule's page. */
final class ExplainCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("explain");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("ID")
                .index("0")
                .required(true)
                .type(String.class)
                .description("as why429 rules lists it, or as a finding names it")
                .build());
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) {
        return explain(given.matchedPositionalValue(0, ""), terminal);
    }

    static int explain(String id, Terminal terminal) {
        // findings write _ where rule folders write -
        List<Catalog.Entry> found = Catalog.builtIn().stream()
                .filter(entry ->
                        entry.id().equals(id) || entry.id().replace('-', '_').equals(id.replace('-', '_')))
                .toList();
        if (found.isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE, List.of("no rule is named \"" + id + "\"; see why429 rules"));
        }
        found.forEach(entry -> terminal.out().print(RulePage.of(entry)));
        return ExitCode.DONE;
    }
}
