package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.Investigation;
import dev.why429.analyzers.InvestigationRequest;
import dev.why429.analyzers.Progress;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.replay.Configurations;
import dev.why429.analyzers.replay.FoundLimiters;
import dev.why429.analyzers.replay.LimiterProblem;
import dev.why429.analyzers.replay.Policy;
import dev.why429.analyzers.replay.RedisEngine;
import dev.why429.analyzers.replay.Replay;
import dev.why429.analyzers.replay.Suggestions;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.cli.render.CaseJson;
import dev.why429.cli.render.ReplayText;
import dev.why429.cli.render.html.HtmlReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code why429 replay CASE|LOGS}: what other limiters would have done with the traffic; writes the comparison into the case. Logs are investigated
 * first. Without a policy: the limiters that were found, and suggestions.
 */
final class ReplayCommand implements Command {
    private static final int MEMORY_MEGABYTES = 400;

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("replay");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("CASE|LOGS")
                .index("0..*")
                .arity("1..*")
                .required(true)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("a case folder, as why429 investigate writes it; or logs, which become one")
                .build());
        PolicySources.addTo(spec);
        spec.addOption(Options.flag("also replay what was found, and policies worth trying", "--suggest"));
        spec.addOption(Options.value("DIR", "for logs: the case folder (default why429-case)", "-o", "--output"));
        spec.addOption(Options.flag("for logs: replace an existing case", "--force"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        List<String> inputs = List.copyOf(given.matchedPositionalValue(0, List.<String>of()));
        List<Policy> policies = PolicySources.read(given, terminal);
        Path folder = inputs.size() == 1 && isCase(Path.of(inputs.get(0)))
                ? Path.of(inputs.get(0))
                : investigated(inputs, given, terminal);
        Path json = folder.resolve("case.json");
        Case before = CaseJson.read(json);
        boolean suggest = policies.isEmpty() || given.hasMatchedOption("--suggest");
        List<Case.Replay> replayed = replay(folder.resolve("case.duckdb"), before, policies, suggest, given);
        if (suggest) {
            FoundLimiters.leftOut(before.limiters()).forEach(terminal::say);
        }
        Case after = CaseJson.withReplay(before, merged(before.replay(), replayed));
        replace(json, CaseJson.write(after));
        replace(folder.resolve("report.html"), HtmlReport.of(after));
        terminal.out().print(ReplayText.of(replayed));
        return ExitCode.DONE;
    }

    private static boolean isCase(Path folder) {
        return Files.isRegularFile(folder.resolve("case.json")) && Files.isRegularFile(folder.resolve("case.duckdb"));
    }

    private static Path investigated(List<String> inputs, ParseResult given, Terminal terminal) throws IOException {
        for (String input : inputs) {
            if (!input.equals("-") && !input.contains("*") && !Files.exists(Path.of(input))) {
                throw new InputProblem(
                        InputProblem.Kind.NO_USABLE_INPUT,
                        List.of("\"" + input
                                + "\" is neither a case folder nor a log; why429 investigate makes a case from logs"));
            }
        }
        InvestigationRequest request = InvestigationOptions.plain(
                inputs,
                Path.of(given.matchedOptionValue("--output", "why429-case")),
                given.hasMatchedOption("--force"));
        try (Investigation.Result result = Investigation.run(request, Progress.SILENT)) {
            Case found = result.theCase();
            found.warnings().forEach(warning -> terminal.say("warning: " + warning));
            Files.writeString(result.workFolder().resolve("case.json"), CaseJson.write(found), StandardCharsets.UTF_8);
            Files.writeString(result.workFolder().resolve("report.html"), HtmlReport.of(found), StandardCharsets.UTF_8);
            result.moveIntoPlace();
        }
        return request.caseFolder();
    }

    private static List<Case.Replay> replay(
            Path tables, Case theCase, List<Policy> policies, boolean suggest, ParseResult given) throws IOException {
        Path spill = Files.createTempDirectory("why429-replay");
        try (CaseStore store =
                        CaseStore.read(tables, spill, Runtime.getRuntime().availableProcessors(), MEMORY_MEGABYTES);
                RedisEngine engine = RedisEngine.open(
                        given.matchedOptionValue("--redis", "embedded"), given.hasMatchedOption("--redis-force"))) {
            List<String> components = Stream.concat(
                            theCase.limiters().stream().map(Case.Limiter::component),
                            theCase.denials().classes().stream().map(Case.DenialClass::component))
                    .distinct()
                    .toList();
            List<Policy> all = new ArrayList<>(policies);
            Map<String, String> because = new LinkedHashMap<>();
            if (suggest) {
                for (Suggestions.Suggestion each : Suggestions.of(store, theCase)) {
                    if (because.putIfAbsent(each.policy().text(), each.because()) == null) {
                        all.add(each.policy());
                    }
                }
            }
            List<Case.Replay> replayed = new ArrayList<>();
            if (suggest) {
                replayed.addAll(FoundLimiters.replay(store, theCase.limiters()));
            }
            List<Case.Replay> free = Replay.run(store, all, engine);
            for (int i = 0; i < free.size(); i++) {
                Policy policy = all.get(i);
                replayed.add(free.get(i)
                        .described(
                                Optional.ofNullable(because.get(policy.text())),
                                Configurations.of(policy, components)));
            }
            return replayed;
        } catch (LimiterProblem e) {
            throw new InputProblem(InputProblem.Kind.USAGE, List.of(String.valueOf(e.getMessage())));
        } finally {
            Files.deleteIfExists(spill);
        }
    }

    /** A policy that was replayed before in the same way is replaced in its place. */
    private static List<Case.Replay> merged(List<Case.Replay> before, List<Case.Replay> now) {
        Map<String, Case.Replay> byPolicy = new LinkedHashMap<>();
        before.forEach(each -> byPolicy.put(name(each), each));
        now.forEach(each -> byPolicy.put(name(each), each));
        return List.copyOf(byPolicy.values());
    }

    private static String name(Case.Replay replay) {
        return replay.detail().map(Case.ReplayDetail::mode).orElse("free_running") + " " + replay.policy();
    }

    /** A reader sees the old file or the new one, never half of it. */
    private static void replace(Path file, String text) throws IOException {
        Path part = Files.createTempFile(file.toAbsolutePath().getParent(), "." + file.getFileName(), ".part");
        try {
            Files.writeString(part, text, StandardCharsets.UTF_8);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
