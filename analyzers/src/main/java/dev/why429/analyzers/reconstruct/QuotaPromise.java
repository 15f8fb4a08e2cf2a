package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.casefile.Case;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the limiter's own quota headers promised, over all of its logged answers.
 *
 * @param limit the limit that most of them name
 * @param windowSeconds the window of their policies, where they name just one
 * @param naming answers that name this limit
 * @param answers answers that name any limit
 */
record QuotaPromise(int limit, Optional<Double> windowSeconds, int naming, int answers) {
    /** Empty where no answer bears a quota header that was logged. */
    static Optional<QuotaPromise> of(DecisionLog log) {
        Map<Integer, Integer> named = new HashMap<>();
        for (int limit : log.limitHeader()) {
            if (limit >= 0) {
                named.merge(limit, 1, Integer::sum);
            }
        }
        int answers = named.values().stream().mapToInt(n -> n).sum();
        Optional<Double> window =
                log.windowsDeclared().length == 1 ? Optional.of(log.windowsDeclared()[0]) : Optional.empty();
        return named.entrySet().stream()
                .max(Map.Entry.<Integer, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(most -> new QuotaPromise(most.getKey(), window, most.getValue(), answers));
    }

    Case.Declared declared() {
        String text = limit
                + windowSeconds
                        .map(w -> " per " + (w == Math.rint(w) ? Long.toString(Math.round(w)) : Double.toString(w))
                                + " s")
                        .orElse(" requests");
        return new Case.Declared(text, "quota headers of " + naming + " of " + answers + " answers that bear one");
    }

    /** How the decisions contradict the promise, as a sentence; empty where they do not. */
    Optional<String> contradiction(Case.Interval effective) {
        boolean above = effective.low().filter(low -> low > limit).isPresent();
        boolean below = effective.high().filter(high -> high < limit).isPresent();
        return above || below
                ? Optional.of("the quota headers promise " + limit + ", the decisions show a limit "
                        + (above ? "above" : "below") + " it")
                : Optional.empty();
    }
}
