package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Sources;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;

/** Gateways that send a refused request again: each call spends the quota several times. */
final class GatewayRetries implements PitfallCheck {
    private static final String ID = "gateway-retries-429";

    @Override
    public void look(Facts facts, Findings findings) {
        for (ConfigNode document : facts.sources().documents()) {
            document.walk(node -> {
                envoy(findings, node);
                istio(findings, node);
                envoyGateway(findings, node);
                spring(findings, node);
            });
        }
        for (Sources.Blocks blocks : facts.sources().nginx()) {
            blocks.directives()
                    .forEach(top -> top.walk(d -> {
                        if (d.name().equals("proxy_next_upstream") && d.words().contains("http_429")) {
                            findings.report(
                                    "nginx",
                                    ID,
                                    Severity.MEDIUM,
                                    "a 429 is sent to the next server of the upstream: one call spends the quota up to once for each server",
                                    d.place(),
                                    List.of());
                        }
                    }));
        }
    }

    private static void envoy(Findings findings, ConfigNode node) {
        Optional<ConfigNode.Entry> codes = node.either("retriable_status_codes", "retriableStatusCodes")
                .filter(e -> e.value().items().stream().anyMatch(i -> i.text().equals("429")));
        Optional<ConfigNode.Entry> on =
                node.either("retry_on", "retryOn").filter(e -> e.value().text().contains("retriable-status-codes"));
        if (codes.isPresent() && on.isPresent()) {
            double tries = node.either("num_retries", "numRetries")
                    .map(e -> e.value().number().orElse(1))
                    .orElse(1.0);
            report(findings, codes.get(), on.get(), tries);
        }
    }

    // retries: { attempts: 3, retryOn: "5xx,429" }
    private static void istio(Findings findings, ConfigNode node) {
        Optional<ConfigNode.Entry> on = node.entry("retryOn")
                .filter(e -> List.of(e.value().text().replace(" ", "").split(",", -1))
                        .contains("429"));
        Optional<ConfigNode.Entry> attempts = node.entry("attempts");
        if (on.isPresent() && attempts.isPresent()) {
            report(
                    findings,
                    on.get(),
                    attempts.get(),
                    attempts.get().value().number().orElse(1));
        }
    }

    private static void envoyGateway(Findings findings, ConfigNode node) {
        Optional<ConfigNode> codes = node.get("retryOn", "httpStatusCodes")
                .filter(c -> c.items().stream().anyMatch(i -> i.text().equals("429")));
        Optional<ConfigNode.Entry> tries = node.entry("numRetries");
        if (codes.isPresent() && tries.isPresent()) {
            report(
                    findings,
                    node.get("retryOn").orElseThrow().entry("httpStatusCodes").orElseThrow(),
                    tries.get(),
                    tries.get().value().number().orElse(2));
        }
    }

    private static void report(Findings findings, ConfigNode.Entry codes, ConfigNode.Entry other, double tries) {
        findings.report(
                "envoy",
                ID,
                "a 429 is retried at once, " + Limiter.plain(tries) + " times: one call takes up to "
                        + Limiter.plain(tries + 1) + " from the quota, just when none is left",
                codes.place(),
                related(other.place(), "how it retries"));
    }

    private static void spring(Findings findings, ConfigNode node) {
        if (!node.string("name").equals("Retry")) {
            return;
        }
        node.get("args").flatMap(args -> args.either("statuses", "series")).ifPresent(e -> {
            String words = e.value().text()
                    + String.join(
                            " ",
                            e.value().items().stream().map(ConfigNode::text).toList());
            if (words.contains("TOO_MANY_REQUESTS") || words.contains("429") || words.contains("CLIENT_ERROR")) {
                findings.report(
                        "spring-cloud-gateway",
                        ID,
                        Severity.MEDIUM,
                        "the Retry filter sends a refused request again: one call spends the quota several times",
                        e.place(),
                        List.of());
            }
        });
    }
}
