package dev.why429.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A reference limiter: a script for Redis and what must be known about it.
 *
 * @param id folder in {@code rules/limiters}
 * @param algorithm the family, by its name in case-v1
 * @param policy an example for {@code --policy}
 * @param parameters what the script wants as ARGV from the fourth on
 * @param configurations how others' software is told to do the same
 * @param script text of {@code limiter.lua}; KEYS[1] is the key, ARGV mode, now_us, cost, then the parameters
 */
public record LimiterRule(
        String id,
        String title,
        String algorithm,
        String summary,
        String policy,
        List<Parameter> parameters,
        List<ErrorCode> errors,
        Page page,
        List<Configuration> configurations,
        String script) {

    /** A whole number that the script takes. */
    public record Parameter(String name, String unit, String meaning) {}

    /** A refusal to decide, as opposed to a denial. */
    public record ErrorCode(String code, String meaning) {}

    /**
     * What whoever takes the script into production must know.
     *
     * @param limits what it does not do
     */
    public record Page(
            List<String> guarantees,
            String memoryPerKey,
            String cluster,
            String onFailure,
            List<String> headers,
            List<String> limits) {}

    /**
     * A template: {@code {rate}}, {@code {burst}}, {@code {limit}}, {@code {window_seconds}}, {@code {key}} and the like stand for a policy's numbers.
     *
     * @param component part of the component's name, in lower case
     * @param keys how the software writes a field to count by
     */
    public record Configuration(String component, java.util.Map<String, String> keys, String text) {}

    static LimiterRule from(RuleFile file, YamlDocument document, List<RuleProblem> problems) {
        JsonNode tree = document.tree();
        Optional<String> script = file.beside("limiter.lua");
        if (script.isEmpty()) {
            problems.add(new RuleProblem(file.path(), 0, "there is no \"limiter.lua\" beside it"));
        }
        List<Parameter> parameters = new ArrayList<>();
        for (JsonNode entry : tree.path("parameters")) {
            parameters.add(new Parameter(text(entry, "name"), text(entry, "unit"), text(entry, "meaning")));
        }
        List<ErrorCode> errors = new ArrayList<>();
        for (JsonNode entry : tree.path("errors")) {
            errors.add(new ErrorCode(text(entry, "code"), text(entry, "meaning")));
        }
        List<Configuration> configurations = new ArrayList<>();
        for (JsonNode entry : tree.path("configurations")) {
            java.util.Map<String, String> keys = new java.util.HashMap<>();
            entry.path("keys")
                    .properties()
                    .forEach(key -> keys.put(key.getKey(), key.getValue().asString()));
            configurations.add(
                    new Configuration(text(entry, "component"), java.util.Map.copyOf(keys), text(entry, "text")));
        }
        JsonNode page = tree.path("page");
        return new LimiterRule(
                file.id(),
                text(tree, "title"),
                text(tree, "algorithm"),
                text(tree, "summary"),
                text(tree, "policy"),
                List.copyOf(parameters),
                List.copyOf(errors),
                new Page(
                        texts(page, "guarantees"),
                        text(page, "memory_per_key"),
                        text(page, "cluster"),
                        text(page, "on_failure"),
                        texts(page, "headers"),
                        texts(page, "limits")),
                List.copyOf(configurations),
                script.orElse(""));
    }

    private static String text(JsonNode node, String key) {
        return node.path(key).asString("");
    }

    private static List<String> texts(JsonNode node, String key) {
        List<String> texts = new ArrayList<>();
        node.path(key).forEach(entry -> texts.add(entry.asString()));
        return List.copyOf(texts);
    }
}
