package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The four things a reader asks first: who said no, what was counted, how much was allowed, and what went wrong. */
public final class Glance {
    /**
     * @param question what the reader asks
     * @param answer in a few words
     * @param more one line that says how sure that is, or what it leaves open
     * @param place the section that tells more
     */
    public record Fact(String question, String answer, String more, String place) {}

    private Glance() {}

    public static List<Fact> of(Case theCase) {
        List<Fact> facts = new ArrayList<>();
        Optional<Case.DenialClass> who = mostDenials(theCase);
        who.ifPresent(denials -> facts.add(who(theCase, denials)));
        Optional<Case.Limiter> limiter = who.flatMap(denials -> limiter(theCase, denials));
        limiter.ifPresent(found -> {
            facts.add(key(found));
            facts.add(limit(found));
        });
        if (who.isPresent()) {
            facts.add(cause(theCase));
        }
        return facts;
    }

    static Optional<Case.DenialClass> mostDenials(Case theCase) {
        return theCase.denials().classes().stream().max(Comparator.comparingLong(Case.DenialClass::count));
    }

    /** The limiter behind a class of denials: the same component, else the same layer, and of several the one that decided most. */
    static Optional<Case.Limiter> limiter(Case theCase, Case.DenialClass denials) {
        return theCase.limiters().stream()
                .filter(limiter -> limiter.layer().equals(denials.layer()))
                .max(Comparator.comparing(
                                (Case.Limiter limiter) -> limiter.component().equals(denials.component()))
                        .thenComparingLong(Case.Limiter::decisions));
    }

    private static Fact who(Case theCase, Case.DenialClass denials) {
        long all = theCase.denials().classes().stream()
                .mapToLong(Case.DenialClass::count)
                .sum();
        String layer = Wording.words(denials.layer());
        boolean named = !denials.component().isEmpty() && !denials.component().equals("unknown");
        return new Fact(
                "Who said no",
                named ? denials.component() + ", " + layer : layer.equals("unknown") ? "not identified" : layer,
                Wording.count(denials.count()) + " of " + Wording.count(all) + " denials, confidence "
                        + Wording.share(denials.confidence()),
                "who");
    }

    private static Fact key(Case.Limiter limiter) {
        String others = limiter.equivalentKeys().isEmpty()
                ? ""
                : ", or " + Wording.key(limiter.equivalentKeys().get(0))
                        + (limiter.equivalentKeys().size() > 1
                                ? " and " + (limiter.equivalentKeys().size() - 1) + " more"
                                : "")
                        + ": alike in these logs";
        return new Fact(
                "What was counted",
                Wording.key(limiter.key()),
                (limiter.scope().equals("per_node")
                                ? "on each of "
                                        + limiter.nodes()
                                                .map(nodes -> nodes + " nodes")
                                                .orElse("the nodes") + " alone"
                                : limiter.scope().equals("shared")
                                        ? "in one place for all nodes"
                                        : "one node, or one store")
                        + others,
                limiter.id());
    }

    private static Fact limit(Case.Limiter limiter) {
        String parameters = Wording.parameters(limiter);
        String effective = limiter.effectiveLimit()
                .filter(limit -> limiter.scope().equals("per_node"))
                .map(limit -> "; one client gets " + Wording.number(limit))
                .orElse("");
        return new Fact(
                "How much was allowed",
                parameters.isEmpty() ? "not identified" : parameters,
                (limiter.algorithm().equals("unknown")
                                ? "way of counting not identified"
                                : Wording.words(limiter.algorithm()))
                        + effective
                        + limiter.declared()
                                .map(declared -> "; declared " + declared.text())
                                .orElse("; nothing declared"),
                limiter.id());
    }

    private static Fact cause(Case theCase) {
        return theCase.findings().stream()
                .findFirst()
                .map(finding -> new Fact(
                        "Main cause",
                        finding.title(),
                        finding.severity() + " severity, confidence " + Wording.share(finding.confidence())
                                + (theCase.findings().size() > 1
                                        ? "; " + (theCase.findings().size() - 1) + " more below"
                                        : ""),
                        "cause-" + finding.id()))
                .orElse(new Fact(
                        "Main cause",
                        "The limit did what it should",
                        "nothing that was looked for went wrong around it",
                        "not-found"));
    }
}
