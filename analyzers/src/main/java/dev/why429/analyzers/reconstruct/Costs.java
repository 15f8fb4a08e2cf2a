package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A bucket from which requests take more than one token, by route: what is denied although one token would be there costs more.
 *
 * @param byRoute tokens for each route that costs other than one
 * @param series the decisions with what each would take
 * @param candidate the bucket, its capacity in tokens
 */
record Costs(Map<String, Double> byRoute, Series series, Candidate candidate) {
    private static final List<String> FIELDS = List.of("route", KeyCandidates.ROUTE_PREFIX, "path");
    private static final int MOST_ROUTES = 40;
    private static final int ROUNDS = 2;
    private static final double[] TOKENS = {1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 75, 100};
    /** What it costs to name a route and its tokens. */
    private static final double ROUTE_BITS = 10;

    /** The best costs under the best bucket, if there are any. */
    static Optional<Costs> best(DecisionLog log, Stamps stamps, Candidate bucket) {
        if (bucket.family() != Family.BUCKET || bucket.range().isPresent()) {
            return Optional.empty();
        }
        return FIELDS.stream()
                .map(field -> log.keyNames().indexOf(field))
                .filter(f -> f >= 0)
                .flatMap(f -> new Search(log, stamps, bucket, f).best().stream())
                .min(Comparator.comparingDouble(c -> c.candidate().bits()));
    }

    private static final class Search {
        private final DecisionLog log;
        private final int field;
        private final Trial trial;
        private final Series series;
        private final double[] tokens;
        private double rate;

        Search(DecisionLog log, Stamps stamps, Candidate bucket, int field) {
            this.log = log;
            this.field = field;
            this.trial = new Trial(log, bucket.key(), stamps, Threshold.WRONG_BITS);
            this.series = trial.series();
            int routes = Arrays.stream(log.keyValue()[field]).max().orElse(-1) + 1;
            this.tokens = new double[routes];
            Arrays.fill(tokens, 1);
            this.rate = bucket.parameter();
        }

        Optional<Costs> best() {
            if (tokens.length < 2 || tokens.length > MOST_ROUTES) {
                return Optional.empty();
            }
            Candidate best = tried();
            for (int round = 0; round < ROUNDS; round++) {
                for (int route : mostDenied()) {
                    double before = tokens[route];
                    double chosen = before;
                    for (double t : TOKENS) {
                        tokens[route] = t;
                        Candidate tried = tried();
                        if (tried.bits() < best.bits() - (before == 1 ? ROUTE_BITS : 0)) {
                            best = tried;
                            chosen = t;
                        }
                    }
                    tokens[route] = chosen;
                }
                weigh();
                best = trial.refined(best);
                rate = best.parameter();
            }
            weigh();
            Map<String, Double> byRoute = new TreeMap<>();
            for (int route = 0; route < tokens.length; route++) {
                if (tokens[route] != 1) {
                    byRoute.put(log.keyText(field, route), tokens[route]);
                }
            }
            if (byRoute.isEmpty() || byRoute.size() == tokens.length) {
                return Optional.empty();
            }
            return Optional.of(new Costs(byRoute, series, best.costing(ROUTE_BITS * byRoute.size())));
        }

        private List<Integer> mostDenied() {
            int[] denials = new int[tokens.length];
            for (int i = 0; i < log.size(); i++) {
                int route = log.keyValue()[field][i];
                if (route >= 0 && log.denied()[i]) {
                    denials[route]++;
                }
            }
            List<Integer> order = new ArrayList<>();
            for (int route = 0; route < tokens.length; route++) {
                if (denials[route] > 0) {
                    order.add(route);
                }
            }
            order.sort(Comparator.comparingInt(route -> -denials[route]));
            return order;
        }

        private Candidate tried() {
            weigh();
            return trial.at(Family.BUCKET, rate, 0);
        }

        private void weigh() {
            for (int k = 0; k < series.size(); k++) {
                int route = log.keyValue()[field][series.source[k]];
                series.tokens[k] = route < 0 ? 1 : tokens[route];
            }
        }
    }
}
