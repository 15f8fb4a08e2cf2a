package dev.why429.analyzers.audit;

import dev.why429.rules.Pitfall;
import java.util.List;

/**
 * One pitfall found in the audited files.
 *
 * @param rule the pitfall's text
 * @param severity as the rule says, or milder where the evidence is weaker
 * @param message one sentence: what stands there, what breaks it, the consequence in numbers
 * @param place the limiter
 * @param related the conditions that break it
 * @param fingerprint hash of rule, path and evidence; no line number goes in, so that it survives edits elsewhere in the file
 */
public record AuditFinding(
        Pitfall rule,
        Pitfall.Severity severity,
        String message,
        Place place,
        List<Related> related,
        String sourceLine,
        String fingerprint) {
    /** Another position that belongs to the finding, and what it shows. */
    public record Related(Place place, String shows) {}

    public AuditFinding {
        related = List.copyOf(related);
    }
}
