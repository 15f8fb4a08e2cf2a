package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.analyzers.audit.AuditRequest;
import dev.why429.analyzers.audit.AuditRun;
import dev.why429.analyzers.audit.Baseline;
import dev.why429.cli.render.audit.AuditRenderer;
import dev.why429.cli.render.audit.SarifAuditRenderer;
import dev.why429.cli.render.audit.TextAuditRenderer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 audit}: limiter configuration and code against the pitfalls. */
final class AuditCommand implements Command {
    enum Format {
        TEXT,
        SARIF
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("audit");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("PATH")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("files and folders below the working folder (default: all of it)")
                .build());
        spec.addOption(Options.value("FORMAT", "text or sarif (default text)", "--format"));
        spec.addOption(Options.value("FILE|-", "where the report goes (default stdout)", "--output"));
        spec.addOption(Options.value(
                "LEVEL", "exit code 1 from here on: error, warning, note, never (default error)", "--fail-on"));
        spec.addOption(Options.flag("exit code 0 where it would be 1", "--exit-zero"));
        spec.addOption(Options.value("ID,…", "only these pitfalls", "--select"));
        spec.addOption(Options.value("ID,…", "not these pitfalls", "--ignore"));
        spec.addOption(Options.value("FILE", "findings that are known already: only new ones count", "--baseline"));
        spec.addOption(
                Options.value("FILE", "write what is found now as a baseline, and end with 0", "--write-baseline"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        Format format = Options.choice(given, "--format", Format.TEXT, Format.values());
        AuditReport.FailOn failOn =
                Options.choice(given, "--fail-on", AuditReport.FailOn.ERROR, AuditReport.FailOn.values());
        Path root = Path.of("").toAbsolutePath();
        List<Path> paths = new ArrayList<>();
        given.matchedPositionalValue(0, List.<String>of()).forEach(path -> paths.add(Path.of(path)));
        AuditReport report = AuditRun.run(new AuditRequest(
                root, paths, ids(given, "--select"), ids(given, "--ignore"), file(given, "--baseline")));

        Optional<Path> baseline = file(given, "--write-baseline");
        if (baseline.isPresent()) {
            write(baseline.get(), Baseline.write(report.findings()));
            terminal.say(report.findings().size() + " findings are known from now on by \"" + baseline.get() + "\"");
            return ExitCode.DONE;
        }
        AuditRenderer renderer =
                format == Format.SARIF ? new SarifAuditRenderer(Version.current()) : new TextAuditRenderer();
        StringWriter page = new StringWriter();
        PrintWriter out = new PrintWriter(page);
        renderer.render(report, out);
        out.flush();
        Optional<Path> place =
                file(given, "--output").filter(path -> !path.toString().equals("-"));
        if (place.isPresent()) {
            write(place.get(), page.toString());
        } else {
            terminal.out().print(page);
        }
        return given.hasMatchedOption("--exit-zero") ? ExitCode.DONE : report.exitCode(failOn);
    }

    private static Set<String> ids(ParseResult given, String option) {
        return Arrays.stream(given.matchedOptionValue(option, "").split(",", -1))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toSet());
    }

    private static Optional<Path> file(ParseResult given, String option) {
        return Optional.ofNullable(given.matchedOptionValue(option, (String) null))
                .map(Path::of);
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE, List.of("\"" + file + "\" cannot be written: " + e.getMessage()));
        }
    }
}
