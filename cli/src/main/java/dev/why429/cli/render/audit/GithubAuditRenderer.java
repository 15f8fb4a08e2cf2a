package dev.why429.cli.render.audit;

import dev.why429.analyzers.audit.AuditFinding;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.cli.Printable;
import java.io.PrintWriter;
import java.util.stream.Collectors;

/** Workflow commands that GitHub shows beside the changed lines: {@code ::error file=…,line=…,title=…::message}. */
public final class GithubAuditRenderer implements AuditRenderer {
    @Override
    public void render(AuditReport report, PrintWriter out) {
        for (AuditFinding finding : report.findings()) {
            String command = switch (finding.severity()) {
                case HIGH -> "error";
                case MEDIUM -> "warning";
                case LOW, INFO -> "notice";
            };
            String see = finding.related().stream()
                    .map(r -> "\nsee " + r.place() + ": " + r.shows())
                    .collect(Collectors.joining());
            out.println("::" + command + " file=" + property(finding.place().file())
                    + ",line=" + finding.place().line() + ",col="
                    + finding.place().column() + ",title="
                    + property("why429 " + finding.rule().id() + ": "
                            + finding.rule().title()) + "::"
                    + data(finding.message() + see + "\nfix: " + finding.rule().fix()));
        }
        for (AuditReport.Unread unread : report.unread()) {
            out.println("::notice file=" + property(unread.place().file()) + ",line="
                    + unread.place().line() + ",title=why429 could not read this::" + data(unread.reason()));
        }
        out.flush();
    }

    private static String data(String text) {
        return Printable.of(
                text.strip().replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"));
    }

    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }
}
