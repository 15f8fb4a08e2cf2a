package dev.why429.cli.render.audit;

import dev.why429.analyzers.audit.AuditFinding;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.rules.Pitfall;
import java.io.PrintWriter;
import java.util.Locale;

/** Text as compilers write it: where, what, the line with a caret, why, how to mend it. */
public final class TextAuditRenderer implements AuditRenderer {
    private static final int MAX_LINE = 140;

    @Override
    public void render(AuditReport report, PrintWriter out) {
        report.findings().forEach(finding -> finding(finding, out));
        for (AuditReport.Unread unread : report.unread()) {
            out.println(printable(unread.place() + ": not read: " + unread.reason()));
        }
        if (!report.unread().isEmpty()) {
            out.println();
        }
        summary(report, out);
        out.flush();
    }

    private static void finding(AuditFinding finding, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%s[%s]: %s%n",
                SarifAuditRenderer.level(finding.severity()),
                finding.rule().id(),
                finding.rule().title());
        out.printf(
                Locale.ROOT,
                "  --> %s:%d%n",
                printable(finding.place().toString()),
                finding.place().column());
        String number = String.valueOf(finding.place().line());
        String source = finding.sourceLine().replace('\t', ' ');
        int column = finding.place().column();
        if (!source.isBlank() && column <= MAX_LINE) {
            String shown = source.length() > MAX_LINE ? source.substring(0, MAX_LINE) + "…" : source;
            out.printf(Locale.ROOT, "   %s | %s%n", number, printable(shown));
            out.printf(Locale.ROOT, "   %s | %s^%n", " ".repeat(number.length()), " ".repeat(column - 1));
        }
        out.println("   = " + printable(finding.message()));
        for (AuditFinding.Related related : finding.related()) {
            out.println("   = see " + printable(related.place() + ": " + related.shows()));
        }
        out.println("   = why: " + finding.rule().why());
        lines("   = expected: ", finding.rule().good(), out);
        lines("   = fix: ", finding.rule().fix(), out);
        out.println(
                "   = silence: why429: ignore[" + finding.rule().id() + "] <reason>, in a comment above; right when: "
                        + finding.rule().silence().strip());
        out.println();
    }

    private static void lines(String lead, String text, PrintWriter out) {
        out.println(lead + text.strip().replace("\n", "\n" + " ".repeat(lead.length())));
    }

    private static void summary(AuditReport report, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%d files read of %d, %d limiters recognised: %d errors, %d warnings, %d notes; %d silenced, %d known, %d not read%n",
                report.filesRead(),
                report.filesSeen(),
                report.limits().size(),
                count(report, Pitfall.Severity.HIGH),
                count(report, Pitfall.Severity.MEDIUM),
                count(report, Pitfall.Severity.LOW) + count(report, Pitfall.Severity.INFO),
                report.silenced().size(),
                report.known().size(),
                report.unread().size());
    }

    private static long count(AuditReport report, Pitfall.Severity severity) {
        return report.findings().stream().filter(f -> f.severity() == severity).count();
    }

    /** Text of others must not steer the terminal. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(point -> {
            boolean steers = Character.isISOControl(point) || Character.getType(point) == Character.FORMAT;
            out.appendCodePoint(steers ? 0xFFFD : point);
        });
        return out.toString();
    }
}
