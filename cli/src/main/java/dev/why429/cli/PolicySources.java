package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.limit.DeclaredLimit;
import dev.why429.analyzers.audit.limit.DeclaredLimits;
import dev.why429.analyzers.replay.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Where policies come from: the command line, a file, limiter configuration. Mistakes of all are told at once. */
final class PolicySources {
    private PolicySources() {}

    static void addTo(CommandSpec spec) {
        spec.addOption(Options.values(
                "POLICY", "for example token-bucket:rate=20/s,burst=40,key=api_key; repeatable", "--policy"));
        spec.addOption(Options.values("FILE", "policies, one a line; # begins a remark; repeatable", "--policy-file"));
        spec.addOption(Options.values(
                "PATH",
                "limiter configuration or code: what it declares is a policy too; repeatable",
                "--limiter-config"));
        spec.addOption(Options.value(
                "embedded|URI|none", "the Redis that confirms each decision (default embedded)", "--redis"));
        spec.addOption(Options.flag("use a Redis even if it looks like one that others need", "--redis-force"));
    }

    static List<Policy> read(ParseResult given, Terminal terminal) {
        Set<String> texts = new LinkedHashSet<>(given.matchedOptionValue("--policy", List.<String>of()));
        for (String file : given.matchedOptionValue("--policy-file", List.<String>of())) {
            texts.addAll(lines(file));
        }
        for (String path : given.matchedOptionValue("--limiter-config", List.<String>of())) {
            texts.addAll(declared(path, terminal));
        }
        return Policy.parseAll(new ArrayList<>(texts));
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .map(line -> line.replaceFirst("(^|\\s)#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("--policy-file: \"" + file + "\" cannot be read as text; expected a policy a line"));
        }
    }

    private static List<String> declared(String path, Terminal terminal) {
        List<String> texts = new ArrayList<>();
        for (DeclaredLimit limit : DeclaredLimits.read(Path.of(path)).limits()) {
            if (limit.policy().isPresent()) {
                texts.add(limit.policy().get() + ",key=" + key(limit.key()));
            } else {
                terminal.say("warning: " + limit.place() + " declares " + limit.budget()
                        + ", which is too little to replay it");
            }
        }
        return texts;
    }

    /** What a policy counts by for a key as configurations write it; an address where it is not told. */
    private static String key(String written) {
        String text = written.toLowerCase(Locale.ROOT);
        if ((text.contains("api") && text.contains("key")) || text.contains("consumer")) {
            return "api_key";
        }
        if (text.contains("user") && !text.contains("agent")) {
            return "user";
        }
        return text.contains("tenant") ? "tenant" : "client_ip";
    }
}
