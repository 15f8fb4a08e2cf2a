package dev.why429.analyzers.replay;

import dev.why429.rules.LimiterRule;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Policies written as configuration of the software at hand, by the templates of the limiters' pages. */
public final class Configurations {
    private Configurations() {}

    /** @param components as attribution names them, {@code nginx limit_req} say; the first that has a template counts */
    public static Optional<String> of(Policy policy, List<String> components) {
        for (String component : components) {
            String name = component.toLowerCase(Locale.ROOT);
            for (LimiterRule.Configuration template :
                    ReferenceLimiters.rule(policy.limiter()).configurations()) {
                if (name.contains(template.component())) {
                    return Optional.of(filled(template, policy));
                }
            }
        }
        return Optional.empty();
    }

    private static String filled(LimiterRule.Configuration template, Policy policy) {
        String text = template.text();
        for (Map.Entry<String, String> value : values(template, policy).entrySet()) {
            text = text.replace("{" + value.getKey() + "}", value.getValue());
        }
        return text.strip();
    }

    private static Map<String, String> values(LimiterRule.Configuration template, Policy policy) {
        Map<String, String> values = new HashMap<>();
        String key = policy.key().toString();
        values.put("key", template.keys().getOrDefault(key, key));
        long[] p = policy.parameters();
        switch (policy.limiter()) {
            case "token-bucket", "gcra" -> rates(values, p[0], (double) p[1] * 1e6 / p[2]);
            case "leaky-bucket" -> rates(values, p[0] + 1, p[1] / 1000.0);
            case "leaky-queue" -> rates(values, p[0] * p[1] / p[2] + 1, (double) p[1] * 1e6 / p[2]);
            default -> {
                values.put("limit", Long.toString(p[0]));
                values.put("window_seconds", LimiterPolicies.number(p.length > 1 ? p[1] / 1e6 : 0));
                values.put("window_millis", LimiterPolicies.number(p.length > 1 ? p[1] / 1e3 : 0));
            }
        }
        return values;
    }

    private static void rates(Map<String, String> values, long burst, double perSecond) {
        long perMinute = (long) Math.ceil(perSecond * 60 - 1e-9);
        values.put("burst", Long.toString(burst));
        values.put("burst_beyond_first", Long.toString(burst - 1));
        values.put("rate_per_second", LimiterPolicies.number(perSecond));
        values.put("rate_per_second_up", Long.toString((long) Math.ceil(perSecond - 1e-9)));
        values.put("rate_per_minute", Long.toString(perMinute));
        values.put("rate", perSecond == Math.rint(perSecond) ? (long) perSecond + "r/s" : perMinute + "r/m");
        values.put("minute", Long.toString(perMinute + burst));
    }
}
