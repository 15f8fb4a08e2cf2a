package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.limit.DeclaredLimit.Algorithm;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Store;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Durations;
import dev.why429.analyzers.audit.read.Sources;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Frameworks configured in files: Spring Cloud Gateway, Resilience4j, Bucket4j's starter, Symfony, AspNetCoreRateLimit, Ocelot. */
final class FrameworkDeclared implements LimitReader {
    @Override
    public void read(Sources sources, List<DeclaredLimit> into) {
        for (ConfigNode document : sources.documents()) {
            document.get("framework", "rate_limiter").ifPresent(limiters -> symfony(limiters, into));
            document.walk(node -> {
                if (node.string("name").equals("RequestRateLimiter")) {
                    node.get("args").ifPresent(args -> springGateway(args, into));
                }
                node.get("resilience4j.ratelimiter", "instances")
                        .or(() -> node.get("resilience4j", "ratelimiter", "instances"))
                        .ifPresent(instances -> resilience(instances, into));
                node.get("bandwidths").ifPresent(list -> list.items().forEach(b -> bandwidth(b, into)));
                node.get("GeneralRules").ifPresent(list -> list.items().forEach(r -> dotnet(r, "Endpoint", into)));
                node.get("RateLimitOptions").ifPresent(options -> dotnet(options, "", into));
            });
        }
    }

    /** A value of Spring Cloud Gateway's limiter, whichever way its dots are written. */
    private static Optional<ConfigNode.Entry> option(ConfigNode args, String name) {
        return args.either("redis-rate-limiter." + name)
                .or(() -> args.get("redis-rate-limiter").flatMap(n -> n.entry(name)));
    }

    private static void springGateway(ConfigNode args, List<DeclaredLimit> into) {
        Optional<ConfigNode.Entry> rate = option(args, "replenishRate");
        if (rate.isEmpty() || rate.get().value().number().isEmpty()) {
            return;
        }
        double tokens = option(args, "requestedTokens")
                .map(e -> e.value().number().orElse(1))
                .orElse(1.0);
        OptionalDouble burst =
                option(args, "burstCapacity").map(e -> e.value().number()).orElse(OptionalDouble.of(1));
        double perRequest = tokens > 0 ? tokens : 1;
        into.add(DeclaredLimit.of(
                        "spring-cloud-gateway",
                        Algorithm.TOKEN_BUCKET,
                        rate.get().place())
                .rate(OptionalDouble.of(rate.get().value().number().getAsDouble() / perRequest))
                .burst(burst.isPresent() ? OptionalDouble.of(burst.getAsDouble() / perRequest) : burst)
                .key(args.either("key-resolver", "keyResolver")
                        .map(e -> e.value().text())
                        .orElse("principal"))
                .store(Store.SHARED)
                .build());
    }

    private static void resilience(ConfigNode instances, List<DeclaredLimit> into) {
        for (ConfigNode.Entry instance : instances.entries()) {
            instance.value()
                    .either("limitForPeriod", "limit-for-period")
                    .filter(e -> e.value().number().isPresent())
                    .ifPresent(e -> into.add(DeclaredLimit.of("resilience4j", Algorithm.FIXED_WINDOW, e.place())
                            .name(instance.key())
                            .limit(e.value().number())
                            .window(instance.value()
                                    .either("limitRefreshPeriod", "limit-refresh-period")
                                    .map(p -> Durations.seconds(p.value().text()))
                                    .orElse(OptionalDouble.empty()))
                            .store(Store.LOCAL)
                            .build()));
        }
    }

    private static void bandwidth(ConfigNode bandwidth, List<DeclaredLimit> into) {
        OptionalDouble capacity = bandwidth.number("capacity");
        OptionalDouble time = bandwidth.number("time");
        OptionalDouble unit = Durations.seconds("1" + bandwidth.string("unit"));
        if (capacity.isPresent()) {
            boolean timed = time.isPresent() && unit.isPresent();
            into.add(DeclaredLimit.of("bucket4j", Algorithm.TOKEN_BUCKET, bandwidth.place())
                    .limit(capacity)
                    .window(timed ? OptionalDouble.of(time.getAsDouble() * unit.getAsDouble()) : OptionalDouble.empty())
                    .burst(capacity)
                    .build());
        }
    }

    private static void symfony(ConfigNode limiters, List<DeclaredLimit> into) {
        for (ConfigNode.Entry entry : limiters.entries()) {
            ConfigNode limiter = entry.value();
            OptionalDouble limit = limiter.number("limit");
            if (limit.isEmpty()) {
                continue;
            }
            if (limiter.is("token_bucket", "policy")) {
                OptionalDouble seconds = Durations.seconds(limiter.string("rate", "interval"));
                OptionalDouble amount =
                        OptionalDouble.of(limiter.number("rate", "amount").orElse(1));
                into.add(DeclaredLimit.of("symfony", Algorithm.TOKEN_BUCKET, entry.place())
                        .name(entry.key())
                        .rate(
                                seconds.orElse(0) > 0
                                        ? OptionalDouble.of(amount.getAsDouble() / seconds.getAsDouble())
                                        : OptionalDouble.empty())
                        .burst(limit)
                        .build());
            } else {
                into.add(DeclaredLimit.of(
                                "symfony",
                                limiter.is("sliding_window", "policy")
                                        ? Algorithm.SLIDING_WINDOW
                                        : Algorithm.FIXED_WINDOW,
                                entry.place())
                        .name(entry.key())
                        .limit(limit)
                        .window(Durations.seconds(limiter.string("interval")))
                        .build());
            }
        }
    }

    // { "Endpoint": "*", "Period": "1m", "Limit": 100 }
    private static void dotnet(ConfigNode rule, String nameKey, List<DeclaredLimit> into) {
        OptionalDouble limit = rule.number("Limit");
        if (limit.isPresent() && rule.entry("Period").isPresent()) {
            into.add(DeclaredLimit.of(
                            "aspnet",
                            Algorithm.FIXED_WINDOW,
                            rule.entry("Limit").orElseThrow().place())
                    .name(nameKey.isEmpty() ? "" : rule.string(nameKey))
                    .limit(limit)
                    .window(Durations.seconds(rule.string("Period")))
                    .build());
        }
    }
}
