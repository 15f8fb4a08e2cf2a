package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.read.ConfigNode;
import java.util.Optional;

/** ingress-nginx: limits by annotation, and the controller that enforces them. */
final class IngressNginx implements PitfallCheck {
    private static final String PREFIX = "nginx.ingress.kubernetes.io/";
    private static final String TECHNOLOGY = "ingress-nginx";

    @Override
    public void look(Facts facts, Findings findings) {
        for (ConfigNode document : facts.sources().documents()) {
            if (!document.is("ingress", "kind")) {
                continue;
            }
            Optional<ConfigNode> annotations = document.get("metadata", "annotations");
            Optional<ConfigNode.Entry> limit = annotations.flatMap(
                    a -> a.either(PREFIX + "limit-rps", PREFIX + "limit-rpm", PREFIX + "limit-connections"));
            if (limit.isPresent()) {
                look(facts, findings, annotations.get(), limit.get());
            }
        }
    }

    private static void look(Facts facts, Findings findings, ConfigNode annotations, ConfigNode.Entry limit) {
        Optional<ConfigNode> settings = facts.sources().documents().stream()
                .filter(d -> d.is("configmap", "kind"))
                .filter(d -> d.string("metadata", "name").contains("ingress"))
                .flatMap(d -> d.get("data").stream())
                .findFirst();
        if (settings.isPresent()
                && settings.get().entry("limit-req-status-code").isEmpty()) {
            findings.report(
                    TECHNOLOGY,
                    "status-not-429",
                    "refusals leave with the default status 503: the controller's ConfigMap sets no limit-req-status-code",
                    limit.place(),
                    related(settings.get().place(), "the controller's settings"));
        }
        hops(findings, annotations, limit, settings);
        replicas(facts, findings, limit);
        translated(facts, findings, limit, settings);
    }

    private static void hops(
            Findings findings, ConfigNode annotations, ConfigNode.Entry limit, Optional<ConfigNode> settings) {
        Optional<ConfigNode.Entry> cdn = annotations.entries().stream()
                .filter(e -> e.key().contains("cloudflare-proxied")
                        && e.value().text().equals("true"))
                .findFirst();
        boolean unwraps = settings.isPresent()
                && (settings.get().is("true", "enable-real-ip")
                        || settings.get().is("true", "use-forwarded-headers")
                        || settings.get().entry("forwarded-for-header").isPresent()
                        || settings.get().entry("http-snippet").isPresent());
        Optional<ConfigNode.Entry> protocol = settings.flatMap(s -> s.entry("use-proxy-protocol"))
                .filter(e -> e.value().text().equals("true"));
        if (cdn.isPresent() && !unwraps && protocol.isPresent()) {
            findings.report(
                    TECHNOLOGY,
                    "key-hop-mismatch",
                    "the key is the address of the PROXY protocol, one hop short: with a CDN in front it is a CDN edge",
                    protocol.get().place(),
                    related(cdn.get().place(), "a CDN in front"),
                    related(limit.place(), "the limit"));
        } else if (cdn.isPresent() && !unwraps && settings.isPresent()) {
            findings.report(
                    TECHNOLOGY,
                    "key-proxy-collapse",
                    "the key is the address of whoever connects, and a CDN is in front: its edges share the limit for all",
                    limit.place(),
                    related(cdn.get().place(), "a CDN in front"));
        }
    }

    private static void replicas(Facts facts, Findings findings, ConfigNode.Entry limit) {
        for (Instances instances : facts.surroundings().instances()) {
            if (instances.most() > 1
                    && (instances.workload().contains("ingress-nginx")
                            || instances.workload().contains("nginx-ingress")
                            || instances.workload().equals("controller"))) {
                findings.report(
                        TECHNOLOGY,
                        "state-per-gateway-replica",
                        "each controller pod counts for itself, and there may be " + instances.most()
                                + ": the limit is " + limit.value().text() + " to " + instances.most() + " times that",
                        limit.place(),
                        related(instances.place(), instances.what()));
                return;
            }
        }
    }

    private static void translated(
            Facts facts, Findings findings, ConfigNode.Entry limit, Optional<ConfigNode> settings) {
        if (settings.isPresent()
                && (settings.get().is("true", "use-proxy-protocol")
                        || settings.get().is("true", "use-forwarded-headers"))) {
            return;
        }
        clusterPolicy(facts, "ingress")
                .ifPresent(policy -> findings.report(
                        TECHNOLOGY,
                        "key-proxy-collapse",
                        "externalTrafficPolicy Cluster replaces the client's address by a node's: all who enter by one node share the limit",
                        limit.place(),
                        policy));
    }

    /** A LoadBalancer service of a gateway that says {@code externalTrafficPolicy: Cluster}. */
    static Optional<Related> clusterPolicy(Facts facts, String name) {
        return facts.sources().documents().stream()
                .filter(d -> d.is("service", "kind") && d.is("loadbalancer", "spec", "type"))
                .filter(d -> d.string("metadata", "name").contains(name))
                .flatMap(d -> d.get("spec").flatMap(s -> s.entry("externalTrafficPolicy")).stream())
                .filter(e -> e.value().text().equals("Cluster"))
                .map(e -> related(e.place(), "externalTrafficPolicy: Cluster"))
                .findFirst();
    }
}
