package dev.why429.analyzers.attribute;

import dev.why429.analyzers.attribute.FingerprintSet.Recognition;
import dev.why429.analyzers.capture.Captures;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.join.Join;
import dev.why429.analyzers.join.LogFile;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Captured denials that no log holds: there is no log, the logs hold no denial at all, or the denial was made in front of every log. They count as
 * denials themselves. Where the logs do hold denials, a capture of no known request is taken as one of those.
 */
final class UnloggedCaptures {
    /** How far the clocks of a capture and of a log may be apart, in seconds. */
    private static final int SKEW_SECONDS = 3;

    private static final List<String> ORDER = List.of("cdn", "gateway", "app", "third_party");

    private final CaseStore store;
    private final Join.Result joined;
    private final boolean denialsLogged;

    /** @param loggedByLayer denials that the logs hold */
    UnloggedCaptures(CaseStore store, Join.Result joined, Map<String, Long> loggedByLayer) {
        this.store = store;
        this.joined = joined;
        this.denialsLogged = !loggedByLayer.isEmpty();
    }

    /** One captured denial. */
    record Denial(int capture, Case.CaptureVerdict verdict) {
        Case.DenialClass asClass() {
            return new Case.DenialClass(
                    verdict.layer(),
                    verdict.component(),
                    verdict.reason(),
                    1,
                    verdict.confidence(),
                    verdict.because(),
                    List.of(verdict.id()));
        }
    }

    /** Needs the temporary table {@code denied}. */
    List<Denial> of(List<Captures.Stored> captures, Witnesses witnesses) {
        Set<Long> amongLogged = new HashSet<>();
        if (denialsLogged && !captures.isEmpty()) {
            store.forEach(
                    "SELECT DISTINCT c.capture FROM captures c JOIN denied d"
                            + " ON d.moment BETWEEN c.captured_at - to_seconds(?) AND c.captured_at + to_seconds(?)",
                    row -> amongLogged.add(row.integer("capture")),
                    SKEW_SECONDS,
                    SKEW_SECONDS);
        }
        List<Denial> found = new ArrayList<>();
        for (Captures.Stored capture : captures) {
            Optional<Recognition> seen = witnesses.of(capture.capture());
            if (capture.exchange().isPresent()
                    || amongLogged.contains((long) capture.capture())
                    || !CaptureVerdicts.isDenial(capture, seen)) {
                continue;
            }
            Case.CaptureVerdict verdict = CaptureVerdicts.alone(capture, seen);
            if (!denialsLogged || inFrontOfTheLogs(verdict)) {
                found.add(new Denial(capture.capture(), verdict));
            }
        }
        return found;
    }

    private boolean inFrontOfTheLogs(Case.CaptureVerdict verdict) {
        int place = ORDER.indexOf(verdict.layer());
        return place >= 0
                && joined.files().stream()
                        .map(LogFile::layer)
                        .mapToInt(ORDER::indexOf)
                        .allMatch(logged -> logged > place);
    }
}
