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
    private static final int SCREENED = 5_000;

    private static final int SURVIVORS = 5;

    private final DecisionLog log;
    private final Stamps stamps;
    private final int deniedWeight;

    private Search(DecisionLog log, Stamps stamps, int deniedWeight) {
        this.log = log;
        this.stamps = stamps;
        this.deniedWeight = deniedWeight;
    }

    /**
     * @param deniedWeight bits of a denial that an explanation leaves over
     * @return best first; per key and family the best parameters; empty when nothing was denied
     */
    static List<Candidate> ranked(DecisionLog log, Stamps stamps, int deniedWeight) {
        return log.denials() == 0 ? List.of() : new Search(log, stamps, deniedWeight).ranked();
    }

    private List<Candidate> ranked() {
        List<Grouping> keys = withNodes(KeyCandidates.of(log));
        List<Grouping> survivors = keys.size() <= SURVIVORS ? keys : screened(keys);
        return survivors.parallelStream()
                .flatMap(key -> explained(key).stream())
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

    private List<Grouping> screened(List<Grouping> keys) {
        boolean whole = log.size() <= SCREENED;
        boolean[] slice = busiest();
        DecisionLog part = whole ? log : log.only(slice);
        record Score(Grouping key, double bits) {}
        Stamps partStamps = whole ? stamps : stamps.only(slice);
        List<Score> scores = keys.parallelStream()
                .map(key -> {
                    Trial trial = new Trial(part, whole ? key : key.only(slice), partStamps, deniedWeight);
                    double bits = trial.coarse(false).values().stream()
                            .mapToDouble(Candidate::bits)
                            .min()
                            .orElse(Double.MAX_VALUE);
                    return new Score(key, bits);
                })
                .sorted(Comparator.comparingDouble(Score::bits))
                .toList();
        return scores.stream().limit(SURVIVORS).map(Score::key).toList();
    }

    /** The stretch of the log with most denials. */
    private boolean[] busiest() {
        int n = log.size();
        int best = 0;
        int most = -1;
        for (int from = 0; from + SCREENED <= n; from += SCREENED / 4) {
            int denials = 0;
            for (int i = from; i < from + SCREENED; i++) {
                denials += log.denied()[i] ? 1 : 0;
            }
            if (denials > most) {
                most = denials;
                best = from;
            }
        }
        boolean[] slice = new boolean[n];
        Arrays.fill(slice, best, Math.min(n, best + SCREENED), true);
        return slice;
    }

    private List<Candidate> explained(Grouping key) {
        Trial trial = new Trial(log, key, stamps, deniedWeight);
        Map<Family, Candidate> coarse = log.size() <= SCREENED ? trial.coarse(true) : fromSlice(key, trial);
        double best =
                coarse.values().stream().mapToDouble(Candidate::bits).min().orElse(0);
        return coarse.values().stream()
                .map(c -> c.bits() <= 3 * best + 300 ? trial.refined(c) : c)
                .flatMap(Stream::of)
                .toList();
    }

    /** The grids on the busiest stretch; what they find there is then weighed on all decisions. */
    private Map<Family, Candidate> fromSlice(Grouping key, Trial whole) {
        boolean[] slice = busiest();
        Trial part = new Trial(log.only(slice), key.only(slice), stamps.only(slice), deniedWeight);
        Map<Family, Candidate> found = part.coarse(true);
        found.replaceAll((family, c) -> whole.at(family, c.parameter(), c.blockSeconds()));
        return found;
    }

    /** Whether explanations of the same decisions are too close to call. */
    static boolean close(Candidate best, Candidate other) {
        return other.bits() - best.bits() < Reconstruction.TELLING_BITS;
    }
}
