package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Durations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Traefik's rateLimit, from labels, dynamic files and Middleware resources. */
final class TraefikLimits implements PitfallCheck {
    private static final String TECHNOLOGY = "traefik";
    private static final String PREFIX = "traefik.http.middlewares.";
    private static final Pattern ONE_AT_A_TIME = Pattern.compile("(?i)login|auth|otp|sms|password");

    /** @param options in lower case, {@code sourcecriterion.ipstrategy.depth}, with values and places */
    private record Middleware(String name, Map<String, ConfigNode> options, Place place) {
        boolean has(String prefix) {
            return options.keySet().stream().anyMatch(key -> key.startsWith(prefix));
        }
    }

    @Override
    public void look(Facts facts, Findings findings) {
        List<Middleware> limits = new ArrayList<>();
        for (ConfigNode document : facts.sources().documents()) {
            document.walkEntries((map, entry) -> {
                if (entry.key().equals("labels")) {
                    limits.addAll(fromLabels(entry.value()));
                } else if (entry.key().equals("rateLimit")
                        && entry.value().entry("average").isPresent()) {
                    Map<String, ConfigNode> options = new LinkedHashMap<>();
                    flatten("", entry.value(), options);
                    limits.add(new Middleware(
                            document.string("metadata", "name"),
                            options,
                            options.get("average").place()));
                }
            });
        }
        Optional<Related> trusted = trusted(facts);
        for (Middleware limit : limits) {
            burst(findings, limit);
            keys(findings, limit, trusted);
            replicas(facts, findings, limit);
        }
    }

    private static void flatten(String prefix, ConfigNode node, Map<String, ConfigNode> into) {
        for (ConfigNode.Entry entry : node.entries()) {
            String key = prefix + entry.key().toLowerCase(Locale.ROOT);
            into.put(key, entry.value());
            flatten(key + ".", entry.value(), into);
        }
    }

    private static List<Middleware> fromLabels(ConfigNode labels) {
        Map<String, Map<String, ConfigNode>> byName = new LinkedHashMap<>();
        Map<String, Place> places = new LinkedHashMap<>();
        List<ConfigNode> lines = new ArrayList<>(labels.items());
        for (ConfigNode.Entry entry : labels.entries()) {
            lines.add(new ConfigNode(
                    ConfigNode.Kind.SCALAR,
                    entry.key() + "=" + entry.value().text(),
                    List.of(),
                    List.of(),
                    entry.place()));
        }
        for (ConfigNode line : lines) {
            String text = line.text();
            int equals = text.indexOf('=');
            int limit = text.toLowerCase(Locale.ROOT).indexOf(".ratelimit.");
            if (text.startsWith(PREFIX) && limit > 0 && equals > limit) {
                String name = text.substring(PREFIX.length(), limit);
                String option = text.substring(limit + 11, equals).toLowerCase(Locale.ROOT);
                byName.computeIfAbsent(name, n -> new LinkedHashMap<>())
                        .put(
                                option,
                                new ConfigNode(
                                        ConfigNode.Kind.SCALAR,
                                        text.substring(equals + 1),
                                        List.of(),
                                        List.of(),
                                        line.place()));
                if (option.equals("average")) {
                    places.put(name, line.place());
                }
            }
        }
        return byName.entrySet().stream()
                .filter(e -> places.containsKey(e.getKey()))
                .map(e -> new Middleware(e.getKey(), e.getValue(), places.get(e.getKey())))
                .toList();
    }

    private static void burst(Findings findings, Middleware limit) {
        OptionalDouble average = limit.options().get("average").number();
        double period = limit.options().containsKey("period")
                ? Durations.seconds(limit.options().get("period").text()).orElse(1)
                : 1;
        if (limit.options().containsKey("burst")
                || average.isEmpty()
                || average.getAsDouble() < 2
                || ONE_AT_A_TIME.matcher(limit.name()).find()) {
            return;
        }
        long millis = Math.round(1000 * period / average.getAsDouble());
        findings.report(
                TECHNOLOGY,
                "burst-too-small",
                "average=" + (long) average.getAsDouble() + " without burst (default 1): one request in " + millis
                        + " ms, and the second within that is refused",
                limit.place());
    }

    private static Optional<Related> trusted(Facts facts) {
        List<Related> found = new ArrayList<>();
        for (ConfigNode document : facts.sources().documents()) {
            document.walkEntries((map, entry) -> {
                boolean list = entry.key().equals("forwardedHeaders")
                        && entry.value().entry("trustedIPs").isPresent();
                boolean cdn = entry.key().contains("cloudflare-proxied")
                        && entry.value().text().equals("true");
                if (list || cdn) {
                    found.add(related(entry.place(), cdn ? "a CDN in front" : "proxies in front are trusted"));
                }
                if (entry.key().equals("command") || entry.key().equals("args")) {
                    entry.value().items().stream()
                            .filter(item ->
                                    item.text().toLowerCase(Locale.ROOT).contains("forwardedheaders.trustedips"))
                            .forEach(item -> found.add(related(item.place(), "proxies in front are trusted")));
                }
            });
        }
        facts.surroundings().proxies().stream()
                .filter(p -> p.kind() == dev.why429.analyzers.audit.fact.Proxy.Kind.CDN)
                .forEach(p -> found.add(related(p.place(), p.what() + " is in front")));
        return found.stream().findFirst();
    }

    private static void keys(Findings findings, Middleware limit, Optional<Related> trusted) {
        boolean excluded = limit.has("sourcecriterion.ipstrategy.excludedips");
        if (!limit.has("sourcecriterion") && trusted.isPresent()) {
            findings.report(
                    TECHNOLOGY,
                    "key-proxy-collapse",
                    "without sourceCriterion the key is the address of whoever connects, and a proxy is in front: all clients share one bucket",
                    limit.place(),
                    trusted.get());
        } else if (excluded && trusted.isEmpty()) {
            findings.report(
                    TECHNOLOGY,
                    "key-empty",
                    "excludedIPs looks into X-Forwarded-For, and no proxy in front is trusted to send one: the key is empty, and all share it",
                    limit.options().entrySet().stream()
                            .filter(e -> e.getKey().endsWith("excludedips"))
                            .map(e -> e.getValue().place())
                            .findFirst()
                            .orElse(limit.place()),
                    related(limit.place(), "the limit"));
        }
    }

    private static void replicas(Facts facts, Findings findings, Middleware limit) {
        if (limit.has("redis")) {
            return;
        }
        facts.surroundings().instances().stream()
                .filter(i -> i.most() > 1
                        && i.kind() == Instances.Kind.POD
                        && i.workload().contains("traefik"))
                .findFirst()
                .ifPresent(i -> findings.report(
                        TECHNOLOGY,
                        "state-per-gateway-replica",
                        "each Traefik counts for itself, and there may be " + i.most() + " of them",
                        limit.place(),
                        related(i.place(), i.what())));
    }
}
