package dev.why429.analyzers.attribute.quota;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Headers of one prefix and one policy that belong together: {@code X-RateLimit-Limit-Minute} and {@code X-RateLimit-Remaining-Minute}. The
 * grammar of the names: anything, {@code ratelimit} or {@code rate-limit}, then words of which one is limit, remaining, reset, …; the other words
 * name the policy.
 */
final class HeaderFamily {
    private final String prefix;
    private final String name;
    private final Map<String, String> values = new LinkedHashMap<>();

    private HeaderFamily(String prefix, String name) {
        this.prefix = prefix;
        this.name = name;
    }

    /** What a header is, by its name. */
    private record Place(String prefix, String policy, String kind) {}

    /** @param headers names in lower case */
    static List<HeaderFamily> of(Map<String, String> headers) {
        Map<String, HeaderFamily> families = new LinkedHashMap<>();
        headers.forEach((header, value) -> place(header)
                .ifPresent(place -> families.computeIfAbsent(
                                place.prefix() + "\n" + place.policy(),
                                key -> new HeaderFamily(place.prefix(), place.policy()))
                        .values
                        .put(place.kind(), value)));
        return List.copyOf(families.values());
    }

    private static Optional<Place> place(String header) {
        int plain = header.indexOf("ratelimit");
        int hyphened = header.indexOf("rate-limit");
        int at = plain >= 0 ? plain : hyphened;
        if (at < 0) {
            return Optional.empty();
        }
        String prefix = header.substring(0, at) + (plain >= 0 ? "ratelimit" : "rate-limit");
        String rest = header.substring(prefix.length());
        if (!rest.startsWith("-") || rest.length() < 2) {
            return Optional.empty();
        }
        for (String whole : List.of(
                "replenish-rate",
                "burst-capacity",
                "requested-tokens",
                "retry-after-seconds",
                "retry-after",
                "reset-after",
                "interval-milliseconds",
                "request-remote-addr",
                "request-forwarded-for")) {
            if (rest.equals("-" + whole)) {
                return Optional.of(new Place(prefix, "", whole));
            }
        }
        List<String> words = new ArrayList<>(List.of(rest.substring(1).split("-")));
        for (String kind : List.of("limit", "remaining", "reset", "used", "max", "duration", "resource", "bucket")) {
            if (words.remove(kind)) {
                return Optional.of(new Place(prefix, String.join("-", words), kind));
            }
        }
        // X-HubSpot-RateLimit-Daily: 250000
        boolean policy = words.size() == 1 && QuotaValue.period(words.get(0)).isPresent();
        return policy ? Optional.of(new Place(prefix, words.get(0), "limit")) : Optional.empty();
    }

    private Optional<String> value(String kind) {
        return Optional.ofNullable(values.get(kind)).filter(text -> !text.isBlank());
    }

    /** How long these headers say to wait, where they do not leave it to Retry-After. */
    Optional<WaitTime> retryAfter(Optional<Instant> clock) {
        return value("retry-after-seconds")
                .flatMap(text -> WaitTime.retryAfter(text, clock))
                .or(() -> value("retry-after")
                        .flatMap(text -> WaitTime.reset(text, clock, Optional.empty(), Optional.empty())));
    }

    /** The policies that these headers name; the first is the one that remaining and reset are of. */
    List<Quota> quotas(Optional<Instant> clock, Optional<Double> retryAfterSeconds) {
        List<QuotaValue> limits =
                value("limit").or(() -> value("max")).map(QuotaValue::list).orElse(List.of());
        Optional<double[]> worded = value("limit").flatMap(QuotaValue::rate);
        Optional<Double> limit = limits.stream().findFirst().flatMap(QuotaValue::number);
        Optional<Double> window = limits.stream()
                .findFirst()
                .flatMap(first -> first.parameter("w"))
                .or(() -> QuotaValue.period(name))
                .or(() -> value("interval-milliseconds")
                        .flatMap(QuotaValue::number)
                        .map(ms -> ms / 1000))
                .or(() -> value("duration").flatMap(QuotaValue::number));
        if (worded.isPresent()) {
            limit = worded.map(rate -> rate[0]);
            window = worded.map(rate -> rate[1]);
        }
        Quota own = Quota.of(dialect(limits))
                .named(value("resource").or(() -> value("bucket")).orElse(policyName()))
                .withLimit(limit)
                .withWindow(window)
                .withRemaining(remaining(limit))
                .withPartition(value("request-remote-addr").or(() -> value("request-forwarded-for")));
        if (value("replenish-rate").isPresent()) {
            own = tokenBucket(own);
        }
        List<Quota> others = new ArrayList<>();
        Quota first = own;
        for (QuotaValue member : limits.subList(Math.min(1, limits.size()), limits.size())) {
            Quota policy = Quota.of(first.dialect())
                    .named(member.named("name").orElse(""))
                    .withLimit(member.number())
                    .withWindow(member.parameter("w"));
            if (first.windowSeconds().isEmpty() && policy.limit().equals(first.limit())) {
                first = first.completedBy(policy);
            } else {
                others.add(policy);
            }
        }
        Optional<Double> windowSeconds = first.windowSeconds();
        Optional<WaitTime> reset = value("reset-after")
                .flatMap(text -> WaitTime.retryAfter(text, clock))
                .or(() -> value("reset")
                        .map(text -> QuotaValue.list(text).stream()
                                .findFirst()
                                .filter(member -> !member.parameters().isEmpty())
                                .map(QuotaValue::text)
                                .orElse(text))
                        .flatMap(text -> WaitTime.reset(text, clock, windowSeconds, retryAfterSeconds)));
        others.add(0, first.withReset(reset));
        return others.stream().filter(quota -> !quota.saysNothing()).toList();
    }

    private Optional<Double> remaining(Optional<Double> limit) {
        return value("remaining")
                .flatMap(text -> QuotaValue.list(text).stream().findFirst())
                .flatMap(QuotaValue::number)
                .or(() -> value("used").flatMap(QuotaValue::number).flatMap(used -> limit.map(l -> l - used)));
    }

    /** Spring Cloud Gateway: capacity, and what flows in a second. */
    private Quota tokenBucket(Quota own) {
        Optional<Double> capacity = value("burst-capacity").flatMap(QuotaValue::number);
        Optional<Double> rate =
                value("replenish-rate").flatMap(QuotaValue::number).filter(r -> r > 0);
        return own.withLimit(capacity).withWindow(capacity.flatMap(c -> rate.map(r -> c / r)));
    }

    private String policyName() {
        if (!name.isEmpty()) {
            return name;
        }
        // X-1-RateLimit-Limit, X-AI-RateLimit-Limit
        String before = prefix.replaceFirst("rate-?limit$", "");
        boolean named = before.startsWith("x-") && before.length() > 3;
        return named ? before.substring(2, before.length() - 1) : "";
    }

    private String dialect(List<QuotaValue> limits) {
        boolean windows = limits.stream().anyMatch(member -> member.parameters().containsKey("w"));
        if (prefix.equals("ratelimit")) {
            return windows ? "ratelimit-draft-3" : "ratelimit-draft-6";
        }
        if (values.containsKey("replenish-rate")) {
            return prefix + "-replenish";
        }
        return prefix.equals("x-ratelimit") && windows ? "envoy" : prefix;
    }
}
