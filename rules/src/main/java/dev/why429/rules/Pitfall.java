package dev.why429.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * What a limiter that cannot do its work looks like in one technology, and how to mend it. The reasoning that recognises it is code; this is
 * its text.
 *
 * @param technology folder above the rule: {@code nginx}, {@code node}, {@code redis}
 * @param id class of pitfall; several technologies may share one
 * @param severity how bad it is when both facts, the limiter and the condition that breaks it, are known
 * @param fix text to paste, or the change in words
 * @param silence when it is right to ignore it
 */
public record Pitfall(
        String technology,
        String id,
        String title,
        Severity severity,
        String what,
        String why,
        String bad,
        String good,
        String fix,
        String silence,
        List<String> sources) {
    /** From worst to mildest. */
    public enum Severity {
        HIGH,
        MEDIUM,
        LOW,
        INFO
    }

    static Pitfall from(RuleFile file, YamlDocument document, List<RuleProblem> problems) {
        JsonNode tree = document.tree();
        String[] folders = file.folder().split("/", -1);
        List<String> sources = new ArrayList<>();
        tree.path("sources").forEach(source -> sources.add(source.asString()));
        return new Pitfall(
                folders[folders.length - 2],
                file.id(),
                text(tree, "title"),
                Severity.valueOf(text(tree, "severity").toUpperCase(Locale.ROOT)),
                text(tree, "what"),
                text(tree, "why"),
                text(tree, "bad"),
                text(tree, "good"),
                text(tree, "fix"),
                text(tree, "silence"),
                List.copyOf(sources));
    }

    private static String text(JsonNode tree, String key) {
        return tree.path(key).asString("").strip();
    }
}
