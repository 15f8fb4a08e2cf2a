package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.RedisUse;
import dev.why429.analyzers.audit.fact.ScriptCall;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of keys in Redis: those that a cluster puts into different slots, and those that name too little. */
final class RedisKeys implements PitfallCheck {
    // rl.{id}.tokens: what stands in braces decides the slot; ${id} of a template is no brace of the key
    private static final Pattern HASH_TAG = Pattern.compile(
            "(?<!\\$)\\{\\$\\{[^{}]{1,80}\\}\\}|\\{\\{\\{[^{}]{1,80}\\}\\}\\}|(?<![$f])\\{[a-z]{1,20}\\}");
    private static final Pattern LOGIN =
            Pattern.compile("login|signin|sign_in|otp|password|reset", Pattern.CASE_INSENSITIVE);
    private static final Pattern ADDRESS =
            Pattern.compile("\\bip\\b|[aA]ddr|remote|\\.ip\\b|client_ip|clientIp", Pattern.CASE_INSENSITIVE);
    private static final Pattern PERSON =
            Pattern.compile("user|name|email|account|phone|login_id|subject", Pattern.CASE_INSENSITIVE);
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$?\\{([^{}]{1,80})\\}");

    @Override
    public void look(Facts facts, Findings findings) {
        Optional<Place> cluster = cluster(facts);
        for (Code code : facts.sources().codes()) {
            if (cluster.isPresent()) {
                ScriptCall.in(code).forEach(call -> slots(findings, call, cluster.get()));
            }
            narrowLogin(findings, code);
        }
    }

    private static Optional<Place> cluster(Facts facts) {
        for (Code code : facts.sources().codes()) {
            for (Code.Call call : code.calls()) {
                if (List.of(
                                        "Redis.Cluster",
                                        "IORedis.Cluster",
                                        "Cluster",
                                        "createCluster",
                                        "RedisCluster",
                                        "redis.RedisCluster")
                                .contains(call.callee())
                        && code.file().text().toLowerCase(Locale.ROOT).contains("redis")) {
                    return Optional.of(call.place());
                }
            }
        }
        return Optional.empty();
    }

    private static void slots(Findings findings, ScriptCall call, Place cluster) {
        if (call.keys().size() < 2) {
            return;
        }
        List<Syntax> names = call.keys().stream().map(call.code()::resolve).toList();
        boolean literal = names.stream().allMatch(n -> n.is("template_string", "string", "binary_expression"));
        boolean tagged = names.stream().anyMatch(n -> HASH_TAG.matcher(n.text()).find());
        boolean same = names.stream().map(Syntax::text).distinct().count() == 1;
        if (literal && !tagged && !same) {
            findings.report(
                    "code",
                    "store-crossslot",
                    "two keys go to one script without a {hash tag}, and " + cluster
                            + " is a cluster: they lie in different slots, and every call fails with CROSSSLOT",
                    names.get(0).place(),
                    related(names.get(1).place(), "the other key"),
                    related(call.call().place(), "the call"),
                    related(cluster, "a cluster"));
        }
    }

    /** A counter of logins whose name holds an address and no account: successes and strangers share it. */
    private static void narrowLogin(Findings findings, Code code) {
        RedisUse use = RedisUse.of(code);
        for (RedisUse.Command count : use.commands("incr", "incrby")) {
            Syntax key = code.variables().stream()
                    .filter(v ->
                            v.name().equals(count.key()) && count.function().contains(v.node()))
                    .map(Code.Variable::value)
                    .findFirst()
                    .orElse(
                            count.call().arguments().isEmpty()
                                    ? count.call().node()
                                    : count.call().arguments().get(0));
            String text = key.text();
            boolean login = LOGIN.matcher(text).find()
                    || LOGIN.matcher(Code.nameOf(count.function())).find();
            StringBuilder parts = new StringBuilder();
            Matcher placeholder = PLACEHOLDER.matcher(text);
            while (placeholder.find()) {
                parts.append(placeholder.group(1)).append(' ');
            }
            boolean address = ADDRESS.matcher(parts).find();
            boolean person = PERSON.matcher(parts).find();
            boolean another = use.commands("incr", "incrby").stream()
                    .anyMatch(other -> !other.key().equals(count.key()));
            if (login && address && !person && !another) {
                findings.report(
                        "code",
                        "login-key-too-narrow",
                        "logins are counted by address alone: one office shares the tries, and an attacker with many addresses has no limit on an account",
                        key.place(),
                        related(count.call().place(), "counted here"));
            }
        }
    }
}
