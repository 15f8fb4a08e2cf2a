package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.Place;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A limit as configuration or code states it: what was promised, whatever happens in fact.
 *
 * @param technology whose words it is written in: {@code nginx}, {@code envoy}, {@code kong}, …
 * @param name of the zone, rule, route or plugin; empty when it has none
 * @param limit requests that a window admits, or the most at a time for {@link Algorithm#CONCURRENCY}; empty when only a rate is told
 * @param windowSeconds length of the window; empty when there is none
 * @param ratePerSecond steady rate; empty when it is only known as limit and window
 * @param burst requests beyond the steady rate: the size of the bucket, or nginx's {@code burst}; empty when it is not told
 * @param key what is counted by, as written: {@code $binary_remote_addr}, {@code ip}, {@code header:x-api-key}; empty when it is not told
 * @param status of refusals; empty when it is not told
 * @param place where it stands
 */
public record DeclaredLimit(
        String technology,
        String name,
        Algorithm algorithm,
        OptionalDouble limit,
        OptionalDouble windowSeconds,
        OptionalDouble ratePerSecond,
        OptionalDouble burst,
        String key,
        Store store,
        OptionalInt status,
        Place place) {
    /** How it counts. */
    public enum Algorithm {
        FIXED_WINDOW,
        SLIDING_WINDOW,
        TOKEN_BUCKET,
        /** nginx's limit_req and its kin: spacing, with a queue or an allowance of {@code burst} */
        LEAKY_BUCKET,
        CONCURRENCY,
        UNKNOWN
    }

    /** Who shares the counters. */
    public enum Store {
        /** each process, pod or gateway node for itself */
        LOCAL,
        SHARED,
        UNKNOWN
    }

    /** Steady requests per second: as told, or limit over window. */
    public OptionalDouble perSecond() {
        if (ratePerSecond.isPresent()) {
            return ratePerSecond;
        }
        return limit.isPresent() && windowSeconds.isPresent() && windowSeconds.getAsDouble() > 0
                ? OptionalDouble.of(limit.getAsDouble() / windowSeconds.getAsDouble())
                : OptionalDouble.empty();
    }

    /** {@code 300 per 60 s}, {@code 5 per s, burst 10}, {@code 20 at a time}. */
    public String budget() {
        StringBuilder text = new StringBuilder();
        if (algorithm == Algorithm.CONCURRENCY) {
            return plain(limit.orElse(0)) + " at a time";
        }
        if (limit.isPresent()) {
            text.append(plain(limit.getAsDouble()));
            windowSeconds.ifPresent(s ->
                    text.append(" per ").append(s == 1 ? "" : plain(s) + " ").append('s'));
        } else if (ratePerSecond.isPresent()) {
            double rate = ratePerSecond.getAsDouble();
            text.append(rate < 1 && rate > 0 ? plain(rate * 60) + " per 60 s" : plain(rate) + " per s");
        } else {
            text.append("an unknown number");
        }
        burst.ifPresent(b -> text.append(", burst ").append(plain(b)));
        return text.toString();
    }

    /** The argument of {@code replay --policy} that behaves so; empty when a number is missing. */
    public Optional<String> policy() {
        OptionalDouble rate = perSecond();
        return switch (algorithm) {
            case CONCURRENCY ->
                limit.isPresent() ? Optional.of("concurrency:limit=" + plain(limit.getAsDouble())) : Optional.empty();
            case FIXED_WINDOW, SLIDING_WINDOW, UNKNOWN ->
                limit.isPresent() && windowSeconds.isPresent()
                        ? Optional.of((algorithm == Algorithm.SLIDING_WINDOW ? "sliding-log" : "fixed-window")
                                + ":limit=" + plain(limit.getAsDouble()) + ",window="
                                + plain(windowSeconds.getAsDouble()) + "s")
                        : Optional.empty();
            case TOKEN_BUCKET, LEAKY_BUCKET ->
                rate.isPresent() && rate.getAsDouble() > 0
                        ? Optional.of((algorithm == Algorithm.TOKEN_BUCKET ? "token-bucket" : "leaky-bucket") + ":rate="
                                + rate(rate.getAsDouble()) + ",burst=" + plain(burst.orElse(limit.orElse(1))))
                        : Optional.empty();
        };
    }

    private static String rate(double perSecond) {
        return perSecond >= 1 ? plain(perSecond) + "/s" : plain(perSecond * 60) + "/min";
    }

    static String plain(double value) {
        return Math.abs(value - Math.rint(value)) < 1e-9
                ? String.valueOf(Math.round(value))
                : String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
    }

    /** Makes one piece by piece; whatever is not told stays unknown. */
    static Builder of(String technology, Algorithm algorithm, Place place) {
        return new Builder(technology, algorithm, place);
    }

    /** Collects the parts of a {@link DeclaredLimit}. */
    static final class Builder {
        private final String technology;
        private final Algorithm algorithm;
        private final Place place;
        private String name = "";
        private OptionalDouble limit = OptionalDouble.empty();
        private OptionalDouble window = OptionalDouble.empty();
        private OptionalDouble rate = OptionalDouble.empty();
        private OptionalDouble burst = OptionalDouble.empty();
        private String key = "";
        private Store store = Store.UNKNOWN;
        private OptionalInt status = OptionalInt.empty();

        private Builder(String technology, Algorithm algorithm, Place place) {
            this.technology = technology;
            this.algorithm = algorithm;
            this.place = place;
        }

        Builder name(String value) {
            name = value;
            return this;
        }

        Builder limit(OptionalDouble value) {
            limit = value;
            return this;
        }

        Builder window(OptionalDouble seconds) {
            window = seconds;
            return this;
        }

        Builder rate(OptionalDouble perSecond) {
            rate = perSecond;
            return this;
        }

        Builder burst(OptionalDouble value) {
            burst = value;
            return this;
        }

        Builder key(String value) {
            key = value;
            return this;
        }

        Builder store(Store value) {
            store = value;
            return this;
        }

        Builder status(OptionalDouble value) {
            status = value.isPresent() ? OptionalInt.of((int) value.getAsDouble()) : OptionalInt.empty();
            return this;
        }

        DeclaredLimit build() {
            return new DeclaredLimit(
                    technology, name, algorithm, limit, window, rate, burst, key, store, status, place);
        }
    }
}
