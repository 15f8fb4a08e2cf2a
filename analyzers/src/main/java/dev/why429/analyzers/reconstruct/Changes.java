package dev.why429.analyzers.reconstruct;

import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.stream.IntStream;

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

    /** Decisions that are weighed at most: the keys with most denials, each whole. */
    private static final int WEIGHED = 8_000;

    private final DecisionLog log;
    private final Stamps stamps;
    private final Grouping key;
    private final Candidate best;

    private Changes(DecisionLog log, Stamps stamps, Grouping key, Candidate best) {
        this.log = log;
        this.stamps = stamps;
        this.key = key;
        this.best = best;
    }

    /** @return the first decision after the change; empty where one set of parameters does as well */
    static OptionalInt cut(DecisionLog log, Stamps stamps, Candidate best) {
        if (best.contradictionBits() < WORTH_BITS) {
            return OptionalInt.empty();
        }
        if (log.size() <= WEIGHED) {
            return new Changes(log, stamps, best.key(), best).cut(best.bits());
        }
        boolean[] weighed = worstKeys(log, best.key());
        Changes part =
                new Changes(log.only(weighed), stamps.only(weighed), best.key().only(weighed), best);
        OptionalInt cut = part.cut(part.bits(0, part.log.size()));
        return cut.isEmpty() ? cut : OptionalInt.of(nth(weighed, cut.getAsInt()));
    }

    private static boolean[] worstKeys(DecisionLog log, Grouping key) {
        int[] group = key.group();
        int[] denials = new int[key.groups()];
        int[] sizes = new int[key.groups()];
        for (int i = 0; i < group.length; i++) {
            if (group[i] >= 0) {
                sizes[group[i]]++;
                denials[group[i]] += log.denied()[i] ? 1 : 0;
            }
        }
        int[] worstFirst = IntStream.range(0, key.groups())
                .boxed()
                .sorted(Comparator.comparingInt((Integer g) -> -denials[g]).thenComparing(g -> g))
                .mapToInt(g -> g)
                .toArray();
        boolean[] taken = new boolean[key.groups()];
        int size = 0;
        for (int g : worstFirst) {
            if (size == 0 || size + sizes[g] <= WEIGHED) {
                taken[g] = true;
                size += sizes[g];
            }
        }
        boolean[] weighed = new boolean[group.length];
        for (int i = 0; i < group.length; i++) {
            weighed[i] = group[i] >= 0 && taken[group[i]];
        }
        return weighed;
    }

    private static int nth(boolean[] weighed, int n) {
        int seen = 0;
        for (int i = 0; i < weighed.length; i++) {
            if (weighed[i] && seen++ == n) {
                return i;
            }
        }
        throw new IllegalArgumentException("only " + seen + " decisions are weighed, not " + n);
    }

    private OptionalInt cut(double uncutBits) {
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
        boolean worthIt = chosen > 0 && least + CUT_BITS + 0.1 * best.contradictionBits() < uncutBits;
        return worthIt ? OptionalInt.of(chosen) : OptionalInt.empty();
    }

    private double bits(int from, int to) {
        boolean[] wanted = new boolean[log.size()];
        Arrays.fill(wanted, from, to, true);
        DecisionLog part = log.only(wanted);
        Trial trial = new Trial(part, key.only(wanted), stamps.only(wanted), Threshold.WRONG_BITS);
        return trial.of(best.family(), best.parameter(), best.blockSeconds()).bits();
    }
}
