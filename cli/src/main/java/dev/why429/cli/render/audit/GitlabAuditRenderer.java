package dev.why429.cli.render.audit;

import dev.why429.analyzers.audit.AuditFinding;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.cli.Printable;
import dev.why429.rules.Pitfall;
import java.io.PrintWriter;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** GitLab's code quality report: one object a finding, its fingerprint the one that the baseline knows. */
public final class GitlabAuditRenderer implements AuditRenderer {
    private final ObjectMapper json =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Override
    public void render(AuditReport report, PrintWriter out) {
        ArrayNode root = json.createArrayNode();
        for (AuditFinding finding : report.findings()) {
            ObjectNode node = root.addObject();
            node.put("description", finding.rule().title() + ": " + Printable.of(finding.message()));
            node.put("check_name", finding.rule().id());
            node.put("fingerprint", finding.fingerprint());
            node.put("severity", severity(finding.severity()));
            ObjectNode location = node.putObject("location");
            location.put("path", Printable.of(finding.place().file()));
            location.putObject("lines").put("begin", finding.place().line());
        }
        out.println(json.writeValueAsString(root));
        out.flush();
    }

    private static String severity(Pitfall.Severity severity) {
        return switch (severity) {
            case HIGH -> "critical";
            case MEDIUM -> "major";
            case LOW -> "minor";
            case INFO -> "info";
        };
    }
}
