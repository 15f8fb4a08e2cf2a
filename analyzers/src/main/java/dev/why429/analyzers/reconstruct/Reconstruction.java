package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Rulebook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    /** Every limiter of a case that denied something. */
    public static Reconstruction run(CaseStore store, Rulebook rules) {
        List<Case.Limiter> limiters = new ArrayList<>();
        List<Case.Skipped> skipped = new ArrayList<>();
        List<Case.BlindSpot> blindSpots = new ArrayList<>();
        for (DecisionLog log : DecisionLogs.from(store)) {
            Reconstruction one = of(log);
            for (Case.Limiter limiter : one.limiters()) {
                // one limiter whose denials look in part like another component's is still one
                if (limiters.stream().noneMatch(other -> same(other, limiter))) {
                    limiters.add(limiter);
                }
            }
            skipped.addAll(one.skipped());
            blindSpots.addAll(one.blindSpots());
        }
        return new Reconstruction(numbered(limiters), List.copyOf(skipped), List.copyOf(blindSpots));
    }

    private static boolean same(Case.Limiter a, Case.Limiter b) {
        return a.layer().equals(b.layer())
                && !a.component().equals(b.component())
                && a.algorithm().equals(b.algorithm())
                && a.key().equals(b.key())
                && overlap(a.limit(), b.limit())
                && overlap(a.windowSeconds(), b.windowSeconds())
                && overlap(a.ratePerSecond(), b.ratePerSecond())
                && overlap(a.burst(), b.burst());
    }

    private static boolean overlap(Optional<Case.Interval> a, Optional<Case.Interval> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() && b.isEmpty();
        }
        return a.get().low().orElse(0.0) <= b.get().high().orElse(Double.MAX_VALUE)
                && b.get().low().orElse(0.0) <= a.get().high().orElse(Double.MAX_VALUE);
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
