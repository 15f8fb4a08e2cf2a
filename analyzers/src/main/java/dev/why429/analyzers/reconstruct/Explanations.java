package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.casefile.Case;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Decides which explanations are good enough to be called limiters. */
record Explanations(List<Explained> accepted, List<Case.Skipped> skipped, List<Case.BlindSpot> blindSpots) {
    /** Fewer denials than this say next to nothing about a limiter. */
    private static final int LEAST_DENIALS = 5;
    /** An explanation must at least halve what the decisions cost without a limiter. */
    private static final double GAIN = 0.6;

    /** Where stamps are so coarse that no decision is certain: so many bits better than what denies by habit alone. */
    private static final double COARSE_GAIN_BITS = 20;

    /** Of the decisions so many may contradict an explanation before others are looked for that differ by key or leave out a stretch. */
    private static final double MOSTLY = 0.03;
    /** And these must be so much better. */
    private static final double MUCH_BETTER = 0.6;

    private static final double WORTH_MORE_BITS = 40;

    private static final double LARGEST_WRONG_SHARE = 0.15;

    /**
     * @param log the decisions that it explains
     * @param ranked it and its rivals, best first
     * @param nullBits what the decisions cost without any limiter
     * @param tiers limits that differ by key
     * @param costs tokens that requests take, by route
     * @param leftOut which decisions were left out of it, and why, as a sentence
     */
    record Explained(
            DecisionLog log,
            Stamps stamps,
            List<Candidate> ranked,
            double nullBits,
            Optional<Tiers> tiers,
            Optional<String> leftOut,
            Optional<Costs> costs) {
        Explained(DecisionLog log, Stamps stamps, List<Candidate> ranked, double nullBits) {
            this(log, stamps, ranked, nullBits, Optional.empty(), Optional.empty(), Optional.empty());
        }

        Candidate best() {
            return ranked.get(0);
        }

        /** The keys that were looked at closely. */
        List<Grouping> keys() {
            return ranked.stream().map(Candidate::key).distinct().toList();
        }
    }

    static Explanations of(DecisionLog log) {
        List<Explained> accepted = new ArrayList<>();
        List<Case.Skipped> skipped = new ArrayList<>();
        if (log.denials() < LEAST_DENIALS) {
            if (log.denials() > 0) {
                skipped.add(new Case.Skipped(
                        "limiter of " + log.component(),
                        log.denials() + " denials are too few to tell a limiter from",
                        "a longer stretch of the log, with more denials"));
            }
            return new Explanations(accepted, skipped, List.of());
        }
        Explained explained = explained(log);
        List<Explained> changed = changed(explained);
        if (!changed.isEmpty()) {
            accepted.addAll(changed);
        } else if (convincing(explained) && mostlyRight(explained)) {
            accepted.add(explained);
        } else {
            Optional<Explained> other = otherwise(explained);
            if (other.isPresent() || convincing(explained)) {
                accepted.add(other.orElse(explained));
                return new Explanations(accepted, skipped, List.of());
            }
            skipped.add(
                    new Case.Skipped(
                            "limiter of " + log.component(),
                            String.format(
                                    Locale.ROOT,
                                    "no key and way of counting explains its %d denials among %d requests clearly better than chance",
                                    log.denials(),
                                    log.size()),
                            "the field that the limiter counts by in the log, stamps in milliseconds, and every request of the layer"));
        }
        return new Explanations(accepted, skipped, List.of());
    }

    static Explained explained(DecisionLog log) {
        double nullBits = log.size() * Threshold.entropy(log.denials() / (double) log.size());
        Stamps full = Stamps.of(log);
        Explained explained = new Explained(log, full, Search.ranked(log, full, Threshold.WRONG_BITS), nullBits);
        return full.spread()
                .map(spread -> new Explained(
                        log,
                        spread,
                        Search.rankedSpread(log, spread, Threshold.WRONG_BITS, explained.keys()),
                        nullBits))
                .filter(other -> other.best().bits() < explained.best().bits())
                .orElse(explained);
    }

    private static boolean mostlyRight(Explained explained) {
        return explained.best().fit().wrong() <= MOSTLY * explained.log().size();
    }

    /** What explains clearly more than one limit for everybody and all the time: tiers, or a stretch in which nothing was limited. */
    private static Optional<Explained> otherwise(Explained explained) {
        DecisionLog log = explained.log();
        Optional<Explained> tiered = Tiers.best(log, explained.stamps(), explained.keys())
                .map(tiers -> new Explained(
                        log,
                        explained.stamps(),
                        List.of(tiers.candidate()),
                        explained.nullBits(),
                        Optional.of(tiers),
                        Optional.empty(),
                        Optional.empty()));
        Optional<Explained> costly = Costs.best(log, explained.stamps(), explained.best())
                .map(costs -> new Explained(
                        log,
                        explained.stamps(),
                        List.of(costs.candidate()),
                        explained.nullBits(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(costs)));
        Optional<Explained> open = Outage.of(log).map(outage -> {
            Explained rest = explained(log.only(outage.others()));
            return new Explained(
                    rest.log(),
                    rest.stamps(),
                    rest.ranked(),
                    rest.nullBits(),
                    Optional.empty(),
                    Optional.of(outage.words()),
                    Optional.empty());
        });
        return Stream.of(open, tiered, costly)
                .flatMap(Optional::stream)
                .filter(other -> convincing(other)
                        && mostlyRight(other)
                        && other.best().bits() + WORTH_MORE_BITS
                                < MUCH_BETTER * explained.best().bits())
                .min(Comparator.comparingDouble(other -> other.best().bits()));
    }

    /** The limiter before and after a change of its parameters; empty where there is none. */
    private static List<Explained> changed(Explained explained) {
        OptionalInt cut = Changes.cut(explained.log(), explained.stamps(), explained.best());
        if (cut.isEmpty()) {
            return List.of();
        }
        boolean[] before = new boolean[explained.log().size()];
        boolean[] after = new boolean[before.length];
        Arrays.fill(before, 0, cut.getAsInt(), true);
        Arrays.fill(after, cut.getAsInt(), after.length, true);
        Explained first = explained(explained.log().only(before));
        Explained second = explained(explained.log().only(after));
        boolean sameLimiter = first.log().denials() >= LEAST_DENIALS
                && second.log().denials() >= LEAST_DENIALS
                && convincing(first)
                && convincing(second)
                && first.best().key().isKey(second.best().key())
                && first.best().family() == second.best().family()
                && first.best().differs(second.best());
        return sameLimiter ? List.of(first, second) : List.of();
    }

    static boolean convincing(Explained explained) {
        Candidate best = explained.best();
        if (best.range().isPresent()) {
            double without = Math.min(explained.nullBits(), Habits.bits(explained.log(), best.key()));
            return best.bits() + COARSE_GAIN_BITS < without
                    && best.fit().wrong()
                            <= LARGEST_WRONG_SHARE * explained.log().size();
        }
        return best.fit().bits() + Reconstruction.TELLING_BITS < GAIN * explained.nullBits()
                && best.fit().wrong() <= LARGEST_WRONG_SHARE * explained.log().size()
                && best.fit().deniedBelow() <= 0.5 * explained.log().denials();
    }
}
