package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Sources;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Kong's rate-limiting plugin and APISIX's limit plugins. */
final class KongLimits implements PitfallCheck {
    private static final List<String> UNITS = List.of("second", "minute", "hour", "day", "month");

    @Override
    public void look(Facts facts, Findings findings) {
        for (Sources.Config config : facts.sources().configs()) {
            for (ConfigNode document : config.documents()) {
                boolean resource = document.is("kongplugin", "kind") || document.is("kongclusterplugin", "kind");
                document.walk(node -> {
                    String name =
                            resource && node.entry("plugin").isPresent() ? node.string("plugin") : node.string("name");
                    Optional<ConfigNode> settings = node.get("config");
                    if (name.startsWith("rate-limiting") && settings.isPresent()) {
                        kong(facts, findings, settings.get(), node);
                    }
                    for (String plugin : List.of("limit-count", "limit-req", "limit-conn")) {
                        node.entry(plugin)
                                .filter(e -> !e.value().entries().isEmpty())
                                .ifPresent(e -> apisix(facts, findings, plugin, e.value(), e.place()));
                        if (name.equals(plugin) && settings.isPresent()) {
                            apisix(facts, findings, plugin, settings.get(), node.place());
                        }
                    }
                });
            }
        }
    }

    private static void kong(Facts facts, Findings findings, ConfigNode settings, ConfigNode plugin) {
        String policy = settings.string("policy");
        Place place = settings.entry("policy").map(ConfigNode.Entry::place).orElse(plugin.place());
        Optional<Instances> several = facts.surroundings().instances().stream()
                .filter(i -> i.most() > 1 && i.kind() == Instances.Kind.POD)
                .filter(i -> i.workload().isEmpty()
                        || i.workload().contains("kong")
                        || i.workload().contains("gateway"))
                .findFirst();
        if ((policy.equals("local") || policy.isEmpty())
                && settings.entry("strategy").isEmpty()
                && several.isPresent()) {
            findings.report(
                    "kong",
                    "state-per-gateway-replica",
                    "policy local counts in each node, and there are "
                            + several.get().most() + ": up to "
                            + effective(settings, several.get().most()) + " for each client",
                    place,
                    related(several.get().place(), several.get().what()));
        }
        boolean byAddress = settings.string("limit_by").equals("ip");
        if (byAddress) {
            trusted(facts)
                    .ifPresent(trust -> findings.report(
                            "kong",
                            "key-spoofable",
                            "every address may say who the client is: the key is the leftmost X-Forwarded-For entry, which the caller writes",
                            trust,
                            related(settings.entry("limit_by").orElseThrow().place(), "limited by address")));
        }
    }

    private static String effective(ConfigNode settings, int nodes) {
        for (String unit : UNITS) {
            OptionalDouble limit = settings.number(unit);
            if (limit.isPresent()) {
                return Limiter.plain(limit.getAsDouble() * nodes) + " per " + unit;
            }
        }
        return nodes + " times the limit";
    }

    // trusted_ips = 0.0.0.0/0,::/0
    private static Optional<Place> trusted(Facts facts) {
        for (SourceFile file : facts.sources().files().values()) {
            boolean kong = file.name().startsWith("kong") && file.name().endsWith(".conf");
            boolean recursive = file.text().matches("(?s).*real_ip_recursive\\s{0,3}=\\s{0,3}on.*");
            for (int line = 1; kong && recursive && line <= file.lineCount(); line++) {
                String text = file.line(line).strip();
                if (text.startsWith("trusted_ips") && (text.contains("0.0.0.0/0") || text.contains("::/0"))) {
                    return Optional.of(file.at(line, 1));
                }
            }
        }
        for (ConfigNode document : facts.sources().documents()) {
            Place[] found = new Place[1];
            document.walkEntries((map, entry) -> {
                if (entry.key().equals("KONG_TRUSTED_IPS")
                        && entry.value().text().contains("0.0.0.0/0")) {
                    found[0] = entry.place();
                }
            });
            if (found[0] != null) {
                return Optional.of(found[0]);
            }
        }
        return Optional.empty();
    }

    private static void apisix(Facts facts, Findings findings, String plugin, ConfigNode settings, Place place) {
        if (settings.entry("rejected_code").isEmpty()) {
            findings.report(
                    "apisix",
                    "status-not-429",
                    plugin + " without rejected_code answers 503: clients and balancers see an outage",
                    place);
        }
        String policy = settings.string("policy");
        if (plugin.equals("limit-count") && (policy.isEmpty() || policy.equals("local"))) {
            facts.surroundings().instances().stream()
                    .filter(i -> i.most() > 1 && i.kind() == Instances.Kind.POD)
                    .filter(i -> i.workload().isEmpty()
                            || i.workload().contains("apisix")
                            || i.workload().contains("gateway"))
                    .findFirst()
                    .ifPresent(i -> findings.report(
                            "apisix",
                            "state-per-gateway-replica",
                            "policy local counts in each node, and there are " + i.most(),
                            settings.entry("policy")
                                    .map(ConfigNode.Entry::place)
                                    .orElse(place),
                            related(i.place(), i.what())));
        }
    }
}
