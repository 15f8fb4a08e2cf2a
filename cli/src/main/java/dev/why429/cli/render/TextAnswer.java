package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The answer on one screen of 80 columns and 24 lines, in the order of the report. */
public final class TextAnswer {
    private static final int WIDTH = 80;
    /** One line of the screen is the prompt's. */
    private static final int HEIGHT = 23;

    private static final int VERDICT_LINES = 3;

    private final Case theCase;
    private final boolean colour;
    private final Caps caps;
    private final List<String> lines = new ArrayList<>();
    /** What the report holds beyond this screen. */
    private final List<String> left = new ArrayList<>();

    /** How many of each are shown. */
    private record Caps(int classes, int limiters, int causes, int blindSpots) {}

    /** From the most to the least: the first that fits the screen is taken. */
    private static final List<Caps> CAPS = List.of(
            new Caps(5, 3, 4, 2),
            new Caps(5, 3, 4, 1),
            new Caps(5, 2, 4, 1),
            new Caps(5, 1, 4, 1),
            new Caps(4, 1, 3, 1),
            new Caps(3, 1, 3, 1),
            new Caps(3, 1, 2, 1),
            new Caps(2, 1, 2, 1),
            new Caps(1, 1, 1, 1));

    private TextAnswer(Case theCase, boolean colour, Caps caps) {
        this.theCase = theCase;
        this.colour = colour;
        this.caps = caps;
    }

