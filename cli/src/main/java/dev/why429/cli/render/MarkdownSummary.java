package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.Printable;
import java.util.Comparator;
import java.util.List;

/**
 * The answer as Markdown, for a pull request, a ticket or a chat. What comes out of logs is escaped: it formats nothing, links nowhere and
 * calls nobody.
 */
public final class MarkdownSummary {
    private static final int MOST_CAUSES = 6;
    private static final int MOST_BLIND_SPOTS = 5;
    private static final String ACTIVE = "\\`*_[]#!|<>~&$";

    private final Case theCase;
    private final StringBuilder text = new StringBuilder();

    private MarkdownSummary(Case theCase) {
        this.theCase = theCase;
    }

    /** The whole text, with a line end at its end. */
    public static String of(Case theCase) {
        return new MarkdownSummary(theCase).write();
    }

    private String write() {
        line("## " + escaped(theCase.verdict().sentence()));
        line("");
        line(Wording.count(theCase.denials().total()) + " of "
                + Wording.count(theCase.requests().total()) + " requests denied"
                + theCase.span()
                        .map(span -> ", " + escaped(span.from().toString()) + " to "
                                + escaped(span.to().toString()))
                        .orElse("")
                + "; confidence " + Wording.share(theCase.verdict().confidence()) + ".");
        glance();
        denials();
        limiters();
        causes();
        blindSpots();
        return text.toString();
    }

    private void glance() {
        List<Glance.Fact> facts = Glance.of(theCase);
        if (!facts.isEmpty()) {
            line("");
            facts.forEach(fact -> line(
                    "- **" + fact.question() + ":** " + escaped(fact.answer()) + " (" + escaped(fact.more()) + ")"));
        }
    }

    private void denials() {
        if (theCase.denials().classes().isEmpty()) {
            return;
        }
        line("");
        line("| Layer | Component | Reason | Denied | Confidence |");
        line("| --- | --- | --- | ---: | ---: |");
        theCase.denials().classes().stream()
                .sorted(Comparator.comparingLong(Case.DenialClass::count).reversed())
                .forEach(each ->
                        line("| " + escaped(Wording.words(each.layer())) + " | " + escaped(each.component()) + " | "
                                + escaped(Wording.words(each.reason())) + " | " + Wording.count(each.count()) + " | "
                                + Wording.share(each.confidence()) + " |"));
    }

    private void limiters() {
        if (theCase.limiters().isEmpty()) {
            return;
        }
        line("");
        line("| Limiter | Counts by | Declared | Effective | Agrees |");
        line("| --- | --- | --- | --- | ---: |");
        theCase.limiters()
                .forEach(each -> line("| " + escaped(each.id() + " " + each.component()) + " | "
                        + escaped(Wording.key(each.key())) + " | "
                        + each.declared()
                                .map(declared -> escaped(declared.text()))
                                .orElse("nothing known") + " | "
                        + escaped(Wording.parameters(each)) + " | " + Wording.share(each.agreement()) + " |"));
    }

    private void causes() {
        if (theCase.findings().isEmpty()) {
            return;
        }
        line("");
        line("### Causes");
        line("");
        int number = 1;
        for (Case.Finding finding :
                theCase.findings().stream().limit(MOST_CAUSES).toList()) {
            line(number++ + ". **" + escaped(finding.title()) + "** (" + escaped(finding.severity()) + "): "
                    + escaped(finding.summary()));
            if (!finding.fix().operator().isEmpty()) {
                line("   - Fix on our side: " + escaped(finding.fix().operator()));
            }
            if (!finding.fix().client().isEmpty()) {
                line("   - Fix for the client: " + escaped(finding.fix().client()));
            }
        }
        int left = theCase.findings().size() - MOST_CAUSES;
        if (left > 0) {
            line("");
            line(left + " more in report.html.");
        }
    }

    private void blindSpots() {
        if (theCase.blindSpots().isEmpty()) {
            return;
        }
        line("");
        line("### Not seen");
        line("");
        theCase.blindSpots().stream()
                .limit(MOST_BLIND_SPOTS)
                .forEach(spot -> line(
                        "- " + escaped(spot.what()) + (spot.add().isEmpty() ? "" : "; add " + escaped(spot.add()))));
    }

    /** Every character that could format, link or mention somebody, made plain. */
    static String escaped(String text) {
        String shown = Printable.of(text);
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            if (ACTIVE.indexOf(c) >= 0) {
                plain.append('\\');
            }
            plain.append(c);
            // what is cut in two is no address, no mention
            if (c == '@' || shown.startsWith("://", i) || shown.regionMatches(true, i - 2, "www.", 0, 4)) {
                plain.append("<!-- -->");
            }
        }
        return plain.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
