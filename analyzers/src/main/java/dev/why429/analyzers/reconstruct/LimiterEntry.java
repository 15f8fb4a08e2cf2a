package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.casefile.Case;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes an explanation down as the case has it. */
final class LimiterEntry {
    private static final int SHOWN_DISAGREEMENTS = 20;
    /** Where more than one decision in twenty contradicts it, the way of counting is another than any that is known, and so are its numbers. */
    private static final double IDENTIFIED_SHARE_WRONG = 0.05;

    private static final double DOUBTFUL_LEVELS = 0.02;

    private final Explanations.Explained explained;
    private final DecisionLog log;
    private final Candidate best;
    private final Trial trial;
    private final Range range;

    private LimiterEntry(Explanations.Explained explained) {
        this.explained = explained;
        this.log = explained.log();
        this.best = explained.best();
        this.trial = new Trial(log, best.key(), explained.stamps(), Threshold.WRONG_BITS);
        explained.costs().ifPresent(c -> trial.series().take(c.series()));
        // what the stamps leave open must not be narrowed by how the lines are taken to be spread over a second
        Trial honest = new Trial(log, best.key(), Stamps.of(log), Threshold.WRONG_BITS);
        explained.costs().ifPresent(c -> honest.series().take(c.series()));
        Range fitted = explained.tiers().isPresent()
                ? new Range(best.parameter(), best.parameter(), 0, 0)
                : best.range()
                        .orElseGet(() ->
                                Range.around(honest, honest.at(best.family(), best.parameter(), best.blockSeconds())));
        this.range = counted(fitted);
    }

    /**
     * Where levels that the server wrote contradict the moments of the log, as when requests wait before they are answered, a bucket's rate is told
     * by what it let through between denials: that needs no exact moment.
     */
    private Range counted(Range fitted) {
        List<Double> counted = Spells.rates(trial.series());
        boolean doubtful = best.family() == Family.BUCKET
                && best.levels().contradicted() > DOUBTFUL_LEVELS * trial.series().levels;
        return doubtful && !counted.isEmpty() ? fitted.withRate(counted.get(0)) : fitted;
    }

    static Case.Limiter of(Explanations.Explained explained) {
        return new LimiterEntry(explained).entry();
    }

    private Case.Limiter entry() {
        Family family = best.family();
        boolean rate = family.hasRate();
        List<String> disagreements = disagreements();
        long decisions = log.size();
        long mismatches = best.fit().wrong();
        Case.Interval threshold = threshold();
        boolean identified = identified();
        Optional<QuotaPromise> promise = QuotaPromise.of(log);
        Optional<Case.Interval> limit =
                rate || !identified || explained.tiers().isPresent() ? Optional.empty() : Optional.of(threshold);
        Optional<Case.Interval> parameter = identified ? Optional.of(range.parameter(family)) : Optional.empty();
        int nodes =
                (int) Arrays.stream(log.node()).filter(v -> v >= 0).distinct().count();
        boolean perNode = best.key().perNode();
        return new Case.Limiter(
                "",
                log.layer(),
                log.component(),
                identified ? algorithm() : "unknown",
                identified ? equivalent() : mostLike(),
                Naming.fields(best.key().fields()),
                equivalentKeys(),
                nodes <= 1 ? "unknown" : perNode ? "per_node" : "shared",
                nodes == 0 ? Optional.empty() : Optional.of(nodes),
                limit,
                rate ? Optional.empty() : parameter,
                rate ? parameter : Optional.empty(),
                rate && identified ? Optional.of(threshold) : Optional.empty(),
                identified ? family.alignment : "unknown",
                identified ? family.deniedCount : Optional.empty(),
                explained.tiers().map(LimiterEntry::tiers),
                identified && family == Family.LOG_BLOCK ? Optional.of(best.blockSeconds()) : Optional.empty(),
                explained.costs().map(Costs::byRoute),
                identified && explained.tiers().isEmpty()
                        ? effective(threshold, perNode ? nodes : 1)
                        : Optional.empty(),
                promise.map(QuotaPromise::declared),
                decisions,
                mismatches,
                decisions == 0 ? 0 : Math.rint((1 - mismatches / (double) decisions) * 1e4) / 1e4,
                runnerUp(),
                because(nodes, promise.filter(p -> identified && !rate).flatMap(p -> p.contradiction(threshold))),
                disagreements,
                moment(0),
                moment(log.size() - 1));
    }

    private static List<Case.Tier> tiers(Tiers tiers) {
        return tiers.tiers().stream()
                .map(t -> new Case.Tier(
                        Optional.of(Case.Interval.between(t.low(), t.high())),
                        Optional.empty(),
                        Optional.empty(),
                        t.keys(),
                        List.of()))
                .toList();
    }

    private boolean identified() {
        return best.fit().wrong() <= IDENTIFIED_SHARE_WRONG * log.size();
    }

    private List<String> mostLike() {
        List<String> names = new ArrayList<>(List.of(algorithm()));
        names.addAll(equivalent());
        return names;
    }

    private Instant moment(int decision) {
        return Instant.EPOCH.plus(log.arrivalMicros()[decision], ChronoUnit.MICROS);
    }

    private static Optional<Double> effective(Case.Interval threshold, int nodes) {
        return threshold.low().isPresent() && threshold.low().equals(threshold.high())
                ? Optional.of(threshold.low().orElseThrow() * nodes)
                : Optional.empty();
    }