    /**
     * @param folder where the case lies
     * @param colour whether escape sequences of our own may be used
     */
    public static String of(Case theCase, Path folder, boolean colour) {
        List<String> lines = List.of();
        for (Caps caps : CAPS) {
            lines = new TextAnswer(theCase, colour, caps).write(folder);
            if (lines.size() <= HEIGHT) {
                break;
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private List<String> write(Path folder) {
        verdict();
        denials();
        limiters();
        causes();
        unseen();
        add("");
        String report = "Report  " + Printable.of(folder.resolve("report.html").toString());
        String more = left.isEmpty() ? "" : "(" + String.join(", ", left) + ")";
        if (!more.isEmpty() && report.length() + more.length() + 2 > WIDTH) {
            add("In the report: " + String.join(", ", left));
            more = "";
        }
        add(more.isEmpty() ? report : report + "  " + more);
        return lines;
    }

    private void verdict() {
        List<String> wrapped = wrap(Printable.of(theCase.verdict().sentence()), WIDTH);
        for (int i = 0; i < Math.min(wrapped.size(), VERDICT_LINES); i++) {
            boolean cut = i == VERDICT_LINES - 1 && wrapped.size() > VERDICT_LINES;
            lines.add(bold(
                    cut
                            ? wrapped.get(i)
                                            .substring(
                                                    0,
                                                    Math.min(
                                                            WIDTH - 2,
                                                            wrapped.get(i).length())) + " …"
                            : wrapped.get(i)));
        }
        theCase.span()
                .ifPresent(span -> add(Wording.count(theCase.requests().total()) + " requests, "
                        + Wording.count(theCase.denials().total()) + " denied; "
                        + shortTime(span.from().toString()) + " to "
                        + shortTime(span.to().toString()) + " UTC"));
    }

    private void denials() {
        List<Case.DenialClass> classes = theCase.denials().classes().stream()
                .sorted(Comparator.comparingLong(Case.DenialClass::count).reversed())
                .toList();
        if (classes.isEmpty()) {
            return;
        }
        add("");
        add(bold(String.format(
                Locale.ROOT,
                "%-12s %-26s %-14s %9s %8s %5s",
                "WHO",
                "COMPONENT",
                "REASON",
                "DENIED",
                "SHARE",
                "SURE")));
        long all = theCase.denials().total() + sum(theCase.denials().hiddenByLayer());
        for (Case.DenialClass each : classes.subList(0, Math.min(caps.classes(), classes.size()))) {
            add(String.format(
                    Locale.ROOT,
                    "%-12s %-26s %-14s %9s %8s %5s",
                    Printable.of(Wording.words(each.layer()), 12),
                    Printable.of(each.component(), 26),
                    Printable.of(Wording.words(each.reason()), 14),
                    Wording.count(each.count()),
                    Wording.share(each.count(), all),
                    Wording.number(Math.rint(each.confidence() * 100) / 100)));
        }
        more(classes.size() - caps.classes(), "class");
        long hidden = sum(theCase.denials().hiddenByLayer());
        if (hidden > 0) {
            add(Wording.count(hidden) + " denied inside that the client never saw");
        }
    }

    private void limiters() {
        if (theCase.limiters().isEmpty()) {
            return;
        }
        add("");
        for (Case.Limiter limiter : theCase.limiters()
                .subList(0, Math.min(caps.limiters(), theCase.limiters().size()))) {
            String where = limiter.scope().equals("per_node") && limiter.nodes().isPresent()
                    ? ", on each of " + limiter.nodes().get() + " nodes"
                    : "";
            paragraph(
                    Printable.of(limiter.id()) + "  ",
                    Printable.of(limiter.component()) + ": " + counting(limiter) + " by "
                            + Printable.of(Wording.key(limiter.key())) + where + " (agrees with "
                            + Wording.share(limiter.agreement()) + ")");
        }
        more(theCase.limiters().size() - caps.limiters(), "limiter");
    }

    private static String counting(Case.Limiter limiter) {
        if (limiter.algorithm().equals("unknown")) {
            return "counts in a way not identified, most like "
                    + limiter.equivalent().stream()
                            .map(name -> Printable.of(Wording.words(name)))
                            .findFirst()
                            .orElse("none known")
                    + ",";
        }
        return Printable.of(Wording.words(limiter.algorithm())) + ", " + Wording.parameters(limiter);
    }

    private void causes() {
        if (theCase.findings().isEmpty()) {
            return;
        }
        add("");
        int shown = Math.min(caps.causes(), theCase.findings().size());
        for (Case.Finding finding : theCase.findings().subList(0, shown)) {
            String severity = Printable.of(finding.severity()).toUpperCase(Locale.ROOT);
            add(String.format(Locale.ROOT, "%-7s", severity) + Printable.of(finding.title()));
        }
        more(theCase.findings().size() - caps.causes(), "cause");
    }

    private void unseen() {
        int before = lines.size();
        for (Case.BlindSpot spot : theCase.blindSpots()
                .subList(0, Math.min(caps.blindSpots(), theCase.blindSpots().size()))) {
            String remedy = spot.add().isEmpty() ? "" : "; add " + Printable.of(spot.add());
            paragraph("Not seen: ", Printable.of(spot.what()) + remedy);
        }
        more(theCase.blindSpots().size() - caps.blindSpots(), "blind spot");
        long rejected =
                theCase.inputs().stream().mapToLong(Case.Input::rejected).sum();
        if (rejected > 0) {
            long read = theCase.inputs().stream().mapToLong(Case.Input::lines).sum();
            add(Wording.count(rejected) + " of " + Wording.count(read)
                    + " lines could not be read; the report shows them with the reason");
        }
        if (lines.size() > before) {
            lines.add(before, "");
        }
    }

    /** At most two lines, the second one indented under the text of the first. */
    private void paragraph(String lead, String text) {
        List<String> wrapped = wrap(text, WIDTH - lead.length());
        add(lead + wrapped.get(0));
        if (wrapped.size() > 1) {
            String indent = " ".repeat(lead.length());
            add(indent + wrapped.get(1) + (wrapped.size() > 2 ? " …" : ""));
        }
    }

    private void more(int count, String what) {
        if (count > 0) {
            String plural = count == 1 ? "" : what.endsWith("s") ? "es" : "s";
            left.add(count + " more " + what + plural);
        }
    }

    /** One line; what does not fit is cut, since the report has it whole. */
    private void add(String line) {
        boolean plain = line.indexOf('\u001b') < 0;
        lines.add(plain && line.length() > WIDTH ? line.substring(0, WIDTH - 1) + "…" : line);
    }

    private String bold(String text) {
        return colour ? "\u001b[1m" + text + "\u001b[0m" : text;
    }

    private static String shortTime(String instant) {
        int fraction = instant.indexOf('.');
        return (fraction > 0 ? instant.substring(0, fraction) : instant.replace("Z", "")).replace('T', ' ');
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    static List<String> wrap(String text, int width) {
        List<String> wrapped = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                wrapped.add(line.toString());
                line.setLength(0);
            }
            String rest = word;
            while (rest.length() > width) {
                wrapped.add(rest.substring(0, width));
                rest = rest.substring(width);
            }
            line.append(line.isEmpty() ? "" : " ").append(rest);
        }
        wrapped.add(line.toString());
        return wrapped;
    }
}
