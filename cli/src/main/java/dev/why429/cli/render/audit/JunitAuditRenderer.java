package dev.why429.cli.render.audit;

import dev.why429.analyzers.audit.AuditFinding;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.cli.Printable;
import java.io.PrintWriter;
import java.util.stream.Collectors;

/** JUnit's XML: every finding is a failed test, every silenced one a skipped test; an audit without findings is one that passed. */
public final class JunitAuditRenderer implements AuditRenderer {
    @Override
    public void render(AuditReport report, PrintWriter out) {
        int failures = report.findings().size();
        int skipped = report.silenced().size();
        int passed = failures + skipped == 0 ? 1 : 0;
        out.println("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        out.println("<testsuites>");
        out.println("  <testsuite name=\"why429 audit\" tests=\"" + (failures + skipped + passed) + "\" failures=\""
                + failures + "\" errors=\"0\" skipped=\"" + skipped + "\">");
        report.findings().forEach(finding -> {
            open(finding, out);
            out.println("      <failure type=\"" + SarifAuditRenderer.level(finding.severity()) + "\" message=\""
                    + xml(finding.message()) + "\">" + xml(body(finding)) + "</failure>");
            out.println("    </testcase>");
        });
        report.silenced().forEach(silenced -> {
            open(silenced.finding(), out);
            out.println("      <skipped message=\"" + xml(silenced.reason()) + "\"/>");
            out.println("    </testcase>");
        });
        if (passed > 0) {
            out.println("    <testcase classname=\"why429\" name=\"no pitfall in " + report.filesRead() + " files\"/>");
        }
        out.println("  </testsuite>");
        out.println("</testsuites>");
        out.flush();
    }

    private static void open(AuditFinding finding, PrintWriter out) {
        out.println("    <testcase classname=\"" + xml(finding.rule().id()) + "\" name=\""
                + xml(finding.place().toString()) + "\" file=\""
                + xml(finding.place().file()) + "\" line=\""
                + finding.place().line() + "\">");
    }

    private static String body(AuditFinding finding) {
        return finding.place() + "\n" + finding.sourceLine().strip() + "\n"
                + finding.related().stream()
                        .map(r -> "see " + r.place() + ": " + r.shows() + "\n")
                        .collect(Collectors.joining())
                + "fix: " + finding.rule().fix();
    }

    /** What would steer a terminal is made visible: XML 1.0 may not hold most of it, not even escaped. */
    private static String xml(String text) {
        return text.lines()
                .map(line -> Printable.of(line.replace('\t', ' '))
                        .replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("\"", "&quot;"))
                .collect(Collectors.joining("&#10;"));
    }
}
