package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Durations;
import dev.why429.analyzers.audit.read.Sources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Envoy, Istio and the rate limit service: buckets, descriptors, and whose address is counted. */
final class EnvoyLimits implements PitfallCheck {
    private static final String TECHNOLOGY = "envoy";

    @Override
    public void look(Facts facts, Findings findings) {
        for (Sources.Config config : facts.sources().configs()) {
            if (config.file().forTests()) {
                continue;
            }
            List<ConfigNode> perConnection = new ArrayList<>();
            for (ConfigNode document : config.documents()) {
                document.walk(node -> {
                    defaultBucket(findings, node);
                    perRoute(node).filter(n -> perConnectionFlag(n)).ifPresent(n -> perConnection.add(node));
                    remoteAddress(facts, findings, node);
                    replicas(facts, findings, node);
                });
                if (!document.string("domain").isEmpty()) {
                    document.get("descriptors")
                            .ifPresent(list -> duplicates(findings, list, document.string("domain")));
                }
            }
            if (perConnection.size() > 1) {
                findings.report(
                        TECHNOLOGY,
                        "scope-per-connection",
                        perConnection.size()
                                + " routes limit each connection: they share one bucket on it, the first route "
                                + "decides its size, and a new connection gets a new one",
                        perConnection.get(0).place(),
                        related(perConnection.get(1).place(), "another route with a bucket of its own"));
            }
        }
    }

    private static Optional<ConfigNode> perRoute(ConfigNode route) {
        return route.get("typed_per_filter_config").filter(n -> !n.entries().isEmpty());
    }

    private static boolean perConnectionFlag(ConfigNode filters) {
        boolean[] found = {false};
        filters.walkEntries((map, entry) -> found[0] |= entry.key().equals("local_rate_limit_per_downstream_connection")
                && entry.value().text().equals("true"));
        return found[0];
    }

    private static void defaultBucket(Findings findings, ConfigNode node) {
        Optional<ConfigNode.Entry> bucket = node.either("token_bucket", "tokenBucket");
        Optional<ConfigNode> descriptors = node.get("descriptors");
        if (bucket.isEmpty()
                || descriptors.isEmpty()
                || node.either("always_consume_default_token_bucket", "alwaysConsumeDefaultTokenBucket")
                        .filter(e -> e.value().text().equals("false"))
                        .isPresent()) {
            return;
        }
        OptionalDouble own = rate(bucket.get().value());
        for (ConfigNode descriptor : descriptors.get().items()) {
            Optional<ConfigNode.Entry> other = descriptor.either("token_bucket", "tokenBucket");
            OptionalDouble wanted = other.isPresent() ? rate(other.get().value()) : OptionalDouble.empty();
            if (own.isPresent() && wanted.isPresent() && own.getAsDouble() < wanted.getAsDouble()) {
                findings.report(
                        TECHNOLOGY,
                        "default-bucket-shadow",
                        "the default bucket (" + Limiter.plain(own.getAsDouble())
                                + " per s) is smaller than the descriptor's (" + Limiter.plain(wanted.getAsDouble())
                                + " per s) and is consumed too: the descriptor's limit is never reached",
                        bucket.get().place(),
                        related(other.get().place(), "the descriptor's bucket"));
                return;
            }
        }
    }

    private static OptionalDouble rate(ConfigNode bucket) {
        OptionalDouble fill = value(bucket, "tokens_per_fill", "tokensPerFill");
        OptionalDouble seconds = bucket.either("fill_interval", "fillInterval")
                .map(e -> Durations.seconds(e.value().text()))
                .orElse(OptionalDouble.empty());
        return seconds.isPresent() && seconds.getAsDouble() > 0
                ? OptionalDouble.of(fill.orElse(1) / seconds.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble value(ConfigNode node, String... keys) {
        return node.either(keys).map(e -> e.value().number()).orElse(OptionalDouble.empty());
    }

    private static void duplicates(Findings findings, ConfigNode list, String path) {
        Map<String, Place> seen = new HashMap<>();
        for (ConfigNode descriptor : list.items()) {
            String value = descriptor.string("value");
            String key = path + "." + descriptor.string("key") + (value.isEmpty() ? "" : "_" + value);
            Place before = seen.putIfAbsent(key, descriptor.place());
            if (before != null) {
                findings.report(
                        TECHNOLOGY,
                        "descriptor-mismatch",
                        "the composite key " + key
                                + " is defined twice: the service refuses the file and runs on with the previous configuration, or none",
                        descriptor.place(),
                        related(before, "defined here first"));
            }
            descriptor.get("descriptors").ifPresent(inner -> duplicates(findings, inner, key));
        }
    }

    private static void remoteAddress(Facts facts, Findings findings, ConfigNode node) {
        Optional<ConfigNode.Entry> action = node.entry("remote_address");
        if (action.isEmpty() || node.entries().size() != 1) {
            return;
        }
        boolean[] hops = {false};
        facts.sources()
                .documents()
                .forEach(d -> d.walkEntries((map, e) -> hops[0] |=
                        e.key().equals("numTrustedProxies") || e.key().equals("xff_num_trusted_hops")));
        if (!hops[0]) {
            IngressNginx.clusterPolicy(facts, "gateway")
                    .ifPresent(policy -> findings.report(
                            TECHNOLOGY,
                            "key-proxy-collapse",
                            "the key is the address that Envoy sees, and externalTrafficPolicy Cluster replaces it by a node's: all who enter by one node share the limit",
                            action.get().place(),
                            policy));
        }
    }

    private static void replicas(Facts facts, Findings findings, ConfigNode node) {
        Optional<ConfigNode.Entry> filter =
                node.entry("name").filter(e -> e.value().text().equals("envoy.filters.http.local_ratelimit"));
        if (filter.isEmpty()) {
            return;
        }
        facts.surroundings().instances().stream()
                .filter(i -> i.most() > 1 && i.kind() == Instances.Kind.POD)
                .filter(i -> i.workload().contains("gateway") || i.workload().contains("envoy"))
                .findFirst()
                .ifPresent(i -> findings.report(
                        TECHNOLOGY,
                        "state-per-gateway-replica",
                        "a local limit counts in each proxy, and there may be " + i.most() + " of them",
                        filter.get().place(),
                        related(i.place(), i.what())));
    }
}
