package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Limits that differ by key under one way of counting, as plans have them. Each bucket that met a denial has limits of its own that explain its
 * decisions; buckets whose limits overlap are of one tier. What never met a denial may be of any tier that is high enough.
 *
 * @param tiers lowest limit first
 * @param candidate the way of counting that they share
 */
record Tiers(List<Tier> tiers, Candidate candidate) {
    /** Shorter windows fit anything where stamps are of whole seconds. */
    private static final double SHORTEST_COARSE_SECONDS = 5;

    private static final int LEAST_DENIALS = 3;
    private static final int MOST_TIERS = 5;
    /** So many of a bucket's decisions may contradict the limit of its tier beyond those that contradict its own. */
    private static final double SLACK = 0.005;

    private static final int KEYS = 3;
    /** What it costs to name a tier's limit. */
    private static final double TIER_BITS = 12;

    private static final Family[] FAMILIES = {
        Family.FIXED_CLOCK,
        Family.FIXED_FIRST,
        Family.LOG_ALLOWED,
        Family.LOG_ALL,
        Family.COUNTER_CLOCK_ALLOWED,
        Family.COUNTER_FIRST_ALL
    };

    /**
     * @param low lowest limit that explains all buckets of the tier
     * @param high highest
     * @param keys buckets that met a denial
     */
    record Tier(int low, int high, int keys) {}

    /** Costs of one bucket under all limits. */
    private record Bucket(int low, int high) {}

    /** The best explanation with two tiers or more, over keys and windows; empty where there is none. */
    static Optional<Tiers> best(DecisionLog log, Stamps stamps, List<Grouping> keys) {
        return keys.stream().limit(KEYS).toList().parallelStream()
                .flatMap(key -> of(log, stamps, key).stream())
                .min(Comparator.comparingDouble(t -> t.candidate().bits()));
    }

    private static List<Tiers> of(DecisionLog log, Stamps stamps, Grouping key) {
        Series series = Series.of(log, key, stamps);
        double[] low = new double[series.size()];
        double[] high = new double[series.size()];
        double span = (series.size() == 0 ? 0 : log.arrivalMicros()[log.size() - 1] - log.arrivalMicros()[0]) / 1e6;
        List<Tiers> found = new ArrayList<>();
        boolean coarse = CoarseBuckets.suits(Stamps.of(log));
        for (Family family : FAMILIES) {
            for (double window : Grids.windows(span, log.windowsDeclared(), false)) {
                if (coarse && window < SHORTEST_COARSE_SECONDS) {
                    continue;
                }
                Statistics.run(family, series, window, 0, low, high);
                under(series, key, family, window, low, high).ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<Tiers> under(
            Series s, Grouping key, Family family, double window, double[] low, double[] high) {
        List<Bucket> buckets = new ArrayList<>();
        for (int g = 0; g < s.buckets(); g++) {
            bucket(s, g, low, high).ifPresent(buckets::add);
        }
        List<Tier> tiers = clustered(buckets);
        if (tiers.size() < 2
                || tiers.size() > MOST_TIERS
                || tiers.stream().mapToInt(Tier::keys).sum() < tiers.size() + 1) {
            return Optional.empty();
        }
        int above = 0;
        int below = 0;
        int exempt = 0;
        for (int g = 0; g < s.buckets(); g++) {
            int[] least = null;
            for (Tier tier : tiers) {
                int[] wrong = wrong(s, g, tier.low(), low, high);
                least = least == null || wrong[0] + wrong[1] < least[0] + least[1] ? wrong : least;
            }
            if (least[1] == 0 && least[0] > 0 && denials(s, g) == 0) {
                // never denied though above every tier seen: of a higher one, or exempt
                exempt++;
            } else {
                above += least[0];
                below += least[1];
            }
        }
        below += s.deniedOutside;
        double bits = Threshold.wrongBits(above + below, s.size() + s.outside);
        Threshold.Fit fit = new Threshold.Fit(
                tiers.get(0).low() - 1,
                tiers.get(0).high() - 1,
                tiers.get(0).low() - 1,
                above,
                below,
                0,
                0,
                bits,
                true,
                1);
        double code = bits
                + key.priorBits()
                + family.priorBits()
                + Grids.parameterBits(family, window)
                + TIER_BITS * (tiers.size() + exempt)
                + buckets.size() * Math.log(tiers.size()) / Math.log(2);
        return Optional.of(new Tiers(
                tiers, new Candidate(key, family, window, 0, fit, Buckets.Levels.NONE, code, Optional.empty())));
    }

    /** Buckets by their lowest limit; one that overlaps with all of a tier so far belongs to it. */
    private static List<Tier> clustered(List<Bucket> buckets) {
        List<Tier> tiers = new ArrayList<>();
        for (Bucket b :
                buckets.stream().sorted(Comparator.comparingInt(Bucket::low)).toList()) {
            Tier last = tiers.isEmpty() ? null : tiers.get(tiers.size() - 1);
            if (last != null && b.low() <= last.high()) {
                tiers.set(
                        tiers.size() - 1,
                        new Tier(Math.max(last.low(), b.low()), Math.min(last.high(), b.high()), last.keys() + 1));
            } else {
                tiers.add(new Tier(b.low(), b.high(), 1));
            }
        }
        return tiers;
    }

    /** The limits that leave fewest decisions of a bucket unexplained; empty where hardly any was denied. */
    private static Optional<Bucket> bucket(Series s, int g, double[] low, double[] high) {
        int from = s.start[g];
        int to = s.start[g + 1];
        int top = 1;
        int denials = 0;
        for (int i = from; i < to; i++) {
            top = Math.max(top, (int) high[i] + 2);
            denials += s.denied[i] ? 1 : 0;
        }
        if (denials < LEAST_DENIALS) {
            return Optional.empty();
        }
        // wrong under limit L: allowed with at least L before them, denied with at most fewer than L
        int[] change = new int[top + 2];
        int wrong = 0;
        for (int i = from; i < to; i++) {
            if (s.denied[i]) {
                change[Math.min(top, (int) Math.floor(high[i]) + 1)]++;
            } else {
                wrong++;
                change[Math.min(top, (int) Math.floor(low[i]) + 1)]--;
            }
        }
        int[] under = new int[top + 1];
        int least = Integer.MAX_VALUE;
        for (int limit = 0; limit <= top; limit++) {
            wrong += change[limit];
            under[limit] = wrong;
            least = limit > 0 ? Math.min(least, wrong) : least;
        }
        int first = -1;
        int last = 1;
        for (int limit = 1; limit <= top; limit++) {
            if (under[limit] <= least + 1 + SLACK * (to - from)) {
                first = first < 0 ? limit : first;
                last = limit;
            }
        }
        return Optional.of(new Bucket(first, last));
    }

    private static int denials(Series s, int g) {
        int denials = 0;
        for (int i = s.start[g]; i < s.start[g + 1]; i++) {
            denials += s.denied[i] ? 1 : 0;
        }
        return denials;
    }

    private static int[] wrong(Series s, int g, int limit, double[] low, double[] high) {
        int above = 0;
        int below = 0;
        for (int i = s.start[g]; i < s.start[g + 1]; i++) {
            if (s.denied[i]) {
                below += high[i] < limit ? 1 : 0;
            } else {
                above += low[i] >= limit ? 1 : 0;
            }
        }
        return new int[] {above, below};
    }
}
