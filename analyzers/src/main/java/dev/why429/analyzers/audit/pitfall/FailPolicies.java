package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Durations;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** What happens to requests when the limiter's store or service fails. */
final class FailPolicies implements PitfallCheck {
    private static final Pattern MEANT_CLOSED = Pattern.compile("(?i)login|auth|otp|password|signin|token|reset");
    private static final double SHORT_SECONDS = 0.05;

    @Override
    public void look(Facts facts, Findings findings) {
        for (ConfigNode document : facts.sources().documents()) {
            String name = document.string("metadata", "name");
            document.walk(node -> {
                envoy(findings, node, name);
                kong(findings, node, name);
                node.entry("limit-count").ifPresent(e -> apisix(findings, e));
            });
        }
        for (Limiter limiter : facts.limiters("express-rate-limit")) {
            unset(findings, limiter);
        }
    }

    private static void envoy(Findings findings, ConfigNode node, String name) {
        Optional<ConfigNode.Entry> service = node.either("rate_limit_service", "rateLimitService");
        if (service.isEmpty()) {
            return;
        }
        Optional<ConfigNode.Entry> deny = node.either("failure_mode_deny", "failureModeDeny")
                .filter(e -> e.value().text().equals("true"));
        if (deny.isPresent() && !MEANT_CLOSED.matcher(name).find()) {
            findings.report(
                    "envoy",
                    "backend-fail-closed",
                    "failure_mode_deny: when the rate limit service is away, every request is answered 500: its outage is ours",
                    deny.get().place(),
                    related(service.get().place(), "the service that must answer"));
        }
        OptionalDouble timeout = node.entry("timeout")
                .map(e -> Durations.seconds(e.value().text()))
                .orElse(OptionalDouble.empty());
        if (deny.isEmpty() && timeout.isPresent() && timeout.getAsDouble() <= SHORT_SECONDS) {
            findings.report(
                    "envoy",
                    "backend-fail-open",
                    Severity.MEDIUM,
                    "the service has " + Limiter.plain(timeout.getAsDouble() * 1000)
                            + " ms to answer, and whatever it does not answer passes: there is no limit just under load",
                    node.entry("timeout").orElseThrow().place(),
                    List.of(related(service.get().place(), "the service")));
        }
    }

    private static void kong(Findings findings, ConfigNode node, String name) {
        Optional<ConfigNode> config = node.get("config");
        String plugin = node.entry("plugin").isPresent() ? node.string("plugin") : node.string("name");
        if (config.isEmpty()
                || !plugin.startsWith("rate-limiting")
                || MEANT_CLOSED.matcher(name).find()) {
            return;
        }
        Optional<ConfigNode.Entry> tolerant = config.get()
                .entry("fault_tolerant")
                .filter(e -> e.value().text().equals("false"));
        Optional<ConfigNode.Entry> policy =
                config.get().entry("policy").filter(e -> !e.value().text().equals("local"));
        if (tolerant.isPresent() && policy.isPresent()) {
            findings.report(
                    "kong",
                    "backend-fail-closed",
                    "fault_tolerant: false: when the store of policy "
                            + policy.get().value().text()
                            + " is away, every request is answered 500: its outage is ours",
                    tolerant.get().place(),
                    related(policy.get().place(), "the store that must answer"));
        }
    }

    private static void apisix(Findings findings, ConfigNode.Entry plugin) {
        ConfigNode config = plugin.value();
        Optional<ConfigNode.Entry> policy =
                config.entry("policy").filter(e -> e.value().text().startsWith("redis"));
        if (policy.isPresent() && !config.is("true", "allow_degradation")) {
            findings.report(
                    "apisix",
                    "backend-fail-closed",
                    Severity.MEDIUM,
                    "allow_degradation is not set: when Redis is away, every request is answered 500",
                    plugin.place(),
                    List.of(related(policy.get().place(), "the store that must answer")));
        }
    }

    private static void unset(Findings findings, Limiter limiter) {
        Optional<Code.Call> call = limiter.code().calls().stream()
                .filter(c -> c.node() == limiter.node())
                .findFirst();
        boolean shared = limiter.store() == Limiter.Store.SHARED;
        if (shared && call.isPresent() && call.get().named("passOnStoreError").isEmpty()) {
            findings.report(
                    "code",
                    "fail-policy-unset",
                    Severity.LOW,
                    "passOnStoreError is not set: when the store fails, every request becomes an error; say whether that is wanted",
                    limiter.place(),
                    List.of());
        }
    }
}
