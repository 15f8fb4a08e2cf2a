package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.limit.DeclaredLimit.Algorithm;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Store;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Durations;
import dev.why429.analyzers.audit.read.Sources;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Envoy's token buckets (also inside an Istio EnvoyFilter), the rate limit service's descriptors, Envoy Gateway's policies. */
final class EnvoyDeclared implements LimitReader {
    @Override
    public void read(Sources sources, List<DeclaredLimit> into) {
        for (Sources.Config config : sources.configs()) {
            for (ConfigNode document : config.documents()) {
                document.walk(node -> bucket(node, into));
                String domain = document.string("domain");
                if (!domain.isEmpty()) {
                    document.get("descriptors").ifPresent(list -> descriptors(list, domain, into));
                }
                document.get("data").ifPresent(data -> embedded(data, into));
                if (document.is("backendtrafficpolicy", "kind")) {
                    document.get("spec", "rateLimit").ifPresent(rules -> policy(document, rules, into));
                }
            }
        }
    }

    private static void bucket(ConfigNode node, List<DeclaredLimit> into) {
        Optional<ConfigNode.Entry> entry = node.either("token_bucket", "tokenBucket");
        if (entry.isEmpty()) {
            return;
        }
        ConfigNode bucket = entry.get().value();
        OptionalDouble most = number(bucket, "max_tokens", "maxTokens");
        if (most.isEmpty()) {
            return;
        }
        double fill = number(bucket, "tokens_per_fill", "tokensPerFill").orElse(1);
        OptionalDouble seconds = bucket.either("fill_interval", "fillInterval")
                .map(e -> Durations.seconds(e.value().text()))
                .orElse(OptionalDouble.empty());
        boolean rated = seconds.isPresent() && seconds.getAsDouble() > 0;
        String name = node.either("stat_prefix", "statPrefix")
                .map(e -> e.value().text())
                .orElseGet(() -> entries(node));
        into.add(DeclaredLimit.of("envoy", Algorithm.TOKEN_BUCKET, entry.get().place())
                .name(name)
                .rate(rated ? OptionalDouble.of(fill / seconds.getAsDouble()) : OptionalDouble.empty())
                .burst(most)
                .key(entries(node))
                .store(Store.LOCAL)
                .build());
    }

    // entries: [{key: client, value: gold}]
    private static String entries(ConfigNode node) {
        StringBuilder text = new StringBuilder();
        node.get("entries")
                .ifPresent(list -> list.items().forEach(item -> {
                    String value = item.string("value");
                    text.append(text.length() > 0 ? "," : "")
                            .append(item.string("key"))
                            .append(value.isEmpty() ? "" : "=" + value);
                }));
        return text.toString();
    }

    private static void descriptors(ConfigNode list, String path, List<DeclaredLimit> into) {
        for (ConfigNode descriptor : list.items()) {
            String value = descriptor.string("value");
            String inner = path + "." + descriptor.string("key") + (value.isEmpty() ? "" : "=" + value);
            descriptor
                    .either("rate_limit", "rateLimit")
                    .filter(e -> e.value()
                            .either("requests_per_unit", "requestsPerUnit")
                            .isPresent())
                    .ifPresent(e -> into.add(DeclaredLimit.of("envoy-ratelimit", Algorithm.FIXED_WINDOW, e.place())
                            .name(inner)
                            .limit(number(e.value(), "requests_per_unit", "requestsPerUnit"))
                            .window(unit(e.value().string("unit")))
                            .key(inner.substring(inner.indexOf('.') + 1))
                            .store(Store.SHARED)
                            .build()));
            descriptor.get("descriptors").ifPresent(d -> descriptors(d, inner, into));
        }
    }

    /** A ConfigMap whose value is the service's configuration was read as further documents; nothing to do but to skip templates. */
    private static void embedded(ConfigNode data, List<DeclaredLimit> into) {
        data.entries().forEach(entry -> {
            String domain = entry.value().string("domain");
            if (!domain.isEmpty()) {
                entry.value().get("descriptors").ifPresent(list -> descriptors(list, domain, into));
            }
        });
    }

    private static void policy(ConfigNode document, ConfigNode limits, List<DeclaredLimit> into) {
        for (String kind : List.of("global", "local")) {
            limits.get(kind, "rules")
                    .ifPresent(rules -> rules.items()
                            .forEach(rule -> rule.entry("limit")
                                    .ifPresent(e -> into.add(DeclaredLimit.of(
                                                    "envoy-gateway",
                                                    kind.equals("global")
                                                            ? Algorithm.FIXED_WINDOW
                                                            : Algorithm.TOKEN_BUCKET,
                                                    e.place())
                                            .name(document.string("metadata", "name"))
                                            .limit(e.value().number("requests"))
                                            .window(unit(e.value().string("unit")))
                                            .burst(
                                                    kind.equals("local")
                                                            ? e.value().number("requests")
                                                            : OptionalDouble.empty())
                                            .key(selector(rule))
                                            .store(kind.equals("global") ? Store.SHARED : Store.LOCAL)
                                            .build()))));
        }
    }

    private static String selector(ConfigNode rule) {
        StringBuilder text = new StringBuilder();
        rule.get("clientSelectors")
                .ifPresent(list -> list.walk(node -> {
                    if (node.is("distinct", "type")) {
                        String name = node.string("name");
                        text.append(text.length() > 0 ? "," : "").append(name.isEmpty() ? "address" : "header:" + name);
                    }
                }));
        return text.toString();
    }

    private static OptionalDouble number(ConfigNode node, String... keys) {
        return node.either(keys).map(e -> e.value().number()).orElse(OptionalDouble.empty());
    }

    static OptionalDouble unit(String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "second" -> OptionalDouble.of(1);
            case "minute" -> OptionalDouble.of(60);
            case "hour" -> OptionalDouble.of(3600);
            case "day" -> OptionalDouble.of(86_400);
            case "week" -> OptionalDouble.of(604_800);
            case "month" -> OptionalDouble.of(2_592_000);
            case "year" -> OptionalDouble.of(31_536_000);
            default -> OptionalDouble.empty();
        };
    }
}
