package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.store.CaseStore;
import java.util.List;

/** Fills decision logs from the tables of a case. */
public final class DecisionLogs {
    private DecisionLogs() {}

    /** One log for each component of each layer that denied something. */
    public static List<DecisionLog> from(CaseStore store) {
        return List.of();
    }
}
