package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Rulebook;
import java.util.ArrayList;
import java.util.List;

/**
 * What limiters the decisions show.
 *
 * @param limiters in the order of the logs
 * @param skipped what could not be looked at
 * @param blindSpots what could not be identified, and what to log for it
 */
public record Reconstruction(List<Case.Limiter> limiters, List<Case.Skipped> skipped, List<Case.BlindSpot> blindSpots) {
    /** Explanations that are closer than this many bits (odds of 1000 to 1) are not told apart. */
    static final double TELLING_BITS = 10;

    /** So many of the decisions one limiter must explain to stand for denials that bear several components' names. */
    private static final double TOGETHER = 0.97;

    /** Every limiter of a case that denied something. */
    public static Reconstruction run(CaseStore store, Rulebook rules) {
        List<Case.Limiter> limiters = new ArrayList<>();
        List<Case.Skipped> skipped = new ArrayList<>();
        List<Case.BlindSpot> blindSpots = new ArrayList<>();
        for (DecisionLogs.OfLayer layer : DecisionLogs.byLayer(store)) {
            Reconstruction one = of(layer);
            limiters.addAll(one.limiters());
            skipped.addAll(one.skipped());
            blindSpots.addAll(one.blindSpots());
        }
        return new Reconstruction(numbered(limiters), List.copyOf(skipped), List.copyOf(blindSpots));
    }

    /** Denials that are named after several components in the same logs are of one limiter where one explains all of them. */
    static Reconstruction of(DecisionLogs.OfLayer layer) {
        if (layer.together().isPresent()) {
            Reconstruction one = of(layer.together().get());
            if (one.limiters().stream().anyMatch(l -> l.agreement() >= TOGETHER)) {
                return one;
            }
        }
        List<Case.Limiter> limiters = new ArrayList<>();
        List<Case.Skipped> skipped = new ArrayList<>();
        List<Case.BlindSpot> blindSpots = new ArrayList<>();
        for (DecisionLog log : layer.apart()) {
            Reconstruction one = of(log);
            limiters.addAll(one.limiters());
            skipped.addAll(one.skipped());
            blindSpots.addAll(one.blindSpots());
        }
        return new Reconstruction(numbered(limiters), List.copyOf(skipped), List.copyOf(blindSpots));
    }

    /** The limiters behind one log of decisions. */
    public static Reconstruction of(DecisionLog log) {
        Explanations found = Explanations.of(log);
        List<Case.Limiter> limiters = new ArrayList<>();
        for (Explanations.Explained explained : found.accepted()) {
            limiters.add(LimiterEntry.of(explained));
        }
        return new Reconstruction(numbered(limiters), found.skipped(), found.blindSpots());
    }

    private static List<Case.Limiter> numbered(List<Case.Limiter> limiters) {
        List<Case.Limiter> numbered = new ArrayList<>();
        for (Case.Limiter l : limiters) {
            numbered.add(new Case.Limiter(
                    "L" + (numbered.size() + 1),
                    l.layer(),
                    l.component(),
                    l.algorithm(),
                    l.equivalent(),
                    l.key(),
                    l.equivalentKeys(),
                    l.scope(),
                    l.nodes(),
                    l.limit(),
                    l.windowSeconds(),
                    l.ratePerSecond(),
                    l.burst(),
                    l.alignment(),
                    l.deniedCount(),
                    l.tiers(),
                    l.blockSeconds(),
                    l.cost(),
                    l.effectiveLimit(),
                    l.declared(),
                    l.decisions(),
                    l.mismatches(),
                    l.agreement(),
                    l.runnerUp(),
                    l.because(),
                    l.disagreements(),
                    l.from(),
                    l.to()));
        }
        return List.copyOf(numbered);
    }
}
