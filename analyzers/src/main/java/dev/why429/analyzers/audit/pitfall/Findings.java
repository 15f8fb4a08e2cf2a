package dev.why429.analyzers.audit.pitfall;

import dev.why429.analyzers.audit.AuditFinding;
import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Sources;
import dev.why429.rules.Pitfall;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what checks report; a place is reported once for each pitfall. */
public final class Findings {
    private final Rulebook rulebook;
    private final Map<String, Pitfall> rules = new HashMap<>();
    private final Sources sources;
    private final List<AuditFinding> found = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    /** @param rulebook where the texts are; a rule is read when it is first reported */
    public Findings(Rulebook rulebook, Sources sources) {
        this.rulebook = rulebook;
        this.sources = sources;
    }

    void report(String technology, String id, String message, Place place, Related... related) {
        report(technology, id, Pitfall.Severity.HIGH, message, place, List.of(related));
    }

    /** @param atMost severity that the evidence bears; the rule's own when that is milder */
    void report(
            String technology, String id, Pitfall.Severity atMost, String message, Place place, List<Related> related) {
        Pitfall rule = rules.computeIfAbsent(
                technology + "/" + id,
                folder -> rulebook.find(RuleKind.PITFALL, folder)
                        .orElseThrow(() -> new IllegalStateException("no rule folder pitfalls/" + folder)));
        if (!seen.add(id + "@" + place)) {
            return;
        }
        Pitfall.Severity severity = rule.severity().compareTo(atMost) >= 0 ? rule.severity() : atMost;
        String line = line(place);
        found.add(
                new AuditFinding(rule, severity, message, place, related, line, fingerprint(id, place, line, related)));
    }

    static Related related(Place place, String shows) {
        return new Related(place, shows);
    }

    public List<AuditFinding> sorted() {
        return found.stream()
                .sorted(Comparator.comparing(AuditFinding::place)
                        .thenComparing(f -> f.rule().id()))
                .toList();
    }

    private String line(Place place) {
        return sources.file(place.file())
                .map((SourceFile file) -> file.line(place.line()))
                .orElse("");
    }

    private String fingerprint(String id, Place place, String line, List<Related> related) {
        StringBuilder evidence = new StringBuilder(id + "\n" + place.file() + "\n" + squeezed(line));
        related.forEach(
                r -> evidence.append('\n').append(r.place().file()).append('\n').append(squeezed(line(r.place()))));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(evidence.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String squeezed(String line) {
        return line.strip().replaceAll("\\s+", " ");
    }
}
