package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Rulebook;
import java.util.List;

/**
 * What the detectors look at.
 *
 * @param store the case's tables, open for writing: temporary tables are made in it and leave nothing behind
 * @param limiters what the reconstruction found
 * @param denials what the attribution found
 * @param declared what was promised, as given: {@code 1200/min by api_key}
 */
public record DetectionInput(
        CaseStore store, Rulebook rulebook, List<Case.Limiter> limiters, Case.Denials denials, List<String> declared) {
    public DetectionInput {
        limiters = List.copyOf(limiters);
        declared = List.copyOf(declared);
    }
}
