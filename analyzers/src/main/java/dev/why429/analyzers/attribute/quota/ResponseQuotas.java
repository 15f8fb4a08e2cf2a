package dev.why429.analyzers.attribute.quota;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the quota headers of one response, in all dialects, and Retry-After with them. */
public final class ResponseQuotas {
    /** Headers that name whom the counter is kept for. */
    private static final List<String> PARTITION = List.of("docker-ratelimit-source");

    private final Map<String, String> headers;
    private final Optional<Instant> clock;

    private ResponseQuotas(Map<String, String> headers, Optional<Instant> clock) {
        this.headers = headers;
        this.clock = clock;
    }

    /**
     * Every policy that a response names; where it names none but says how long to wait, one of the dialect {@code retry-after}.
     *
     * @param headers names in lower case; several values of one name joined by {@code ", "}
     * @param clock when the response was sent, by the server's clock if possible
     */
    public static List<Quota> read(Map<String, String> headers, Optional<Instant> clock) {
        return new ResponseQuotas(headers, clock).quotas();
    }

    /** Whether a header says anything about quotas, by its name. */
    public static boolean isAboutQuotas(String name) {
        return name.contains("ratelimit")
                || name.contains("rate-limit")
                || name.startsWith("retry-after")
                || name.equals("x-retry-in")
                || name.equals("x-shopify-shop-api-call-limit")
                || name.equals("sforce-limit-info")
                || PARTITION.contains(name);
    }

    private List<Quota> quotas() {
        List<HeaderFamily> families = HeaderFamily.of(headers);
        Optional<WaitTime> wait = value("retry-after")
                .flatMap(text -> WaitTime.retryAfter(text, clock))
                .or(() -> value("retry-after-ms")
                        .flatMap(QuotaValue::number)
                        .flatMap(ms -> WaitTime.seconds(ms / 1000, WaitTime.Form.DELTA_MILLIS, clock)))
                .or(() -> value("x-retry-in").flatMap(text -> WaitTime.retryAfter(text, clock)))
                .or(() -> families.stream()
                        .flatMap(family -> family.retryAfter(clock).stream())
                        .findFirst());
        Optional<Double> waitSeconds = wait.flatMap(WaitTime::seconds);
        List<Quota> found = new ArrayList<>(structured());
        for (HeaderFamily family : families) {
            for (Quota quota : family.quotas(clock, waitSeconds)) {
                merge(found, quota);
            }
        }
        vendors().forEach(quota -> merge(found, quota));
        if (found.isEmpty() && wait.isPresent()) {
            found.add(Quota.of("retry-after"));
        }
        Optional<String> partition =
                PARTITION.stream().flatMap(name -> value(name).stream()).findFirst();
        return found.stream()
                .map(quota -> quota.withPartition(quota.partitionKey().or(() -> partition))
                        .withRetryAfter(ownWait(quota).or(() -> wait)))
                .toList();
    }

    /** {@code Retry-After-<name>}. */
    private Optional<WaitTime> ownWait(Quota quota) {
        return quota.policy()
                .flatMap(name -> value("retry-after-" + name))
                .flatMap(text -> WaitTime.retryAfter(text, clock));
    }

    private Optional<String> value(String name) {
        return Optional.ofNullable(headers.get(name)).filter(text -> !text.isBlank());
    }

    private static void merge(List<Quota> found, Quota quota) {
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).canBe(quota)) {
                found.set(i, found.get(i).completedBy(quota));
                return;
            }
        }
        found.add(quota);
    }

    /** RateLimit and RateLimit-Policy as structured fields. */
    private List<Quota> structured() {
        List<Quota> policies = new ArrayList<>();
        for (QuotaValue member : value("ratelimit-policy").map(QuotaValue::list).orElse(List.of())) {
            boolean newest = member.quoted() || member.parameters().containsKey("q");
            policies.add(Quota.of(newest ? "ratelimit-draft-8" : "ratelimit-draft-7")
                    .named(newest ? member.text() : member.named("name").orElse(""))
                    .withLimit(newest ? member.parameter("q") : member.number())
                    .withWindow(member.parameter("w"))
                    .withPartition(member.named("pk")));
        }
        List<QuotaValue> states = value("ratelimit").map(QuotaValue::list).orElse(List.of());
        boolean pairs = states.stream().anyMatch(state -> state.text().startsWith("limit="));
        if (pairs) {
            merge(policies, pairs(states));
            return policies;
        }
        for (QuotaValue state : states) {
            if (state.parameters().containsKey("r") || state.parameters().containsKey("t")) {
                Quota now = Quota.of("ratelimit-draft-8")
                        .named(state.text())
                        .withRemaining(state.parameter("r"))
                        .withReset(state.parameter("t")
                                .flatMap(t -> WaitTime.seconds(t, WaitTime.Form.DELTA_SECONDS, clock)))
                        .withPartition(state.named("pk"));
                merge(policies, now);
            }
        }
        return policies;
    }

    /** {@code limit=5, remaining=0, reset=42} */
    private Quota pairs(List<QuotaValue> states) {
        Quota quota = Quota.of("ratelimit-draft-7");
        for (QuotaValue state : states) {
            int equals = state.text().indexOf('=');
            if (equals < 0) {
                continue;
            }
            Optional<Double> number = QuotaValue.number(state.text().substring(equals + 1));
            quota = switch (state.text().substring(0, equals)) {
                case "limit" -> quota.withLimit(number);
                case "remaining" -> quota.withRemaining(number);
                case "reset" ->
                    quota.withReset(number.flatMap(t -> WaitTime.seconds(t, WaitTime.Form.DELTA_SECONDS, clock)));
                default -> quota;
            };
        }
        return quota;
    }

    /** Vendors' own: {@code X-Shopify-Shop-Api-Call-Limit: 40/40}, {@code Sforce-Limit-Info: api-usage=100/15000}. */
    private List<Quota> vendors() {
        List<Quota> found = new ArrayList<>();
        value("x-shopify-shop-api-call-limit")
                .flatMap(text -> usedOf("shopify", "shop", text))
                .ifPresent(found::add);
        for (QuotaValue member :
                value("sforce-limit-info").map(QuotaValue::list).orElse(List.of())) {
            int equals = member.text().indexOf('=');
            if (equals > 0) {
                usedOf(
                                "salesforce",
                                member.text().substring(0, equals),
                                member.text().substring(equals + 1))
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<Quota> usedOf(String dialect, String name, String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        Optional<Double> used = QuotaValue.number(text.substring(0, slash));
        Optional<Double> limit = QuotaValue.number(text.substring(slash + 1));
        return limit.map(
                l -> Quota.of(dialect).named(name).withLimit(Optional.of(l)).withRemaining(used.map(u -> l - u)));
    }
}
