package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.limit.DeclaredLimit.Algorithm;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Store;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Durations;
import dev.why429.analyzers.audit.read.Sources;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Gateways configured in YAML, JSON or TOML: ingress-nginx, Traefik, Kong, APISIX, KrakenD. */
final class GatewayDeclared implements LimitReader {
    private static final String INGRESS = "nginx.ingress.kubernetes.io/";
    private static final double INGRESS_BURST = 5;

    @Override
    public void read(Sources sources, List<DeclaredLimit> into) {
        for (ConfigNode document : sources.documents()) {
            document.get("metadata", "annotations").ifPresent(a -> ingress(document, a, into));
            boolean kongResource = document.is("kongplugin", "kind") || document.is("kongclusterplugin", "kind");
            document.walk(node -> {
                String name =
                        kongResource && node.entry("plugin").isPresent() ? node.string("plugin") : node.string("name");
                node.get("config").ifPresent(config -> kong(name, config, into));
                node.get("config").ifPresent(config -> apisix(name, config, into));
                for (ConfigNode.Entry entry : node.entries()) {
                    apisix(entry.key(), entry.value(), into);
                    entry(document, entry, into);
                }
            });
        }
    }

    private static void entry(ConfigNode document, ConfigNode.Entry entry, List<DeclaredLimit> into) {
        String key = entry.key().toLowerCase(Locale.ROOT);
        if (key.equals("ratelimit") && entry.value().entry("average").isPresent()) {
            traefik(
                    document.string("metadata", "name"),
                    options(entry.value()),
                    entry.value().get("average").orElseThrow(),
                    into);
        } else if (key.equals("labels")) {
            labels(entry.value(), into);
        } else if (key.equals("inflightreq") && entry.value().number("amount").isPresent()) {
            into.add(DeclaredLimit.of("traefik", Algorithm.CONCURRENCY, entry.place())
                    .limit(entry.value().number("amount"))
                    .store(Store.LOCAL)
                    .build());
        } else if (key.startsWith("qos/ratelimit")) {
            krakend(entry, into);
        }
    }

    private static void ingress(ConfigNode document, ConfigNode annotations, List<DeclaredLimit> into) {
        double multiplier =
                annotations.number(INGRESS + "limit-burst-multiplier").orElse(INGRESS_BURST);
        for (ConfigNode.Entry entry : annotations.entries()) {
            OptionalDouble value = entry.value().number();
            if (!entry.key().startsWith(INGRESS + "limit-") || value.isEmpty()) {
                continue;
            }
            String option = entry.key().substring(INGRESS.length());
            String name = document.string("metadata", "name");
            double perSecond = option.equals("limit-rpm") ? value.getAsDouble() / 60 : value.getAsDouble();
            if (option.equals("limit-rps") || option.equals("limit-rpm")) {
                into.add(DeclaredLimit.of("ingress-nginx", Algorithm.LEAKY_BUCKET, entry.place())
                        .name(name)
                        .rate(OptionalDouble.of(perSecond))
                        .burst(OptionalDouble.of(value.getAsDouble() * multiplier))
                        .key("$binary_remote_addr")
                        .store(Store.LOCAL)
                        .build());
            } else if (option.equals("limit-connections")) {
                into.add(DeclaredLimit.of("ingress-nginx", Algorithm.CONCURRENCY, entry.place())
                        .name(name)
                        .limit(value)
                        .key("$binary_remote_addr")
                        .store(Store.LOCAL)
                        .build());
            }
        }
    }

    /** Options in lower case, with {@code sourcecriterion.…} flattened. */
    private static Map<String, String> options(ConfigNode node) {
        Map<String, String> options = new TreeMap<>();
        flatten("", node, options, 0);
        return options;
    }

    private static void flatten(String prefix, ConfigNode node, Map<String, String> into, int depth) {
        for (ConfigNode.Entry entry : node.entries()) {
            String key = prefix + entry.key().toLowerCase(Locale.ROOT);
            into.put(key, entry.value().text());
            if (depth < 6) {
                flatten(key + ".", entry.value(), into, depth + 1);
            }
        }
    }

    private static void traefik(
            String name, Map<String, String> options, ConfigNode average, List<DeclaredLimit> into) {
        OptionalDouble period = Durations.seconds(options.getOrDefault("period", "1s"));
        OptionalDouble count = NginxDeclared.number(options.getOrDefault("average", ""));
        if (count.isEmpty()) {
            return;
        }
        into.add(DeclaredLimit.of("traefik", Algorithm.TOKEN_BUCKET, average.place())
                .name(name)
                .rate(
                        period.isPresent() && period.getAsDouble() > 0
                                ? OptionalDouble.of(count.getAsDouble() / period.getAsDouble())
                                : OptionalDouble.empty())
                .burst(OptionalDouble.of(
                        NginxDeclared.number(options.getOrDefault("burst", "1")).orElse(1)))
                .key(source(options))
                .store(options.keySet().stream().anyMatch(k -> k.startsWith("redis")) ? Store.SHARED : Store.LOCAL)
                .build());
    }

    private static String source(Map<String, String> options) {
        if (options.containsKey("sourcecriterion.requestheadername")) {
            return "header:" + options.get("sourcecriterion.requestheadername");
        }
        return options.containsKey("sourcecriterion.requesthost") ? "host" : "address";
    }

