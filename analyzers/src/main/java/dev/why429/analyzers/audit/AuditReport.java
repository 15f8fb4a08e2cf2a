package dev.why429.analyzers.audit;

import dev.why429.analyzers.audit.limit.DeclaredLimit;
import dev.why429.rules.Pitfall;
import java.util.List;

/**
 * What an audit saw and found.
 *
 * @param findings in the order of their places
 * @param silenced findings that an inline comment took out, with its reason
 * @param known findings that stand in the baseline
 * @param unread files, or parts of them, that could not be read: nothing is known about them
 * @param filesSeen files below the given paths that could hold a limiter or its surroundings
 * @param limits the limiters that were recognised, with what they declare
 */
public record AuditReport(
        List<AuditFinding> findings,
        List<Silenced> silenced,
        List<AuditFinding> known,
        List<Unread> unread,
        int filesSeen,
        int filesRead,
        List<DeclaredLimit> limits) {
    /** @param comment where the comment stands that silences it */
    public record Silenced(AuditFinding finding, Place comment, String reason) {}

    public record Unread(Place place, String reason) {}

    /** From which severity on an audit fails. */
    public enum FailOn {
        ERROR,
        WARNING,
        NOTE,
        NEVER
    }

    public AuditReport {
        findings = List.copyOf(findings);
        silenced = List.copyOf(silenced);
        known = List.copyOf(known);
        unread = List.copyOf(unread);
        limits = List.copyOf(limits);
    }

    /** @return 1 when a finding is at or above the level, else 0; it does not depend on how the report is written */
    public int exitCode(FailOn failOn) {
        return findings.stream().anyMatch(finding -> reaches(finding.severity(), failOn)) ? 1 : 0;
    }

    private static boolean reaches(Pitfall.Severity severity, FailOn failOn) {
        return switch (failOn) {
            case NEVER -> false;
            case ERROR -> severity == Pitfall.Severity.HIGH;
            case WARNING -> severity == Pitfall.Severity.HIGH || severity == Pitfall.Severity.MEDIUM;
            case NOTE -> true;
        };
    }
}
