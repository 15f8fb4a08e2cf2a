package dev.why429.cli.render.audit;

import dev.why429.analyzers.audit.AuditFinding;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.limit.DeclaredLimit;
import dev.why429.cli.Printable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Everything that an audit knows, for programs: findings, what was silenced or known, the limits declared, what was not read. */
public final class JsonAuditRenderer implements AuditRenderer {
    private final ObjectMapper json =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Override
    public void render(AuditReport report, PrintWriter out) {
        ObjectNode root = json.createObjectNode();
        root.put("files_seen", report.filesSeen());
        root.put("files_read", report.filesRead());
        findings(root.putArray("findings"), report.findings());
        ArrayNode silenced = root.putArray("silenced");
        report.silenced().forEach(one -> {
            ObjectNode node = finding(silenced, one.finding());
            place(node.putObject("comment"), one.comment());
            node.put("reason", Printable.of(one.reason()));
        });
        findings(root.putArray("known"), report.known());
        ArrayNode limits = root.putArray("limits");
        report.limits().forEach(limit -> limit(limits.addObject(), limit));
        ArrayNode unread = root.putArray("unread");
        report.unread().forEach(one -> {
            ObjectNode node = unread.addObject();
            place(node, one.place());
            node.put("reason", Printable.of(one.reason()));
        });
        out.println(json.writeValueAsString(root));
        out.flush();
    }

    private static void findings(ArrayNode into, List<AuditFinding> findings) {
        findings.forEach(finding -> finding(into, finding));
    }

    private static ObjectNode finding(ArrayNode into, AuditFinding finding) {
        ObjectNode node = into.addObject();
        node.put("pitfall", finding.rule().id());
        node.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
        node.put("title", finding.rule().title());
        node.put("message", Printable.of(finding.message()));
        place(node, finding.place());
        node.put("source", Printable.of(finding.sourceLine().replace('\t', ' ')));
        ArrayNode related = node.putArray("related");
        finding.related().forEach(one -> {
            ObjectNode child = related.addObject();
            place(child, one.place());
            child.put("shows", Printable.of(one.shows()));
        });
        node.put("why", finding.rule().why());
        node.put("good", finding.rule().good());
        node.put("fix", finding.rule().fix());
        node.put("silence", finding.rule().silence());
        node.put("fingerprint", finding.fingerprint());
        return node;
    }

    private static void place(ObjectNode node, Place place) {
        node.put("file", Printable.of(place.file()));
        node.put("line", place.line());
        node.put("column", place.column());
    }

    private static void limit(ObjectNode node, DeclaredLimit limit) {
        node.put("technology", limit.technology());
        node.put("name", Printable.of(limit.name()));
        node.put("algorithm", limit.algorithm().name().toLowerCase(Locale.ROOT));
        number(node, "limit", limit.limit());
        number(node, "window_seconds", limit.windowSeconds());
        number(node, "rate_per_second", limit.perSecond());
        number(node, "burst", limit.burst());
        node.put("key", Printable.of(limit.key()));
        node.put("store", limit.store().name().toLowerCase(Locale.ROOT));
        limit.status().ifPresent(status -> node.put("status", status));
        place(node, limit.place());
    }

    private static void number(ObjectNode node, String name, OptionalDouble value) {
        value.ifPresent(number -> node.put(name, number));
    }
}
