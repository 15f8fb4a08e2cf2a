package dev.why429.rules;

import java.util.List;

/** How a line of one log format is written. */
public record Format(String id, String title) {
    static Format from(RuleFile file, YamlDocument document, List<RuleProblem> problems) {
        return new Format(file.id(), document.tree().path("title").asString());
    }
}
