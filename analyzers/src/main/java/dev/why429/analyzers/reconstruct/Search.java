package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Goes through keys, families and parameters, coarse first, and returns the explanations by their code length. */
final class Search {
    /** Decisions that are looked at before the keys that are worth a full pass are known. */
    private static final int SCREENED = 4_000;

    /** And of one bucket so many at most, from its beginning. */
    private static final int LARGEST = 12_000;

    private static final int SURVIVORS = 5;
    /** Of what the best key saves against no limiter another one must save so much to be looked at closely; of families likewise. */
    private static final double WORTH = 0.6;
    /** Fewer bits than this are no reason to leave one out. */
    private static final double NEAR_BITS = 60;

    private static final List<Family> COARSE_BUCKETS =
            List.of(Family.BUCKET, Family.BUCKET_WHOLE_SECONDS, Family.BUCKET_WHOLE_TOKENS);
    /** Pairs of a key and a kind of bucket that are looked at closely. */
    private static final int CLIMBED = 4;

    private final DecisionLog log;
    private final Stamps stamps;
    private final int deniedWeight;
    private final boolean spread;

    private Search(DecisionLog log, Stamps stamps, int deniedWeight, boolean spread) {
        this.spread = spread;
        this.log = log;
        this.stamps = stamps;
        this.deniedWeight = deniedWeight;
    }

    /**
     * @param deniedWeight bits of a denial that an explanation leaves over
     * @return best first; per key and family the best parameters; empty when nothing was denied
     */
    static List<Candidate> ranked(DecisionLog log, Stamps stamps, int deniedWeight) {
        if (log.denials() == 0) {
            return List.of();
        }
        Search search = new Search(log, stamps, deniedWeight, false);
        List<Grouping> keys = search.withNodes(KeyCandidates.of(log));
        return search.ranked(keys.size() <= 1 ? keys : search.screened(keys));
    }

    /** The same for these keys only, where coarse stamps were narrowed by supposing that lines are spread evenly over their seconds. */
    static List<Candidate> rankedSpread(DecisionLog log, Stamps stamps, int deniedWeight, List<Grouping> keys) {
        return log.denials() == 0 ? List.of() : new Search(log, stamps, deniedWeight, true).ranked(keys);
    }

    private List<Candidate> ranked(List<Grouping> survivors) {
        List<Candidate> buckets = coarse() && !spread ? coarseBuckets(survivors) : List.of();
        return Stream.concat(buckets.stream(), survivors.parallelStream().flatMap(key -> explained(key).stream()))
                .sorted(Comparator.comparingDouble(Candidate::bits))
                .toList();
    }

    private List<Grouping> withNodes(List<Grouping> keys) {
        boolean several = Arrays.stream(log.node()).distinct().count() > 1;
        if (!several) {
            return keys;
        }
        List<Grouping> all = new ArrayList<>(keys);
        for (Grouping key : keys) {
            Grouping split = key.onEachNode(log.node());
            if (all.stream().noneMatch(split::groupsLike) && split.groups() <= 0.8 * log.size()) {
                all.add(split);
            }
        }
        return all;
    }

    /** Looks at each key's buckets with most denials, and keeps the keys that explain theirs best. */
    private List<Grouping> screened(List<Grouping> keys) {
        record Score(Grouping key, double saved) {}
        List<Score> scores = keys.parallelStream()
                .map(key -> {
                    Part part = new Part(key);
                    double bits = part.trial.coarse(false).values().stream()
                            .mapToDouble(Candidate::bits)
                            .min()
                            .orElse(Double.MAX_VALUE);
                    return new Score(key, 1 - bits / Math.max(1, without(part.log)));
                })
                .sorted(Comparator.comparingDouble(Score::saved).reversed())
                .toList();
        double best = scores.get(0).saved();
        double near = NEAR_BITS / Math.max(1, without(log));
        return scores.stream()
                .limit(SURVIVORS)
                .filter(score -> score.saved() >= Math.min(WORTH * best, best - near))
                .map(Score::key)
                .toList();
    }

    private static double without(DecisionLog log) {
        return log.size() * Threshold.entropy(log.denials() / (double) log.size());
    }

