package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Key;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.fact.Surroundings.Dependency;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import dev.why429.rules.Pitfall.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Units, versions and widths in code: seconds for milliseconds, a hop count that a version ignores, whole IPv6 addresses. */
final class CodeNumbers implements PitfallCheck {
    private static final int NEST_MILLISECONDS_SINCE = 5;

    @Override
    public void look(Facts facts, Findings findings) {
        for (Limiter limiter : facts.limiters()) {
            switch (limiter.library()) {
                case "@nestjs/throttler" -> nest(facts, findings, limiter);
                case "express-rate-limit" -> {
                    millis(findings, limiter, "windowMs");
                    wholeAddress(findings, limiter);
                }
                case "@fastify/rate-limit" -> {
                    millis(findings, limiter, "timeWindow");
                    fastifyHops(facts, findings, limiter);
                }
                default -> {}
            }
        }
    }

    private static void nest(Facts facts, Findings findings, Limiter limiter) {
        Optional<Dependency> version = facts.surroundings().dependency("@nestjs/throttler");
        if (version.isEmpty() || version.get().major() < NEST_MILLISECONDS_SINCE) {
            return;
        }
        for (Syntax object : limiter.node().all("object")) {
            Optional<Syntax> ttl = Code.property(object, "ttl");
            OptionalDouble value = ttl.isPresent() ? limiter.code().number(ttl.get()) : OptionalDouble.empty();
            if (value.isPresent() && value.getAsDouble() > 0 && value.getAsDouble() < 1000) {
                findings.report(
                        "code",
                        "unit-ms-s",
                        "@nestjs/throttler " + version.get().version() + " takes ttl in milliseconds: the window is "
                                + Limiter.plain(value.getAsDouble()) + " ms",
                        ttl.get().place(),
                        related(version.get().place(), "the version: milliseconds since 5"),
                        related(limiter.place(), "the limiter"));
            }
        }
    }

    private static void millis(Findings findings, Limiter limiter, String option) {
        for (Syntax object : limiter.node().all("object")) {
            Optional<Syntax> window = Code.property(object, option);
            OptionalDouble value = window.isPresent() ? limiter.code().number(window.get()) : OptionalDouble.empty();
            if (value.isPresent() && value.getAsDouble() > 0 && value.getAsDouble() < 1000) {
                findings.report(
                        "code",
                        "unit-ms-s",
                        option + " is in milliseconds: the window is " + Limiter.plain(value.getAsDouble()) + " ms",
                        window.get().place(),
                        related(limiter.place(), "the limiter"));
            }
        }
    }

    private static void wholeAddress(Findings findings, Limiter limiter) {
        String key = limiter.key().text();
        boolean custom = limiter.node().text().contains("keyGenerator");
        boolean ipv4Only = limiter.code().calls("listen").stream()
                .anyMatch(c ->
                        c.node().text().contains("0.0.0.0") || c.node().text().contains("127.0.0.1"));
        if (custom
                && limiter.key().source() == Key.Source.FRAMEWORK_ADDRESS
                && key.contains("req.ip")
                && !key.contains("ipKeyGenerator")
                && !ipv4Only) {
            findings.report(
                    "code",
                    "key-ipv6-granularity",
                    "the key is the whole address: an IPv6 client has 2^64 of them and gets a new bucket with each",
                    limiter.key().place(),
                    related(limiter.place(), "the limiter"));
        }
    }

    /** Since 5.12 Fastify ignores a plain number; until then it is a hop count. */
    private static void fastifyHops(Facts facts, Findings findings, Limiter limiter) {
        Optional<Dependency> version = facts.surroundings().dependency("fastify");
        boolean ignores = version.isPresent()
                && (version.get().major() > 5
                        || (version.get().major() == 5 && version.get().minor() >= 12));
        if (!ignores) {
            return;
        }
        facts.trust().stream().filter(t -> t.hops().isPresent()).findFirst().ifPresent(trust -> {
            List<Related> related = new ArrayList<>();
            related.add(related(version.get().place(), "the version: a number is ignored since 5.12"));
            related.add(related(limiter.place(), "the limiter"));
            findings.report(
                    "code",
                    "key-hop-mismatch",
                    Severity.HIGH,
                    "fastify " + version.get().version()
                            + " ignores the number in trustProxy: the key is the proxy's address",
                    trust.place(),
                    related);
        });
    }
}