    // traefik.http.middlewares.api.ratelimit.average=100
    private static void labels(ConfigNode labels, List<DeclaredLimit> into) {
        Map<String, Map<String, String>> byName = new TreeMap<>();
        Map<String, ConfigNode> averages = new TreeMap<>();
        labels.walk(node -> {
            int equals = node.text().indexOf('=');
            if (equals > 0) {
                label(node.text().substring(0, equals), node.text().substring(equals + 1), node, byName, averages);
            }
            node.entries().forEach(e -> label(e.key(), e.value().text(), e.value(), byName, averages));
        });
        averages.forEach((name, average) -> traefik(name, byName.get(name), average, into));
    }

    private static void label(
            String key,
            String value,
            ConfigNode node,
            Map<String, Map<String, String>> byName,
            Map<String, ConfigNode> averages) {
        String lower = key.toLowerCase(Locale.ROOT);
        int limit = lower.indexOf(".ratelimit.");
        if (lower.startsWith("traefik.http.middlewares.") && limit > 0) {
            String name = key.substring("traefik.http.middlewares.".length(), limit);
            String option = lower.substring(limit + ".ratelimit.".length());
            byName.computeIfAbsent(name, n -> new TreeMap<>()).put(option, value);
            if (option.equals("average")) {
                averages.put(name, node);
            }
        }
    }

    private static void kong(String plugin, ConfigNode config, List<DeclaredLimit> into) {
        if (plugin.equals("rate-limiting")) {
            Store store = List.of("redis", "cluster").contains(config.string("policy")) ? Store.SHARED : Store.LOCAL;
            for (ConfigNode.Entry entry : config.entries()) {
                OptionalDouble window = EnvoyDeclared.unit(entry.key());
                if (window.isPresent() && entry.value().number().isPresent()) {
                    into.add(DeclaredLimit.of("kong", Algorithm.FIXED_WINDOW, entry.place())
                            .name(plugin)
                            .limit(entry.value().number())
                            .window(window)
                            .key(config.string("limit_by").isEmpty() ? "consumer" : config.string("limit_by"))
                            .store(store)
                            .status(OptionalDouble.of(
                                    config.number("error_code").orElse(429)))
                            .build());
                }
            }
        } else if (plugin.equals("rate-limiting-advanced")) {
            List<ConfigNode> limits = config.get("limit").map(ConfigNode::items).orElse(List.of());
            List<ConfigNode> windows =
                    config.get("window_size").map(ConfigNode::items).orElse(List.of());
            for (int i = 0; i < Math.min(limits.size(), windows.size()); i++) {
                into.add(DeclaredLimit.of(
                                "kong",
                                config.is("fixed", "window_type") ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_WINDOW,
                                limits.get(i).place())
                        .name(plugin)
                        .limit(limits.get(i).number())
                        .window(windows.get(i).number())
                        .key(config.string("identifier").isEmpty() ? "consumer" : config.string("identifier"))
                        .store(config.is("local", "strategy") ? Store.LOCAL : Store.SHARED)
                        .build());
            }
        }
    }

    private static void apisix(String plugin, ConfigNode config, List<DeclaredLimit> into) {
        Optional<ConfigNode> count = config.get("count");
        String key = config.string("key").isEmpty() ? "remote_addr" : config.string("key");
        OptionalDouble status = OptionalDouble.of(config.number("rejected_code").orElse(503));
        if (plugin.equals("limit-count")
                && count.isPresent()
                && config.number("time_window").isPresent()) {
            into.add(DeclaredLimit.of(
                            "apisix", Algorithm.FIXED_WINDOW, count.get().place())
                    .name(plugin)
                    .limit(count.get().number())
                    .window(config.number("time_window"))
                    .key(key)
                    .store(config.string("policy").startsWith("redis") ? Store.SHARED : Store.LOCAL)
                    .status(status)
                    .build());
        } else if (plugin.equals("limit-req") && config.number("rate").isPresent()) {
            into.add(DeclaredLimit.of(
                            "apisix",
                            Algorithm.LEAKY_BUCKET,
                            config.get("rate").orElseThrow().place())
                    .name(plugin)
                    .rate(config.number("rate"))
                    .burst(config.number("burst"))
                    .key(key)
                    .store(Store.LOCAL)
                    .status(status)
                    .build());
        } else if (plugin.equals("limit-conn") && config.number("conn").isPresent()) {
            into.add(DeclaredLimit.of(
                            "apisix",
                            Algorithm.CONCURRENCY,
                            config.get("conn").orElseThrow().place())
                    .name(plugin)
                    .limit(config.number("conn"))
                    .key(key)
                    .store(Store.LOCAL)
                    .status(status)
                    .build());
        }
    }

    private static void krakend(ConfigNode.Entry entry, List<DeclaredLimit> into) {
        ConfigNode config = entry.value();
        OptionalDouble every = Durations.seconds(config.string("every").isEmpty() ? "1s" : config.string("every"));
        for (String name : List.of("max_rate", "client_max_rate")) {
            OptionalDouble rate = config.number(name);
            if (rate.isPresent() && rate.getAsDouble() > 0 && every.orElse(0) > 0) {
                String capacity = name.equals("max_rate") ? "capacity" : "client_capacity";
                into.add(DeclaredLimit.of(
                                "krakend",
                                Algorithm.TOKEN_BUCKET,
                                config.get(name).orElseThrow().place())
                        .name(entry.key())
                        .rate(OptionalDouble.of(rate.getAsDouble() / every.getAsDouble()))
                        .burst(config.number(capacity))
                        .key(name.equals("max_rate") ? "" : config.string("strategy"))
                        .store(Store.LOCAL)
                        .status(OptionalDouble.of(name.equals("max_rate") ? 503 : 429))
                        .build());
            }
        }
    }
}
