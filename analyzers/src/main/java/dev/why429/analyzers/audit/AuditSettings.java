package dev.why429.analyzers.audit;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.UnreadableException;
import dev.why429.analyzers.audit.read.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A repository's own wishes, {@code why429.yaml}: {@code select}, {@code ignore}, {@code exclude} (lists), {@code baseline}, {@code fail_on}.
 * The command line wins over it.
 */
public record AuditSettings(
        List<String> select,
        List<String> ignore,
        List<String> exclude,
        Optional<String> baseline,
        Optional<AuditReport.FailOn> failOn) {
    private static final Set<String> KEYS = Set.of("select", "ignore", "exclude", "baseline", "fail_on");
    private static final int MAX_BYTES = 256 * 1024;

    public AuditSettings {
        select = List.copyOf(select);
        ignore = List.copyOf(ignore);
        exclude = List.copyOf(exclude);
    }

    public static AuditSettings none() {
        return new AuditSettings(List.of(), List.of(), List.of(), Optional.empty(), Optional.empty());
    }

    /** @throws InputProblem with every problem of the file, each with its line */
    public static AuditSettings read(Path file) {
        String text;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw problem(List.of("\"" + file + "\" is larger than " + MAX_BYTES / 1024 + " KiB"));
            }
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw problem(List.of("\"" + file
                    + "\" cannot be read; give a YAML file with select, ignore, exclude, baseline or fail_on"));
        }
        List<UnreadableException> faults = new ArrayList<>();
        List<ConfigNode> documents = YamlReader.read(new SourceFile(file.toString(), text), faults);
        List<String> problems = new ArrayList<>();
        faults.forEach(fault -> problems.add(fault.place() + ": " + fault.getMessage()));
        AuditSettings settings = none();
        for (ConfigNode document : documents) {
            settings = of(document, problems);
        }
        if (!problems.isEmpty()) {
            throw problem(problems);
        }
        return settings;
    }

    private static AuditSettings of(ConfigNode document, List<String> problems) {
        for (ConfigNode.Entry entry : document.entries()) {
            if (!KEYS.contains(entry.key())) {
                problems.add(entry.place() + ": \"" + entry.key()
                        + "\" is no setting; known are select, ignore, exclude, baseline, fail_on");
            }
        }
        Optional<AuditReport.FailOn> failOn = Optional.empty();
        Optional<ConfigNode.Entry> level = document.entry("fail_on");
        if (level.isPresent()) {
            failOn = level(level.get().value().text());
            if (failOn.isEmpty()) {
                problems.add(level.get().place() + ": fail_on: \""
                        + level.get().value().text() + "\" is none of error, warning, note, never");
            }
        }
        Optional<String> baseline = document.get("baseline").map(ConfigNode::text);
        return new AuditSettings(
                words(document, "select", problems),
                words(document, "ignore", problems),
                words(document, "exclude", problems),
                baseline,
                failOn);
    }

    private static Optional<AuditReport.FailOn> level(String word) {
        for (AuditReport.FailOn one : AuditReport.FailOn.values()) {
            if (one.name().toLowerCase(Locale.ROOT).equals(word)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    private static List<String> words(ConfigNode document, String key, List<String> problems) {
        Optional<ConfigNode> list = document.get(key);
        if (list.isEmpty()) {
            return List.of();
        }
        if (list.get().kind() != ConfigNode.Kind.LIST) {
            problems.add(list.get().place() + ": " + key + " wants a list, as in " + key + ": [status-not-429]");
            return List.of();
        }
        return list.get().items().stream().map(ConfigNode::text).toList();
    }

    private static InputProblem problem(List<String> problems) {
        return new InputProblem(InputProblem.Kind.USAGE, problems);
    }
}
