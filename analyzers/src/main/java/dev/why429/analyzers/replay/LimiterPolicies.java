package dev.why429.analyzers.replay;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.casefile.Case;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A limiter that was found in the logs, written as policies: one where the log says its numbers exactly, several where it only bounds them. */
public final class LimiterPolicies {
    /** More digits than any configuration has, few enough to be counted exactly. */
    private static final MathContext RATE_DIGITS = new MathContext(4);

    private LimiterPolicies() {}

    /**
     * The policies that a limiter may be, likeliest first.
     *
     * @return empty where no reference limiter counts so: the algorithm is unknown, a block follows a denial, or the key is of a field that policies
     *     cannot count by
     */
    public static List<Policy> of(Case.Limiter limiter) {
        return key(limiter.key(), limiter.scope().equals("per_node"))
                .map(key -> of(limiter, key))
                .orElse(List.of());
    }

    /** The same limit counted by another key. */
    static List<Policy> by(Case.Limiter limiter, String key) {
        return of(limiter, key);
    }

    /** Key as a policy writes it; empty where a field is none of {@link PolicyKey#FIELDS}. */
    static Optional<String> key(List<String> fields, boolean perNode) {
        List<String> parts = new ArrayList<>(fields);
        if (perNode && !parts.contains("node")) {
            parts.add("node");
        }
        boolean known = parts.stream()
                .flatMap(part -> java.util.Arrays.stream(part.split("\\|", -1)))
                .allMatch(PolicyKey.FIELDS::contains);
        return known ? Optional.of(parts.isEmpty() ? "global" : String.join("+", parts)) : Optional.empty();
    }

    private static List<Policy> of(Case.Limiter limiter, String key) {
        if (limiter.blockSeconds().isPresent()) {
            return List.of();
        }
        String rest = ",key=" + key + costs(limiter.cost().orElse(Map.of()));
        Set<String> texts = new LinkedHashSet<>();
        if (limiter.tiers().isPresent() && !limiter.tiers().get().isEmpty()) {
            for (Case.Tier tier : limiter.tiers().get()) {
                texts.addAll(texts(limiter, tier.limit(), tier.ratePerSecond(), tier.burst(), rest));
            }
        } else {
            texts.addAll(texts(limiter, limiter.limit(), limiter.ratePerSecond(), limiter.burst(), rest));
        }
        List<Policy> policies = new ArrayList<>();
        for (String text : texts) {
            try {
                policies.add(Policy.parse(text));
            } catch (InputProblem e) {
                // numbers that no reference limiter can hold exactly
            }
        }
        return List.copyOf(policies);
    }

    private static List<String> texts(
            Case.Limiter limiter,
            Optional<Case.Interval> limit,
            Optional<Case.Interval> rate,
            Optional<Case.Interval> burst,
            String rest) {
        List<String> texts = new ArrayList<>();
        switch (limiter.algorithm()) {
            case "token_bucket", "leaky_bucket" -> {
                boolean nginx = limiter.algorithm().equals("leaky_bucket");
                for (double r : values(rate)) {
                    for (double b : wholes(burst)) {
                        String name = nginx ? "leaky-bucket" : "token-bucket";
                        texts.add(name + ":rate=" + number(r) + "/s,burst=" + number(nginx ? b - 1 : b) + rest);
                    }
                }
            }
            case "fixed_window", "quota" ->
                windows(limiter, limit, window -> {
                    if (!limiter.alignment().equals("first_request")) {
                        texts.add("fixed-window:" + window + rest);
                    }
                    if (!limiter.alignment().equals("clock")) {
                        texts.add("fixed-window:" + window + ",align=first" + rest);
                    }
                });
            case "sliding_window_log" -> windows(limiter, limit, window -> texts.add("sliding-log:" + window + rest));
            case "sliding_window_counter" ->
                windows(limiter, limit, window -> texts.add("sliding-counter:" + window + rest));
            case "concurrency" -> wholes(limit).forEach(most -> texts.add("concurrency:limit=" + number(most) + rest));
            default -> {
                // unknown: nothing to replay
            }
        }
        return texts;
    }

    private static void windows(
            Case.Limiter limiter, Optional<Case.Interval> limit, java.util.function.Consumer<String> each) {
        for (double most : wholes(limit)) {
            for (double window : values(limiter.windowSeconds())) {
                each.accept("limit=" + number(most) + ",window=" + Math.round(window * 1000) + "ms");
            }
        }
    }

    /** The middle, then the ends. */
    private static List<Double> values(Optional<Case.Interval> interval) {
        if (interval.isEmpty()) {
            return List.of();
        }
        Optional<Double> low = interval.get().low();
        Optional<Double> high = interval.get().high();
        Set<Double> values = new LinkedHashSet<>();
        if (low.isPresent() && high.isPresent()) {
            values.add((low.get() + high.get()) / 2);
        }
        low.ifPresent(values::add);
        high.ifPresent(values::add);
        return values.stream().filter(v -> v > 0).toList();
    }

    private static List<Double> wholes(Optional<Case.Interval> interval) {
        Set<Double> wholes = new LinkedHashSet<>();
        for (double value : values(interval)) {
            wholes.add(Math.max(1, Math.rint(value)));
        }
        return List.copyOf(wholes);
    }

    static String number(double value) {
        return value == Math.rint(value)
                ? Long.toString((long) value)
                : new BigDecimal(value).round(RATE_DIGITS).stripTrailingZeros().toPlainString();
    }

    private static String costs(Map<String, Double> costs) {
        return costs.entrySet().stream()
                .filter(cost -> cost.getKey().startsWith("/") && cost.getValue() >= 1)
                .map(cost -> ",cost." + cost.getKey() + "=" + Math.round(cost.getValue()))
                .sorted()
                .collect(Collectors.joining());
    }
}
