package dev.why429.cli.render.audit;

import dev.why429.analyzers.audit.AuditFinding;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.analyzers.audit.Place;
import dev.why429.rules.Pitfall;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** SARIF 2.1.0: the limiter as location, the conditions that break it as related locations, silenced findings as suppressed results. */
public final class SarifAuditRenderer implements AuditRenderer {
    private static final String SCHEMA =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

    private final ObjectMapper json =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private final String version;

    /** @param version of the program */
    public SarifAuditRenderer(String version) {
        this.version = version;
    }

    @Override
    public void render(AuditReport report, PrintWriter out) {
        ObjectNode root = json.createObjectNode();
        root.put("$schema", SCHEMA);
        root.put("version", "2.1.0");
        ObjectNode run = root.putArray("runs").addObject();
        ObjectNode driver = run.putObject("tool").putObject("driver");
        driver.put("name", "why429");
        driver.put("version", version);
        Map<String, Integer> ruleIndex = rules(report, driver.putArray("rules"));
        run.put("columnKind", "utf16CodeUnits");
        ArrayNode results = run.putArray("results");
        report.findings().forEach(finding -> result(results, finding, ruleIndex));
        report.silenced().forEach(silenced -> {
            ObjectNode suppression = result(results, silenced.finding(), ruleIndex)
                    .putArray("suppressions")
                    .addObject();
            suppression.put("kind", "inSource");
            if (!silenced.reason().isEmpty()) {
                suppression.put("justification", silenced.reason());
            }
        });
        report.known()
                .forEach(finding -> result(results, finding, ruleIndex)
                        .putArray("suppressions")
                        .addObject()
                        .put("kind", "external"));
        notifications(report, run.putArray("invocations").addObject());
        out.println(json.writeValueAsString(root));
        out.flush();
    }

    private static Map<String, Integer> rules(AuditReport report, ArrayNode into) {
        Map<String, Integer> index = new LinkedHashMap<>();
        List<AuditFinding> all = new ArrayList<>(report.findings());
        report.silenced().forEach(silenced -> all.add(silenced.finding()));
        all.addAll(report.known());
        for (AuditFinding finding : all) {
            Pitfall rule = finding.rule();
            if (index.putIfAbsent(rule.id(), index.size()) == null) {
                ObjectNode node = into.addObject();
                node.put("id", rule.id());
                node.putObject("shortDescription").put("text", rule.title());
                node.putObject("fullDescription").put("text", rule.what() + " " + rule.why());
                ObjectNode help = node.putObject("help");
                help.put("text", rule.why() + "\nFix: " + rule.fix());
                help.put("markdown", markdown(rule));
                node.putObject("defaultConfiguration").put("level", level(rule.severity()));
            }
        }
        return index;
    }

    private static String markdown(Pitfall rule) {
        return rule.why() + "\n\n**Bad**\n```\n" + rule.bad() + "\n```\n**Good**\n```\n" + rule.good()
                + "\n```\n**Fix**\n```\n"
                + rule.fix() + "\n```\nSilence with `why429: ignore[" + rule.id() + "] reason` in a comment when: "
                + rule.silence();
    }

    private static ObjectNode result(ArrayNode into, AuditFinding finding, Map<String, Integer> ruleIndex) {
        ObjectNode node = into.addObject();
        node.put("ruleId", finding.rule().id());
        node.put("ruleIndex", ruleIndex.get(finding.rule().id()));
        node.put("level", level(finding.severity()));
        node.putObject("message").put("text", finding.message());
        location(node.putArray("locations").addObject(), finding.place());
        if (!finding.related().isEmpty()) {
            ArrayNode related = node.putArray("relatedLocations");
            for (AuditFinding.Related place : finding.related()) {
                ObjectNode one = related.addObject();
                one.put("id", related.size());
                location(one, place.place());
                one.putObject("message").put("text", place.shows());
            }
        }
        node.putObject("partialFingerprints").put("why429/v1", finding.fingerprint());
        return node;
    }

    private static void location(ObjectNode into, Place place) {
        ObjectNode physical = into.putObject("physicalLocation");
        physical.putObject("artifactLocation").put("uri", uri(place.file()));
        ObjectNode region = physical.putObject("region");
        region.put("startLine", place.line());
        region.put("startColumn", place.column());
    }

    private static String uri(String path) {
        try {
            return new java.net.URI(null, null, path, null).getRawPath();
        } catch (java.net.URISyntaxException e) {
            return path;
        }
    }

    private static void notifications(AuditReport report, ObjectNode invocation) {
        invocation.put("executionSuccessful", true);
        ArrayNode list = invocation.putArray("toolExecutionNotifications");
        for (AuditReport.Unread unread : report.unread()) {
            ObjectNode note = list.addObject();
            note.put("level", "warning");
            note.putObject("message").put("text", "not read: " + unread.reason());
            location(note.putArray("locations").addObject(), unread.place());
        }
    }

    static String level(Pitfall.Severity severity) {
        return switch (severity) {
            case HIGH -> "error";
            case MEDIUM -> "warning";
            case LOW, INFO -> "note";
        };
    }
}