    /** The limit, or the burst: a bucket of capacity C allows while C − 1 or fewer tokens are in use. */
    private Case.Interval threshold() {
        Family family = best.family();
        // counts: allowed while the count is at most the value; the limit is one more. Buckets alike: capacity is one
        // more than may be in use.
        // Weighted counts: allowed while below the limit
        boolean belowLimit = !family.counts() && !family.hasRate();
        double grain = 1.0 / best.fit().scale();
        double low = range.thresholdLow() + (belowLimit ? 0 : 1);
        double high = range.thresholdHigh() + (belowLimit ? grain : 1);
        if (!family.counts()) {
            double wholeLow = Math.ceil(low - 0.05);
            double wholeHigh = Math.floor(high + 0.05);
            if (wholeLow <= wholeHigh) {
                low = wholeLow;
                high = wholeHigh;
            } else {
                wholeLow = Math.rint((low + high) / 2);
                low = Math.min(wholeLow, Range.rounded(low));
                high = Math.max(wholeLow, Range.rounded(high));
            }
        }
        return best.fit().bounded()
                ? Case.Interval.between(low, high)
                : new Case.Interval(Optional.of(low), Optional.empty());
    }

    private String algorithm() {
        return best.family() == Family.BUCKET && Naming.leaky(log.component())
                ? "leaky_bucket"
                : best.family().algorithm;
    }

    private List<String> equivalent() {
        List<String> names = new ArrayList<>();
        if (best.family() == Family.BUCKET) {
            names.addAll(List.of("token_bucket", "leaky_bucket", "gcra"));
        }
        for (Candidate c : explained.ranked()) {
            if (c.key().isKey(best.key()) && Search.close(best, c)) {
                names.add(c.family().algorithm);
            }
        }
        String own = algorithm();
        return names.stream().distinct().filter(n -> !n.equals(own)).toList();
    }

    private List<List<String>> equivalentKeys() {
        List<List<String>> keys = new ArrayList<>(best.key().same());
        for (Candidate c : explained.ranked()) {
            if (!c.key().isKey(best.key()) && c.key().perNode() == best.key().perNode() && Search.close(best, c)) {
                keys.add(c.key().fields());
                keys.addAll(c.key().same());
            }
        }
        return keys.stream()
                .map(Naming::fields)
                .distinct()
                .filter(k -> !k.equals(Naming.fields(best.key().fields())))
                .toList();
    }

    private Optional<Case.RunnerUp> runnerUp() {
        return explained.ranked().stream()
                .skip(1)
                .filter(c -> !c.key().isKey(best.key()) || !c.family().algorithm.equals(best.family().algorithm))
                .findFirst()
                .map(c -> new Case.RunnerUp(
                        c.family().words + " per " + Naming.key(c.key()),
                        Math.rint((c.bits() - best.bits()) * 10) / 10));
    }

    private List<String> because(int nodes, Optional<String> contradiction) {
        Threshold.Fit fit = best.fit();
        List<String> texts = new ArrayList<>();
        texts.add(String.format(
                Locale.ROOT,
                "%s per %s explains %d of %d decisions, %d of them denials",
                capital(best.family().words),
                Naming.key(best.key()),
                log.size() - fit.wrong(),
                log.size(),
                log.denials() - fit.deniedBelow()));
        if (!identified()) {
            texts.add(
                    "that is too few to call it the way of counting: it is another one, or requests cost differently, or keys have"
                            + " limits of their own");
        }
        if (fit.wrong() > 0) {
            texts.add(fit.allowedAbove() + " requests were allowed above the limit, " + fit.deniedBelow()
                    + " denied below it");
        }
        if (fit.open() > 0) {
            texts.add(fit.open() + " decisions are left open by the resolution of the stamps");
        }
        texts.add(String.format(
                Locale.ROOT,
                "the decisions cost %.0f bits under it, %.0f without any limiter",
                best.bits(),
                explained.nullBits()));
        contradiction.ifPresent(texts::add);
        explained.costs().ifPresent(c -> texts.add("requests take other than one token: " + c.byRoute()));
        explained.leftOut().ifPresent(texts::add);
        explained
                .tiers()
                .ifPresent(t -> texts.add("one limit for all keys contradicts itself; "
                        + t.tiers().size() + " limits, by key, do not"));
        if (best.key().perNode()) {
            texts.add("each of " + nodes + " nodes counts for itself: counted together the same decisions contradict"
                    + " each other");
        }
        return texts;
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private List<String> disagreements() {
        if (explained.tiers().isPresent()) {
            return List.of();
        }
        if (best.range().isPresent()) {
            return new CoarseBuckets(best.key(), trial.series())
                    .unforeseen(best).stream()
                            .sorted()
                            .limit(SHOWN_DISAGREEMENTS)
                            .map(log::evidence)
                            .toList();
        }
        double[][] statistic = trial.statistic(best);
        Series s = trial.series();
        int scale = best.fit().scale();
        int at = best.fit().best();
        List<Integer> wrong = new ArrayList<>();
        for (int i = 0; i < s.size(); i++) {
            boolean reached = Threshold.bin(statistic[0][i], scale) >= at;
            boolean mayReach = Threshold.bin(statistic[1][i], scale) >= at;
            if (s.denied[i] ? !mayReach : reached) {
                wrong.add(s.source[i]);
            }
        }
        return wrong.stream()
                .sorted()
                .limit(SHOWN_DISAGREEMENTS)
                .map(log::evidence)
                .toList();
    }
}
