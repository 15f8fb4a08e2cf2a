package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.SourceFile;
import java.util.Optional;
import java.util.OptionalDouble;

/** Spring Cloud Gateway's RequestRateLimiter. */
final class SpringGateway implements PitfallCheck {
    private static final String TECHNOLOGY = "spring-cloud-gateway";

    @Override
    public void look(Facts facts, Findings findings) {
        facts.sources()
                .documents()
                .forEach(document -> document.walk(node -> {
                    if (node.string("name").equals("RequestRateLimiter")) {
                        node.get("args").ifPresent(args -> look(facts, findings, node, args));
                    }
                }));
    }

    private static void look(Facts facts, Findings findings, ConfigNode filter, ConfigNode args) {
        Optional<ConfigNode.Entry> rate = option(args, "replenishRate");
        Optional<ConfigNode.Entry> burst = option(args, "burstCapacity");
        OptionalDouble perSecond = rate.isPresent() ? rate.get().value().number() : OptionalDouble.empty();
        OptionalDouble capacity = burst.isPresent() ? burst.get().value().number() : OptionalDouble.empty();
        if (capacity.isPresent() && capacity.getAsDouble() == 0) {
            findings.report(
                    TECHNOLOGY,
                    "burst-disables",
                    "burstCapacity 0 is the size of the bucket, not \"no extra burst\": nothing is limited",
                    burst.get().place());
        } else if (perSecond.isPresent()
                && capacity.isPresent()
                && perSecond.getAsDouble() > 0
                && Math.floor(capacity.getAsDouble() / perSecond.getAsDouble() * 2) == 0) {
            findings.report(
                    TECHNOLOGY,
                    "store-ttl-zero",
                    "ttl = floor(" + Limiter.plain(capacity.getAsDouble()) + " / "
                            + Limiter.plain(perSecond.getAsDouble())
                            + " * 2) = 0: the state is never saved, and nothing is limited",
                    rate.get().place(),
                    related(burst.get().place(), "burstCapacity"));
        }
        boolean named = args.either("key-resolver", "keyResolver").isPresent();
        Optional<SourceFile> build = facts.sources().files().values().stream()
                .filter(f -> f.name().startsWith("build.gradle") || f.name().equals("pom.xml"))
                .filter(f -> f.text().contains("gateway"))
                .findFirst();
        boolean resolves = facts.sources().files().values().stream()
                .anyMatch(f -> (f.name().endsWith(".java") || f.name().endsWith(".kt"))
                        && f.text().contains("KeyResolver"));
        boolean secured = facts.sources().files().values().stream()
                .filter(f -> f.name().startsWith("build.gradle") || f.name().equals("pom.xml"))
                .anyMatch(f -> f.text().contains("security") || f.text().contains("oauth2"));
        if (!named && !resolves && !secured && build.isPresent()) {
            findings.report(
                    TECHNOLOGY,
                    "key-empty",
                    "no key-resolver: the key is the authenticated principal, and "
                            + build.get().path() + " brings no security: the key is empty, and every call gets 403",
                    filter.place(),
                    related(build.get().at(1, 1), "no security among the dependencies"));
        }
    }

    private static Optional<ConfigNode.Entry> option(ConfigNode args, String name) {
        return args.either("redis-rate-limiter." + name)
                .or(() -> args.get("redis-rate-limiter").flatMap(n -> n.entry(name)));
    }
}
