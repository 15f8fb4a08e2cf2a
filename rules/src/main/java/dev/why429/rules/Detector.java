package dev.why429.rules;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * What one kind of incident looks like in the tables of a case.
 *
 * @param id the kind, as {@code case.json} names it
 * @param summary one sentence in which {@code {name}} stands for a number, a field of the subject, {@code {limiter}} or {@code {explained}}
 * @param pitfall the pitfall behind it
 * @param subject fields that say whom a finding is about: columns {@code subject_<field>} of the result
 * @param needs what must be there before anything can be said
 * @param sql the question to the tables, empty where code asks it
 * @param toldSql a second question, asked where the first sees nothing: what limiters themselves told, in headers and messages
 */
public record Detector(
        String id,
        String title,
        String summary,
        Severity severity,
        Optional<String> pitfall,
        List<String> subject,
        List<Figure> numbers,
        List<Need> needs,
        String wouldDisprove,
        String operatorFix,
        String clientFix,
        Optional<String> sql,
        Optional<String> toldSql) {

    /** @param highFromShare share of all denials, 0 to 1, from which on the finding is high */
    public record Severity(String normally, OptionalDouble highFromShare) {}

    /** @param unit empty where it has none or its name says it */
    public record Figure(String name, Type type, String unit, String meaning) {}

    /** How a number is read from the result. */
    public enum Type {
        NUMBER,
        /** from the columns {@code <name>_low} and {@code <name>_high} */
        INTERVAL,
        TEXT,
        /** one entry a line */
        LIST,
        /** one {@code key=number} a line */
        MAP
    }

    /**
     * @param orTables tables of which a row will do as well
     * @param anyOf columns of which one must hold a value; empty: any row will do
     * @param atLeast rows that must be there
     * @param wouldNeed the one log field that would allow it
     */
    public record Need(
            String table, List<String> orTables, List<String> anyOf, int atLeast, String reason, String wouldNeed) {}

    static Detector from(RuleFile file, YamlDocument document, List<RuleProblem> problems) {
        JsonNode tree = document.tree();
        JsonNode severity = tree.path("severity");
        JsonNode share = severity.path("high_from_share");
        return new Detector(
                file.id(),
                tree.path("title").asString(),
                tree.path("summary").asString(),
                new Severity(
                        severity.path("normally").asString(),
                        share.isNumber() ? OptionalDouble.of(share.asDouble()) : OptionalDouble.empty()),
                tree.has("pitfall") ? Optional.of(tree.path("pitfall").asString()) : Optional.empty(),
                texts(tree.path("subject")),
                tree.path("numbers").valueStream().map(Detector::figure).toList(),
                tree.path("needs").valueStream().map(Detector::need).toList(),
                tree.path("would_disprove").asString(),
                tree.path("fix").path("operator").asString(),
                tree.path("fix").path("client").asString(),
                file.beside("detect.sql"),
                file.beside("told.sql"));
    }

    private static Figure figure(JsonNode node) {
        String type = node.has("type") ? node.path("type").asString() : "number";
        return new Figure(
                node.path("name").asString(),
                Type.valueOf(type.toUpperCase(java.util.Locale.ROOT)),
                node.path("unit").asString(""),
                node.path("meaning").asString());
    }

    private static Need need(JsonNode node) {
        return new Need(
                node.path("table").asString(),
                texts(node.path("or_tables")),
                texts(node.path("any_of")),
                node.path("at_least").asInt(1),
                node.path("reason").asString(),
                node.path("would_need").asString());
    }

    private static List<String> texts(JsonNode node) {
        return node.valueStream().map(JsonNode::asString).toList();
    }
}
