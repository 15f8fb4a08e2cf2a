package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.fact.Key;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Counters in a map of one's own: those that are never forgotten, and windows that start again from zero. */
final class OwnCounterLife implements PitfallCheck {
    // { n: 0, until: … }, e.count = 0, (now, 1), [now, 0], count: 1
    private static final Pattern STARTS_AGAIN = Pattern.compile(
            "[\\w\"']\\s{0,3}[:=]\\s{0,3}[01]\\b(?!\\.)|,\\s{0,3}[01]\\s{0,3}[)\\]]|[(\\[]\\s{0,3}[01]\\s{0,3},");
    private static final Pattern TIME = Pattern.compile("\\bnow\\b|Date\\.now|time\\.time|monotonic|\\bt\\b|[tT]ime");

    @Override
    public void look(Facts facts, Findings findings) {
        for (Limiter limiter : facts.limiters(Limiter.OWN)) {
            neverForgotten(facts, findings, limiter);
            startsAgain(findings, limiter);
        }
    }

    private static void neverForgotten(Facts facts, Findings findings, Limiter limiter) {
        Code.Variable variable = limiter.code().variables().stream()
                .filter(v -> v.node() == limiter.node())
                .findFirst()
                .orElseThrow();
        String name = variable.name().replace("this.", "").replace("self.", "");
        String text = limiter.code().file().text();
        boolean forgets = List.of(".delete(", ".clear(", ".pop(", ".popitem(").stream()
                        .anyMatch(call -> text.contains(name + call))
                || text.contains("del " + name)
                || text.contains("del self." + name)
                || text.contains("delete " + name + "[")
                || text.contains("delete this." + name + "[")
                || text.contains("setInterval(")
                || (text.contains(name + " = new Map()") && limiter.code().inFunction(limiter.node()));
        if (forgets || limiter.key().source() == Key.Source.CONSTANT) {
            return;
        }
        // a function's memory goes with it
        boolean shortLived = facts.surroundings()
                .severalFor(limiter.place())
                .filter(i -> i.kind() == Instances.Kind.SERVERLESS)
                .isPresent();
        if (shortLived) {
            return;
        }
        boolean unbounded = limiter.key().isAddress() || limiter.key().source() == Key.Source.IDENTITY;
        findings.report(
                "code",
                "store-no-ttl",
                unbounded ? Severity.HIGH : Severity.MEDIUM,
                "entries of " + name + " are never removed: memory grows with every new key",
                limiter.place(),
                List.of(related(limiter.key().place(), "the key")));
    }

    private static void startsAgain(Findings findings, Limiter limiter) {
        Code code = limiter.code();
        String name = code.variables().stream()
                .filter(v -> v.node() == limiter.node())
                .map(v -> v.name().replace("this.", "").replace("self.", ""))
                .findFirst()
                .orElse("");
        Optional<Syntax> reset = code.root().all("if_statement").stream()
                .filter(branch -> code.functionAround(branch).text().contains(name))
                .filter(branch -> TIME.matcher(branch.childText("condition")).find()
                        && (branch.childText("condition").contains(">")
                                || branch.childText("condition").contains("<")))
                .filter(branch ->
                        STARTS_AGAIN.matcher(branch.childText("consequence")).find())
                .findFirst();
        reset.ifPresent(branch -> findings.report(
                "code",
                "boundary-burst",
                "a fixed window that starts again from zero: up to "
                        + (limiter.limit().isPresent()
                                ? Limiter.plain(2 * limiter.limit().getAsDouble()) + " instead of " + limiter.budget()
                                : "twice the limit")
                        + " around a boundary",
                branch.place(),
                related(limiter.place(), "the counters")));
    }
}
