package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.read.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Limiters that are a few keys of a YAML file: Symfony's, Loki's. */
final class YamlLimits implements PitfallCheck {
    private static final double OVERSIZED = 5;
    private static final double BYTES_PER_MB = 1024 * 1024;

    @Override
    public void look(Facts facts, Findings findings) {
        for (ConfigNode document : facts.sources().documents()) {
            document.get("framework", "rate_limiter").ifPresent(limiters -> symfony(findings, limiters));
            document.entry("limits_config").ifPresent(limits -> loki(facts, findings, limits.value()));
        }
    }

    private static void symfony(Findings findings, ConfigNode limiters) {
        boolean compound = limiters.entries().stream().anyMatch(e -> e.value().is("compound", "policy"));
        for (ConfigNode.Entry limiter : limiters.entries()) {
            ConfigNode value = limiter.value();
            OptionalDouble size = value.number("limit");
            OptionalDouble amount = value.number("rate", "amount");
            if (value.is("token_bucket", "policy")
                    && size.isPresent()
                    && amount.isPresent()
                    && !compound
                    && size.getAsDouble() >= OVERSIZED * amount.getAsDouble()) {
                findings.report(
                        "symfony",
                        "burst-oversized",
                        "the bucket holds " + Limiter.plain(size.getAsDouble()) + " and gets "
                                + Limiter.plain(amount.getAsDouble()) + " per " + value.string("rate", "interval")
                                + ": "
                                + Limiter.plain(size.getAsDouble()) + " calls may come in one second",
                        value.entry("limit").orElseThrow().place(),
                        related(value.entry("rate").orElseThrow().place(), "the refill"));
            }
        }
    }

    private static void loki(Facts facts, Findings findings, ConfigNode limits) {
        Optional<ConfigNode.Entry> strategy = limits.entry("ingestion_rate_strategy");
        OptionalDouble rate = limits.number("ingestion_rate_mb");
        if (rate.isEmpty()
                || strategy.filter(s -> s.value().text().equals("global")).isEmpty()) {
            return;
        }
        Optional<ConfigNode.Entry> nodes = distributors(facts);
        Optional<ConfigNode.Entry> batch = batch(facts);
        if (nodes.isEmpty() || batch.isEmpty()) {
            return;
        }
        double count = nodes.get().value().number().orElse(1);
        double each = rate.getAsDouble() * BYTES_PER_MB / count;
        double push = batch.get().value().number().orElse(0);
        if (count > 1 && push > each) {
            List<Related> related = new ArrayList<>();
            related.add(related(nodes.get().place(), "how many share it"));
            related.add(related(batch.get().place(), "one push"));
            limits.entry("ingestion_burst_size_mb")
                    .ifPresent(b -> related.add(related(b.place(), "bounds one push too")));
            findings.report(
                    "loki",
                    "state-divided-global",
                    Limiter.plain(rate.getAsDouble()) + " MB/s shared by up to " + Limiter.plain(count)
                            + " distributors is " + Limiter.plain(Math.floor(each))
                            + " bytes/s for each, and one push is " + Limiter.plain(push),
                    strategy.get().place(),
                    related.toArray(Related[]::new));
        }
    }

    private static Optional<ConfigNode.Entry> distributors(Facts facts) {
        for (ConfigNode document : facts.sources().documents()) {
            Optional<ConfigNode> distributor = document.get("distributor").or(() -> document.get("write"));
            Optional<ConfigNode.Entry> scaled = distributor
                    .filter(d -> d.is("true", "autoscaling", "enabled"))
                    .flatMap(d -> d.get("autoscaling"))
                    .flatMap(a -> a.entry("maxReplicas"));
            Optional<ConfigNode.Entry> found = scaled.or(() -> distributor.flatMap(d -> d.entry("replicas")));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<ConfigNode.Entry> batch(Facts facts) {
        List<ConfigNode.Entry> found = new ArrayList<>();
        facts.sources()
                .documents()
                .forEach(d -> d.walkEntries((map, entry) -> {
                    if ((entry.key().equals("batchsize") || entry.key().equals("batch_size"))
                            && entry.value().number().isPresent()) {
                        found.add(entry);
                    }
                }));
        return found.stream().findFirst();
    }
}
