package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.replay.InventedTraffic;
import dev.why429.analyzers.replay.Policy;
import dev.why429.analyzers.replay.RedisEngine;
import dev.why429.analyzers.replay.Replay;
import dev.why429.analyzers.replay.RequestStream;
import dev.why429.cli.render.ReplayText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 simulate}: what a limit would do to traffic that is described and not logged. */
final class SimulateCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("simulate");
        PolicySources.addTo(spec);
        spec.addOption(Options.value(
                "TRAFFIC",
                "poisson:50/s or even:50/s, then burst=200, every=60s, for=300s, clients=5, seed=1",
                "--traffic"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) {
        List<Policy> policies = PolicySources.read(given, terminal);
        String traffic = given.matchedOptionValue("--traffic", "");
        List<String> missing = new ArrayList<>();
        if (policies.isEmpty()) {
            missing.add("no policy is given; for example --policy token-bucket:rate=20/s,burst=40");
        }
        if (traffic.isEmpty()) {
            missing.add("no traffic is given; for example --traffic poisson:50/s,burst=200,every=60s,clients=5");
        }
        if (!missing.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, missing);
        }
        RequestStream requests = InventedTraffic.parse(traffic);
        try (RedisEngine engine = RedisEngine.open(
                given.matchedOptionValue("--redis", "embedded"), given.hasMatchedOption("--redis-force"))) {
            List<Case.Replay> replays = policies.stream()
                    .map(policy -> Replay.replay(InventedTraffic.under(requests, policy), policy, engine)
                            .summary())
                    .toList();
            terminal.out().print(ReplayText.simulated(replays));
        }
        return ExitCode.DONE;
    }
}
