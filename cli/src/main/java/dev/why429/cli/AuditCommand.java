package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.analyzers.audit.AuditRequest;
import dev.why429.analyzers.audit.AuditRun;
import dev.why429.analyzers.audit.AuditSettings;
import dev.why429.analyzers.audit.Baseline;
import dev.why429.cli.render.audit.AuditRenderer;
import dev.why429.cli.render.audit.GithubAuditRenderer;
import dev.why429.cli.render.audit.GitlabAuditRenderer;
import dev.why429.cli.render.audit.JsonAuditRenderer;
import dev.why429.cli.render.audit.JunitAuditRenderer;
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
import java.util.HashSet;
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
        JSON,
        SARIF,
        GITLAB,
        GITHUB,
        JUNIT
    }

    private static final List<String> CONFIGS = List.of("why429.yaml", "why429.yml", ".why429.yaml");

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
        spec.addOption(Options.values(
                "FORMAT",
                "text, json, sarif, gitlab, github or junit (default text); repeat it to write several",
                "--format"));
        spec.addOption(Options.values(
                "FILE|-",
                "where the report goes (default stdout); the n-th --output belongs to the n-th --format",
                "--output"));
        spec.addOption(Options.value(
                "LEVEL", "exit code 1 from here on: error, warning, note, never (default error)", "--fail-on"));
        spec.addOption(Options.flag("exit code 0 where it would be 1", "--exit-zero"));
        spec.addOption(Options.value("ID,…", "only these pitfalls", "--select"));
        spec.addOption(Options.value("ID,…", "not these pitfalls", "--ignore"));
        spec.addOption(Options.value(
                "FILE",
                "settings: select, ignore, exclude, baseline, fail_on (default why429.yaml if it is there)",
                "--config"));
        spec.addOption(
                Options.value("REV", "only what touches a file changed since this git revision", "--changed-since"));
        spec.addOption(Options.value("FILE", "findings that are known already: only new ones count", "--baseline"));
        spec.addOption(
                Options.value("FILE", "write what is found now as a baseline, and end with 0", "--write-baseline"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        List<Format> formats = formats(given);
        List<String> outputs = given.matchedOptionValue("--output", List.of());
        if (outputs.size() > formats.size()) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("--output is given " + outputs.size() + " times and --format " + formats.size()
                            + " times; give a format for each"));
        }
        AuditSettings settings = settings(given);
        AuditReport.FailOn failOn = Options.choice(
                given, "--fail-on", settings.failOn().orElse(AuditReport.FailOn.ERROR), AuditReport.FailOn.values());
        AuditReport report = AuditRun.run(request(given, settings));

        Optional<Path> baseline = file(given, "--write-baseline");
        if (baseline.isPresent()) {
            write(baseline.get(), Baseline.write(report.findings()));
            terminal.say(report.findings().size() + " findings are known from now on by \"" + baseline.get() + "\"");
            return ExitCode.DONE;
        }
        for (int i = 0; i < formats.size(); i++) {
            write(report, formats.get(i), i < outputs.size() ? outputs.get(i) : "-", terminal);
        }
        return given.hasMatchedOption("--exit-zero") ? ExitCode.DONE : report.exitCode(failOn);
    }

    private static AuditRequest request(ParseResult given, AuditSettings settings) {
        List<Path> paths = new ArrayList<>();
        given.matchedPositionalValue(0, List.<String>of()).forEach(path -> paths.add(Path.of(path)));
        Set<String> select = ids(given, "--select");
        Set<String> ignore = new HashSet<>(ids(given, "--ignore"));
        ignore.addAll(settings.ignore());
        return new AuditRequest(
                Path.of("").toAbsolutePath(),
                paths,
                settings.exclude(),
                select.isEmpty() ? Set.copyOf(settings.select()) : select,
                ignore,
                file(given, "--baseline").or(() -> settings.baseline().map(Path::of)),
                Optional.ofNullable(given.matchedOptionValue("--changed-since", (String) null)));
    }

    private static AuditSettings settings(ParseResult given) {
        Optional<Path> named = file(given, "--config");
        if (named.isPresent()) {
            return AuditSettings.read(named.get());
        }
        return CONFIGS.stream()
                .map(Path::of)
                .filter(Files::isRegularFile)
                .findFirst()
                .map(AuditSettings::read)
                .orElseGet(AuditSettings::none);
    }

    private static List<Format> formats(ParseResult given) {
        List<Format> formats = new ArrayList<>();
        for (String words : given.matchedOptionValue("--format", List.of("text"))) {
            for (String word : words.split(",", -1)) {
                formats.add(Arrays.stream(Format.values())
                        .filter(f -> f.name().equalsIgnoreCase(word.strip()))
                        .findFirst()
                        .orElseThrow(() -> new InputProblem(
                                InputProblem.Kind.USAGE,
                                List.of("--format: \"" + word
                                        + "\" is none of text, json, sarif, gitlab, github, junit"))));
            }
        }
        return formats;
    }

    private static void write(AuditReport report, Format format, String place, Terminal terminal) {
        AuditRenderer renderer = switch (format) {
            case TEXT -> new TextAuditRenderer();
            case JSON -> new JsonAuditRenderer();
            case SARIF -> new SarifAuditRenderer(Version.current());
            case GITLAB -> new GitlabAuditRenderer();
            case GITHUB -> new GithubAuditRenderer();
            case JUNIT -> new JunitAuditRenderer();
        };
        StringWriter page = new StringWriter();
        PrintWriter out = new PrintWriter(page);
        renderer.render(report, out);
        out.flush();
        if (place.equals("-")) {
            terminal.out().print(page);
        } else {
            write(Path.of(place), page.toString());
        }
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
