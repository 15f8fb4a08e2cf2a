package dev.why429.cli;

import dev.why429.analyzers.Investigation;
import dev.why429.analyzers.InvestigationRequest;
import dev.why429.analyzers.Progress;
import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.render.CaseJson;
import dev.why429.cli.render.MarkdownSummary;
import dev.why429.cli.render.TextAnswer;
import dev.why429.cli.render.html.HtmlReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 investigate}: from logs to a case folder and one screen of answer. */
final class InvestigateCommand implements Command {
    enum Format {
        TEXT,
        JSON,
        MD
    }

    /** From which severity on findings make the exit code 1. */
    enum FailOn {
        ERROR,
        WARNING,
        NOTE,
        NEVER
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("investigate");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("INPUT")
                .arity("0..*")
                .type(java.util.List.class)
                .auxiliaryTypes(String.class)
                .description("logs, captured responses, folders, globs, or - for stdin")
                .build());
        InvestigationOptions.addTo(spec);
        spec.addOption(Options.value("FORMAT", "what goes to stdout: text, json or md (default text)", "--format"));
        spec.addOption(Options.value(
                "LEVEL",
                "exit code 1 for findings from here on: error, warning, note, never (default never)",
                "--fail-on"));
        spec.addOption(Options.flag("only the verdict", "-q", "--quiet"));
        spec.addOption(Options.flag("draw no progress", "--no-progress"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        Format format = Options.choice(given, "--format", Format.TEXT, Format.values());
        FailOn failOn = Options.choice(given, "--fail-on", FailOn.NEVER, FailOn.values());
        InvestigationRequest request = InvestigationOptions.read(given);
        boolean quiet = given.hasMatchedOption("--quiet");

        Case found;
        boolean drawn = terminal.errIsTerminal() && !quiet && !given.hasMatchedOption("--no-progress");
        ProgressLine progressLine = new ProgressLine(terminal.err());
        try (Investigation.Result result = Investigation.run(request, drawn ? progressLine : Progress.SILENT)) {
            found = result.theCase();
            String json = CaseJson.write(found);
            Files.writeString(result.workFolder().resolve("case.json"), json, StandardCharsets.UTF_8);
            Files.writeString(result.workFolder().resolve("report.html"), HtmlReport.of(found), StandardCharsets.UTF_8);
            result.moveIntoPlace();
            progressLine.erase();
            print(found, json, format, quiet, request.caseFolder(), terminal);
        } finally {
            progressLine.erase();
        }
        return exitCode(found, failOn);
    }

    private static void print(Case found, String json, Format format, boolean quiet, Path folder, Terminal terminal) {
        found.warnings().forEach(warning -> terminal.say("warning: " + warning));
        if (format == Format.JSON) {
            terminal.out().print(json);
        } else if (format == Format.MD) {
            terminal.out().print(MarkdownSummary.of(found));
        } else if (quiet) {
            terminal.out().println(Printable.of(found.verdict().sentence()));
        } else {
            terminal.out().print(TextAnswer.of(found, folder, terminal.colour()));
        }
    }

    private static int exitCode(Case found, FailOn failOn) {
        boolean reached = found.findings().stream()
                .map(finding -> level(finding.severity()))
                .anyMatch(level -> level.compareTo(failOn) <= 0);
        return failOn != FailOn.NEVER && reached ? ExitCode.FINDINGS : ExitCode.DONE;
    }

    private static FailOn level(String severity) {
        return switch (severity.toLowerCase(Locale.ROOT)) {
            case "high" -> FailOn.ERROR;
            case "medium" -> FailOn.WARNING;
            default -> FailOn.NOTE;
        };
    }
}
