package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Two cases side by side.
 *
 * @param layers denials by layer
 * @param findings kinds of medium weight and more: gone, new, or in both
 * @param limiters of the same layer, component and key
 * @param clients whose share of denied requests changed by more than a twentieth, the most changed first
 * @param notes what limits the comparison
 */
public record CaseDiff(
        Total before,
        Total after,
        Map<String, Counts> layers,
        Map<String, Counts> reasons,
        Findings findings,
        List<LimiterChange> limiters,
        List<ClientChange> clients,
        List<String> notes) {
    private static final double CLEARLY = 0.05;
    private static final int MOST_CLIENTS = 20;

    /** @param share denied of all, 0 to 1 */
    public record Total(long requests, long denied, double share) {}

    public record Counts(long before, long after) {}

    public record Findings(List<String> gone, List<String> appeared, List<String> stayed) {}

    /** A side is empty where the limiter is only in the other case. */
    public record LimiterChange(String limiter, String before, String after) {}

    public record ClientChange(String by, String name, double deniedShareBefore, double deniedShareAfter) {}

    public static CaseDiff between(Case before, Case after) {
        List<String> notes = new ArrayList<>();
        List<ClientChange> clients = clients(before, after);
        Set<String> common = names(before);
        common.retainAll(names(after));
        if (common.isEmpty() && !before.clients().isEmpty() && !after.clients().isEmpty()) {
            notes.add(
                    "no client is named in both cases; investigate both with the same --salt-file to compare clients");
        }
        before.span()
                .ifPresent(b -> after.span().ifPresent(a -> {
                    double ratio = seconds(a) / Math.max(1, seconds(b));
                    if (ratio > 1.5 || ratio < 0.67) {
                        notes.add(String.format(
                                Locale.ROOT,
                                "the second case is %.1f times as long as the first: compare shares, not counts",
                                ratio));
                    }
                }));
        return new CaseDiff(
                total(before),
                total(after),
                counts(before.denials().byLayer(), after.denials().byLayer()),
                counts(reasons(before), reasons(after)),
                findings(before, after),
                limiters(before, after),
                clients,
                notes);
    }

    private static double seconds(Case.Span span) {
        return java.time.Duration.between(span.from(), span.to()).toMillis() / 1000.0;
    }

    private static Total total(Case one) {
        long requests = one.requests().total();
        long denied = one.denials().total();
        return new Total(requests, denied, requests == 0 ? 0 : rounded((double) denied / requests));
    }

    private static double rounded(double share) {
        return Math.rint(share * 1e4) / 1e4;
    }

    private static Map<String, Long> reasons(Case one) {
        return one.denials().classes().stream()
                .collect(Collectors.groupingBy(
                        Case.DenialClass::reason, TreeMap::new, Collectors.summingLong(Case.DenialClass::count)));
    }

    private static Map<String, Counts> counts(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Counts> counts = new TreeMap<>();
        before.forEach((name, count) -> counts.put(name, new Counts(count, after.getOrDefault(name, 0L))));
        after.forEach((name, count) -> counts.putIfAbsent(name, new Counts(0, count)));
        return counts;
    }

    private static Findings findings(Case before, Case after) {
        Map<String, String> then = heavy(before);
        Map<String, String> now = heavy(after);
        return new Findings(
                then.entrySet().stream()
                        .filter(e -> !now.containsKey(e.getKey()))
                        .map(Map.Entry::getValue)
                        .toList(),
                now.entrySet().stream()
                        .filter(e -> !then.containsKey(e.getKey()))
                        .map(Map.Entry::getValue)
                        .toList(),
                now.entrySet().stream()
                        .filter(e -> then.containsKey(e.getKey()))
                        .map(Map.Entry::getValue)
                        .toList());
    }

    private static Map<String, String> heavy(Case one) {
        Map<String, String> found = new LinkedHashMap<>();
        one.findings().stream()
                .filter(finding ->
                        finding.severity().equals("high") || finding.severity().equals("medium"))
                .forEach(finding -> found.putIfAbsent(finding.kind(), finding.title() + " (" + finding.kind() + ")"));
        return found;
    }

    private static List<LimiterChange> limiters(Case before, Case after) {
        Map<String, String> then = described(before);
        Map<String, String> now = described(after);
        Set<String> all = new LinkedHashSet<>(then.keySet());
        all.addAll(now.keySet());
        return all.stream()
                .map(name -> new LimiterChange(name, then.getOrDefault(name, ""), now.getOrDefault(name, "")))
                .toList();
    }

    private static Map<String, String> described(Case one) {
        Map<String, String> all = new LinkedHashMap<>();
        one.limiters()
                .forEach(limiter -> all.merge(
                        limiter.layer() + " " + limiter.component() + " by "
                                + (limiter.key().isEmpty() ? "everybody" : String.join(" and ", limiter.key())),
                        limiter.algorithm() + ", "
                                + Optional.of(Wording.parameters(limiter))
                                        .filter(p -> !p.isEmpty())
                                        .orElse("not identified"),
                        (a, b) -> a + "; then " + b));
        return all;
    }

    private static Set<String> names(Case one) {
        return one.clients().stream()
                .map(c -> c.by() + "=" + c.name())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static List<ClientChange> clients(Case before, Case after) {
        Map<String, Case.Client> then = before.clients().stream()
                .collect(Collectors.toMap(c -> c.by() + "=" + c.name(), Function.identity(), (a, b) -> a));
        return after.clients().stream()
                .filter(client -> then.containsKey(client.by() + "=" + client.name()))
                .map(client -> new ClientChange(
                        client.by(), client.name(), share(then.get(client.by() + "=" + client.name())), share(client)))
                .filter(change -> Math.abs(change.deniedShareAfter() - change.deniedShareBefore()) > CLEARLY)
                .sorted(Comparator.comparingDouble(
                        change -> -Math.abs(change.deniedShareAfter() - change.deniedShareBefore())))
                .limit(MOST_CLIENTS)
                .toList();
    }

    private static double share(Case.Client client) {
        return client.requests() == 0 ? 0 : rounded((double) client.denied() / client.requests());
    }

    /** One screen. */
    public String text() {
        StringBuilder out = new StringBuilder();
        row(out, "", "before", "after");
        row(out, "requests", before.requests(), after.requests());
        row(out, "denied", before.denied(), after.denied());
        row(out, "share denied", Wording.share(before.share()), Wording.share(after.share()));
        layers.forEach((layer, counts) -> row(out, "  by " + Printable.of(layer), counts.before(), counts.after()));
        reasons.forEach(
                (reason, counts) -> row(out, "  because of " + Printable.of(reason), counts.before(), counts.after()));
        listed(out, "No longer found", findings.gone());
        listed(out, "New", findings.appeared());
        listed(out, "Still there", findings.stayed());
        if (!limiters.isEmpty()) {
            out.append("\nLimiters\n");
            limiters.forEach(change -> out.append("  ")
                    .append(Printable.of(change.limiter()))
                    .append("\n    before: ")
                    .append(change.before().isEmpty() ? "not seen" : Printable.of(change.before()))
                    .append("\n    after:  ")
                    .append(change.after().isEmpty() ? "not seen" : Printable.of(change.after()))
                    .append('\n'));
        }
        clients(
                out,
                "Clients helped",
                clients.stream()
                        .filter(c -> c.deniedShareAfter() < c.deniedShareBefore())
                        .toList());
        clients(
                out,
                "Clients harmed",
                clients.stream()
                        .filter(c -> c.deniedShareAfter() > c.deniedShareBefore())
                        .toList());
        notes.forEach(note -> out.append("\nNote: ").append(note).append('\n'));
        return out.toString();
    }

    private static void row(StringBuilder out, String name, Object before, Object after) {
        out.append(String.format(Locale.ROOT, "%-28s %14s %14s", name, before, after)
                        .stripTrailing())
                .append('\n');
    }

    private static void listed(StringBuilder out, String heading, List<String> lines) {
        if (!lines.isEmpty()) {
            out.append('\n').append(heading).append('\n');
            lines.forEach(text -> out.append("  ").append(Printable.of(text)).append('\n'));
        }
    }

    private static void clients(StringBuilder out, String heading, List<ClientChange> changes) {
        listed(
                out,
                heading,
                changes.stream()
                        .map(change -> change.by() + "=" + change.name() + ": "
                                + Wording.number(100 * change.deniedShareBefore()) + "% denied before, "
                                + Wording.number(100 * change.deniedShareAfter()) + "% after")
                        .toList());
    }
}
