package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Proxy;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;

/** ASP.NET's rate limiter: its order, its status, its partition. */
final class AspNetLimits implements PitfallCheck {
    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".cs")) {
            aspnet(facts, findings, file, CodeText.blanked(file, "//"));
        }
    }

    private static void aspnet(Facts facts, Findings findings, SourceFile file, String text) {
        int added = text.indexOf("AddRateLimiter(");
        int used = text.indexOf(".UseRateLimiter(");
        int routing = text.indexOf(".UseRouting(");
        int required = Math.max(text.indexOf(".RequireRateLimiting("), text.indexOf("[EnableRateLimiting("));
        if (used >= 0 && routing > used && required >= 0) {
            findings.report(
                    "aspnet",
                    "middleware-order",
                    "UseRateLimiter runs before UseRouting: no endpoint is chosen yet, and its policy never applies",
                    file.at(used + 1),
                    related(file.at(routing + 1), "the endpoint is chosen here"),
                    related(file.at(required + 1), "the policy that never applies"));
        }
        if (added >= 0 && !text.contains("RejectionStatusCode") && !text.contains("OnRejected")) {
            findings.report(
                    "aspnet",
                    "status-not-429",
                    "RejectionStatusCode is not set: refusals leave with 503",
                    file.at(added));
        }
        int address = text.indexOf("RemoteIpAddress");
        if (added >= 0 && address > added) {
            Optional<Proxy> proxy = facts.surroundings().inFrontOf(file.at(1, 1));
            boolean forwarded = facts.sources().ending(".cs").stream()
                    .anyMatch(f ->
                            f.text().contains("UseForwardedHeaders") || f.text().contains("ForwardedHeadersOptions"));
            if (proxy.isPresent() && !forwarded) {
                findings.report(
                        "aspnet",
                        "key-proxy-collapse",
                        "the partition is the address that connects, UseForwardedHeaders is not there, and "
                                + proxy.get().place() + " puts " + proxy.get().what()
                                + " in front: all clients share one bucket",
                        file.at(address),
                        related(proxy.get().place(), proxy.get().what()));
            }
            if (text.startsWith("?.ToString() ?? \"", address + 15)) {
                findings.report(
                        "aspnet",
                        "key-empty",
                        Severity.LOW,
                        "requests without an address share one partition",
                        file.at(address),
                        List.of());
            }
        }
    }
}
