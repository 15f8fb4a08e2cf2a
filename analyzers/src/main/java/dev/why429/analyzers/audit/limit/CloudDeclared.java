package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.limit.DeclaredLimit.Algorithm;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Store;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Sources;
import java.util.List;
import java.util.OptionalDouble;

/** Edges and clouds: Cloudflare, AWS WAF, API Gateway, Google Cloud Armor, Azure Front Door; Terraform and CloudFormation. */
final class CloudDeclared implements LimitReader {
    private static final double WAF_WINDOW_SECONDS = 300;

    @Override
    public void read(Sources sources, List<DeclaredLimit> into) {
        for (ConfigNode document : sources.terraform()) {
            document.walkEntries((map, entry) -> terraform(entry, into));
        }
        for (ConfigNode document : sources.documents()) {
            document.get("Resources").ifPresent(resources -> resources.entries().forEach(e -> formation(e, into)));
        }
    }

    private static void terraform(ConfigNode.Entry entry, List<DeclaredLimit> into) {
        ConfigNode block = entry.value();
        switch (entry.key()) {
            case "ratelimit" -> {
                if (block.number("requests_per_period").isPresent()) {
                    into.add(DeclaredLimit.of(
                                    "cloudflare",
                                    Algorithm.SLIDING_WINDOW,
                                    block.entry("requests_per_period")
                                            .orElseThrow()
                                            .place())
                            .limit(block.number("requests_per_period"))
                            .window(block.number("period"))
                            .key(names(block, "characteristics"))
                            .store(Store.LOCAL)
                            .build());
                }
            }
            case "rate_based_statement" -> {
                if (block.number("limit").isPresent()) {
                    into.add(DeclaredLimit.of(
                                    "aws-waf",
                                    Algorithm.SLIDING_WINDOW,
                                    block.entry("limit").orElseThrow().place())
                            .limit(block.number("limit"))
                            .window(OptionalDouble.of(
                                    block.number("evaluation_window_sec").orElse(WAF_WINDOW_SECONDS)))
                            .key(
                                    block.string("aggregate_key_type").isEmpty()
                                            ? "IP"
                                            : block.string("aggregate_key_type"))
                            .store(Store.SHARED)
                            .status(OptionalDouble.of(403))
                            .build());
                }
            }
            case "throttle_settings", "throttle", "default_route_settings", "settings", "route_settings" ->
                throttle(block, into);
            case "quota_settings" -> quota(block, "limit", "period", into);
            case "rate_limit_threshold" -> {
                if (block.number("count").isPresent()) {
                    into.add(DeclaredLimit.of("cloud-armor", Algorithm.SLIDING_WINDOW, entry.place())
                            .limit(block.number("count"))
                            .window(block.number("interval_sec"))
                            .build());
                }
            }
            default -> {}
        }
    }

    private static void throttle(ConfigNode block, List<DeclaredLimit> into) {
        block.either("rate_limit", "throttling_rate_limit", "RateLimit", "ThrottlingRateLimit")
                .filter(e -> e.value().number().isPresent())
                .ifPresent(e -> into.add(DeclaredLimit.of("api-gateway", Algorithm.TOKEN_BUCKET, e.place())
                        .rate(e.value().number())
                        .burst(block.either(
                                        "burst_limit", "throttling_burst_limit", "BurstLimit", "ThrottlingBurstLimit")
                                .map(b -> b.value().number())
                                .orElse(OptionalDouble.empty()))
                        .key(e.key().startsWith("rate") || e.key().startsWith("Rate") ? "api_key" : "")
                        .store(Store.SHARED)
                        .status(OptionalDouble.of(429))
                        .build()));
    }

    private static void quota(ConfigNode block, String limit, String period, List<DeclaredLimit> into) {
        if (block.number(limit).isPresent()) {
            into.add(DeclaredLimit.of(
                            "api-gateway",
                            Algorithm.FIXED_WINDOW,
                            block.entry(limit).orElseThrow().place())
                    .name("quota")
                    .limit(block.number(limit))
                    .window(EnvoyDeclared.unit(block.string(period)))
                    .key("api_key")
                    .store(Store.SHARED)
                    .status(OptionalDouble.of(429))
                    .build());
        }
    }

    private static void formation(ConfigNode.Entry resource, List<DeclaredLimit> into) {
        resource.value().walkEntries((map, entry) -> {
            switch (entry.key()) {
                case "Throttle", "DefaultRouteSettings" -> throttle(entry.value(), into);
                case "MethodSettings" -> entry.value().items().forEach(item -> throttle(item, into));
                case "Quota" -> quota(entry.value(), "Limit", "Period", into);
                case "RateBasedStatement" -> {
                    ConfigNode block = entry.value();
                    if (block.number("Limit").isPresent()) {
                        into.add(DeclaredLimit.of("aws-waf", Algorithm.SLIDING_WINDOW, entry.place())
                                .limit(block.number("Limit"))
                                .window(OptionalDouble.of(
                                        block.number("EvaluationWindowSec").orElse(WAF_WINDOW_SECONDS)))
                                .key(block.string("AggregateKeyType"))
                                .store(Store.SHARED)
                                .status(OptionalDouble.of(403))
                                .build());
                    }
                }
                default -> {}
            }
        });
    }

    private static String names(ConfigNode block, String key) {
        return block.get(key)
                .map(list -> String.join(
                        ",", list.items().stream().map(ConfigNode::text).toList()))
                .orElse("");
    }
}
