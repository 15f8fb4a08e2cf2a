package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.rules.Catalog;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 rules [ID]}: the list of what is known; with an id the same page as {@code explain}. */
final class RulesCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("rules");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("ID")
                .index("0")
                .arity("0..1")
                .type(String.class)
                .description("show this rule's page")
                .build());
        spec.addOption(Options.value("KIND", "only format, fingerprint, limiter, detector or pitfall", "--kind"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) {
        String id = given.matchedPositionalValue(0, "");
        if (!id.isEmpty()) {
            return ExplainCommand.explain(id, terminal);
        }
        String kind = given.matchedOptionValue("--kind", "");
        List<Catalog.Entry> entries = Catalog.builtIn().stream()
                .filter(entry -> kind.isEmpty() || entry.kind().equals(kind))
                .toList();
        if (entries.isEmpty() && !kind.isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("--kind: \"" + kind + "\" is none of " + String.join(", ", Catalog.KINDS)));
        }
        for (Catalog.Entry entry : entries) {
            terminal.out()
                    .println(String.format(
                            Locale.ROOT, "%-12s %-32s %s", entry.kind(), entry.id(), Printable.of(entry.title(), 90)));
        }
        return ExitCode.DONE;
    }
}
