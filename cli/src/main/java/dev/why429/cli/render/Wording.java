package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Numbers and names as people read them. */
public final class Wording {
    /** Layers from the client inwards. */
    static final List<String> LAYERS = List.of("cdn", "gateway", "app", "third_party", "unknown");

    private Wording() {}

    /** {@code 14311} → {@code 14,311}. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** At most four digits that mean something: {@code 0.3333}, {@code 20}, {@code 1,200}. */
    public static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return count((long) value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(4, RoundingMode.HALF_UP));
        return rounded.scale() <= 0
                ? count(rounded.longValue())
                : rounded.stripTrailingZeros().toPlainString();
    }

    /** {@code 0.9817} → {@code 98.2 %}; never 100 % when something is missing, never 0 % when something is there. */
    public static String share(double part) {
        double percent = part * 100;
        if (percent > 0 && percent < 0.1) {
            return "<0.1 %";
        }
        if (percent < 100 && percent > 99.9) {
            return ">99.9 %";
        }
        return number(Math.rint(percent * 10) / 10) + " %";
    }

    public static String share(long part, long whole) {
        return whole == 0 ? "–" : share((double) part / whole);
    }

    /** {@code 20}, {@code 20–25}, {@code ≥ 20}, {@code ≤ 25}, {@code any}. */
    public static String interval(Optional<Double> low, Optional<Double> high) {
        if (low.isPresent() && high.isPresent()) {
            String from = number(low.get());
            String to = number(high.get());
            return from.equals(to) ? from : from + "–" + to;
        }
        return low.map(value -> "≥ " + number(value))
                .or(() -> high.map(value -> "≤ " + number(value)))
                .orElse("any");
    }

    public static String interval(Case.Interval interval) {
        return interval(interval.low(), interval.high());
    }

    /** {@code third_party} → {@code third party}. */
    public static String words(String name) {
        return name.replace('_', ' ').replace('-', ' ');
    }

    /** {@code 20 per 20 s}, {@code 5/s, burst 10}, with intervals where they are intervals; empty when nothing is known. */
    public static String parameters(Case.Limiter limiter) {
        StringBuilder text = new StringBuilder();
        limiter.limit().ifPresent(limit -> text.append(interval(limit)));
        limiter.windowSeconds()
                .ifPresent(window -> text.append(text.isEmpty() ? "window " : " per ")
                        .append(interval(window))
                        .append(" s"));
        limiter.ratePerSecond()
                .ifPresent(rate -> text.append(text.isEmpty() ? "" : ", ")
                        .append(interval(rate))
                        .append("/s"));
        limiter.burst()
                .ifPresent(burst ->
                        text.append(text.isEmpty() ? "" : ", ").append("burst ").append(interval(burst)));
        limiter.tiers()
                .ifPresent(tiers -> text.append(text.isEmpty() ? "" : ", ")
                        .append(tiers.size())
                        .append(" tiers"));
        limiter.blockSeconds()
                .ifPresent(block -> text.append(text.isEmpty() ? "" : ", ")
                        .append("then blocked ")
                        .append(number(block))
                        .append(" s"));
        return text.toString();
    }

    /** {@code api_key + route}; one bucket for everybody when there is no field. */
    public static String key(List<String> fields) {
        return fields.isEmpty() ? "everybody together" : String.join(" + ", fields);
    }
}
