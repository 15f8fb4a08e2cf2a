package dev.why429.analyzers.reconstruct;

import java.util.Arrays;
import java.util.OptionalInt;

/** Finds the moment at which a limiter's parameters changed: before and after it another limit explains what no single one can. */
final class Changes {
    /** Contradictions worth fewer bits than this are no reason to look. */
    private static final double WORTH_BITS = 60;

    private static final int POSITIONS = 9;
    private static final int ROUNDS = 3;
    /** Decisions a side must have. */
    private static final int LEAST_SIDE = 30;
    /** What naming a moment costs, and what must be gained beyond it. */
    private static final double CUT_BITS = 30;

    private final DecisionLog log;
    private final Stamps stamps;
    private final Candidate best;

    private Changes(DecisionLog log, Stamps stamps, Candidate best) {
        this.log = log;
        this.stamps = stamps;
        this.best = best;
    }

    /** @return the first decision after the change; empty where one set of parameters does as well */
    static OptionalInt cut(DecisionLog log, Stamps stamps, Candidate best) {
        return best.contradictionBits() < WORTH_BITS ? OptionalInt.empty() : new Changes(log, stamps, best).cut();
    }

    private OptionalInt cut() {
        int from = LEAST_SIDE;
        int to = log.size() - LEAST_SIDE;
        int chosen = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS && to - from > POSITIONS; round++) {
            int step = (to - from) / POSITIONS;
            for (int at = from + step / 2; at < to; at += step) {
                double bits = bits(0, at) + bits(at, log.size());
                if (bits < least) {
                    least = bits;
                    chosen = at;
                }
            }
            from = Math.max(LEAST_SIDE, chosen - step);
            to = Math.min(log.size() - LEAST_SIDE, chosen + step);
        }
        boolean worthIt = chosen > 0 && least + CUT_BITS + 0.3 * best.contradictionBits() < best.bits();
        return worthIt ? OptionalInt.of(chosen) : OptionalInt.empty();
    }

    private double bits(int from, int to) {
        boolean[] wanted = new boolean[log.size()];
        Arrays.fill(wanted, from, to, true);
        DecisionLog part = log.only(wanted);
        Trial trial = new Trial(part, best.key().only(wanted), stamps.only(wanted), Threshold.WRONG_BITS);
        return trial.of(best.family(), best.parameter(), best.blockSeconds()).bits();
    }
}
