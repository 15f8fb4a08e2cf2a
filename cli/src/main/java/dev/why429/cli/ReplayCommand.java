package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.replay.LimiterProblem;
import dev.why429.analyzers.replay.Policy;
import dev.why429.analyzers.replay.RedisEngine;
import dev.why429.analyzers.replay.Replay;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.cli.render.CaseJson;
import dev.why429.cli.render.TextAnswer;
import dev.why429.cli.render.html.HtmlReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 replay CASE}: what other limiters would have done with a case's traffic; writes the comparison into the case. */
final class ReplayCommand implements Command {
    private static final int MEMORY_MEGABYTES = 400;

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("replay");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("CASE")
                .index("0")
                .required(true)
                .type(String.class)
                .description("a case folder, as why429 investigate writes it")
                .build());
        spec.addOption(Options.values(
                "POLICY", "for example token-bucket:rate=20/s,burst=40,key=api_key; repeatable", "--policy"));
        spec.addOption(Options.value(
                "embedded|URI|none", "the Redis that confirms each decision (default embedded)", "--redis"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        Path folder = Path.of(given.matchedPositionalValue(0, ""));
        Path json = folder.resolve("case.json");
        Path tables = folder.resolve("case.duckdb");
        if (!Files.isRegularFile(json) || !Files.isRegularFile(tables)) {
            throw new InputProblem(
                    InputProblem.Kind.NO_USABLE_INPUT,
                    List.of("\"" + folder + "\" is no case folder; why429 investigate makes one from logs"));
        }
        List<String> texts = given.matchedOptionValue("--policy", List.of());
        if (texts.isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("no policy is given; for example --policy token-bucket:rate=20/s,burst=40,key=api_key"));
        }
        List<Policy> policies = Policy.parseAll(List.copyOf(texts));
        Case before = CaseJson.read(json);
        List<Case.Replay> replayed = replay(tables, policies, given.matchedOptionValue("--redis", "embedded"));
        Case after = CaseJson.withReplay(before, merged(before.replay(), replayed));
        replace(json, CaseJson.write(after));
        replace(folder.resolve("report.html"), HtmlReport.of(after));
        terminal.out().print(TextAnswer.replays(replayed));
        return ExitCode.DONE;
    }

    private static List<Case.Replay> replay(Path tables, List<Policy> policies, String redis) throws IOException {
        Path spill = Files.createTempDirectory("why429-replay");
        try (CaseStore store =
                        CaseStore.read(tables, spill, Runtime.getRuntime().availableProcessors(), MEMORY_MEGABYTES);
                RedisEngine engine = RedisEngine.open(redis)) {
            return Replay.run(store, policies, engine);
        } catch (LimiterProblem e) {
            throw new InputProblem(InputProblem.Kind.USAGE, List.of(String.valueOf(e.getMessage())));
        } finally {
            Files.deleteIfExists(spill);
        }
    }

    /** A policy that was replayed before is replaced in its place. */
    private static List<Case.Replay> merged(List<Case.Replay> before, List<Case.Replay> now) {
        Map<String, Case.Replay> byPolicy = new LinkedHashMap<>();
        before.forEach(each -> byPolicy.put(each.policy(), each));
        now.forEach(each -> byPolicy.put(each.policy(), each));
        return List.copyOf(byPolicy.values());
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