    /** The decisions of the buckets with most denials, each whole where that is not too many. */
    private final class Part {
        private final DecisionLog log;
        private final Trial trial;
        private final boolean whole;

        Part(Grouping key) {
            whole = Search.this.log.size() <= SCREENED;
            boolean[] wanted = whole ? new boolean[0] : worstBuckets(Search.this.log, key);
            log = whole ? Search.this.log : Search.this.log.only(wanted);
            trial = new Trial(log, whole ? key : key.only(wanted), whole ? stamps : stamps.only(wanted), deniedWeight);
        }
    }

    private static boolean[] worstBuckets(DecisionLog log, Grouping key) {
        int[] group = key.group();
        int[] denials = new int[key.groups()];
        int[] sizes = new int[key.groups()];
        for (int i = 0; i < group.length; i++) {
            if (group[i] >= 0) {
                sizes[group[i]]++;
                denials[group[i]] += log.denied()[i] ? 1 : 0;
            }
        }
        long[] worstFirst = new long[key.groups()];
        for (int g = 0; g < worstFirst.length; g++) {
            worstFirst[g] = ((long) -denials[g] << 32) + g;
        }
        Arrays.sort(worstFirst);
        boolean[] taken = new boolean[key.groups()];
        int size = 0;
        for (long code : worstFirst) {
            int g = (int) (code & 0xFFFF_FFFFL);
            if (size == 0 || size + sizes[g] <= SCREENED) {
                taken[g] = true;
                size += sizes[g];
            }
        }
        boolean[] wanted = new boolean[group.length];
        int left = LARGEST;
        for (int i = 0; i < group.length && left > 0; i++) {
            wanted[i] = group[i] >= 0 && taken[group[i]];
            left -= wanted[i] ? 1 : 0;
        }
        return wanted;
    }

    private List<Candidate> explained(Grouping key) {
        Part part = new Part(key);
        Map<Family, Candidate> coarse = part.trial.coarse(true);
        if (coarse()) {
            coarse.keySet().removeAll(COARSE_BUCKETS);
        }
        double best =
                coarse.values().stream().mapToDouble(Candidate::bits).min().orElse(0);
        double enough = best + Math.max(NEAR_BITS, (1 - WORTH) * (without(part.log) - best));
        Trial trial = part.whole ? part.trial : new Trial(log, key, stamps, deniedWeight);
        return coarse.values().stream()
                .map(c -> {
                    Candidate close = c.bits() <= enough ? part.trial.refined(c) : c;
                    return part.whole ? close : trial.at(close.family(), close.parameter(), close.blockSeconds());
                })
                .toList();
    }

    private boolean coarse() {
        return CoarseBuckets.suits(Stamps.of(log))
                && Arrays.stream(log.excessMilli()).noneMatch(level -> level >= 0);
    }

    /** Behind coarse stamps buckets are weighed by how decisions follow each other: instead of what each decision says on its own. */
    private List<Candidate> coarseBuckets(List<Grouping> keys) {
        record Found(Grouping key, boolean whole, CoarseBuckets.Start start) {}
        List<Found> starts = keys.parallelStream()
                .flatMap(key -> {
                    Part part = new Part(key);
                    CoarseBuckets buckets = new CoarseBuckets(part.trial.key(), part.trial.series());
                    // forgotten fractions depend on each gap between requests, which coarse stamps do not show
                    return Stream.of(Family.BUCKET, Family.BUCKET_WHOLE_SECONDS)
                            .map(family -> new Found(key, part.whole, buckets.start(family)));
                })
                .sorted(Comparator.comparingDouble(found -> found.start().bits()))
                .toList();
        return starts.stream().limit(CLIMBED).toList().parallelStream()
                .map(found -> {
                    Candidate refined = found.start().refined();
                    return found.whole()
                            ? refined
                            : new CoarseBuckets(found.key(), Series.of(log, found.key(), stamps)).at(refined);
                })
                .toList();
    }

    /** Whether explanations of the same decisions are too close to call. */
    static boolean close(Candidate best, Candidate other) {
        return other.bits() - best.bits() < Reconstruction.TELLING_BITS;
    }
}
