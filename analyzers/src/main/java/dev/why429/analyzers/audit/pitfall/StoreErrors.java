package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.fact.RedisUse;
import dev.why429.analyzers.audit.fact.Refusals;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What happens when the limiter's store fails or is slow. */
final class StoreErrors implements PitfallCheck {
    private static final List<String> TELLS_APART = List.of(
            "instanceof",
            "remainingPoints",
            "consumedPoints",
            "503",
            "isRateLimit",
            "RateLimiterRes",
            "isinstance",
            "insuranceLimiter");

    @Override
    public void look(Facts facts, Findings findings) {
        for (Code code : facts.sources().codes()) {
            RedisUse use = RedisUse.of(code);
            catches(facts, findings, code, use);
            if (!use.commands().isEmpty()
                    && RedisRaces.PURPOSE.matcher(code.file().text()).find()) {
                withoutTimeout(findings, code);
            }
        }
    }

    private static void catches(Facts facts, Findings findings, Code code, RedisUse use) {
        for (Syntax statement : code.root().all("try_statement")) {
            Optional<Syntax> body = statement.child("body");
            Optional<Syntax> handler = statement
                    .child("handler")
                    .or(() -> statement.children().stream()
                            .filter(c -> c.is("except_clause"))
                            .findFirst());
            if (body.isPresent() && handler.isPresent() && asksStore(facts, code, use, body.get())) {
                handler(facts, findings, code, body.get(), handler.get());
            }
        }
        for (Code.Call call : code.calls("catch")) {
            boolean consumes = call.receiver().contains("consume(");
            if (consumes && sharedStore(facts, code) && !call.arguments().isEmpty()) {
                answered(findings, code, call.arguments().get(0), call.node());
            }
        }
    }

    private static boolean sharedStore(Facts facts, Code code) {
        boolean memoryOnly = facts.limiters().stream().anyMatch(l -> l.code() == code)
                && facts.limiters().stream()
                        .filter(l -> l.code() == code)
                        .allMatch(l -> l.store() == Limiter.Store.IN_PROCESS);
        return !memoryOnly && !code.file().text().contains("insuranceLimiter");
    }

    private static boolean asksStore(Facts facts, Code code, RedisUse use, Syntax body) {
        return use.commands().stream().anyMatch(c -> body.contains(c.call().node()))
                || (code.callsIn(body).stream().anyMatch(c -> c.name().equals("consume")) && sharedStore(facts, code));
    }

    private static void handler(Facts facts, Findings findings, Code code, Syntax body, Syntax handler) {
        String first = handler.text().lines().findFirst().orElse("");
        boolean everything = !code.isPython()
                || first.replace(" ", "").equals("except:")
                || first.contains("Exception")
                || first.toLowerCase(Locale.ROOT).contains("redis")
                || first.contains("ConnectionError")
                || first.contains("TimeoutError");
        if (everything) {
            answered(findings, code, handler, body);
        }
        boolean local = facts.limiters(Limiter.OWN).stream()
                        .anyMatch(l -> l.code() == code && !handler.text().isEmpty() && usesCounters(l, handler))
                || countsInMemory(code, handler);
        if (local) {
            findings.report(
                    "code",
                    "state-fallback-local",
                    "when the store fails, each process counts for itself: the limit is multiplied by their number, silently",
                    handler.place(),
                    related(body.place(), "the shared count"));
        }
    }

    /** A map that outlives the call is written to. */
    private static boolean countsInMemory(Code code, Syntax handler) {
        String text = handler.text();
        return code.variables().stream()
                .filter(v -> !code.inFunction(v.node()) || v.node().is("public_field_definition", "field_definition"))
                .filter(v -> v.value()
                        .text()
                        .replace(" ", "")
                        .matches("(?s)newMap.*|\\{\\}|dict\\(\\)|(?:collections\\.)?defaultdict\\(.*"))
                .anyMatch(v -> text.contains(v.name() + ".set(") || text.contains(v.name() + "["));
    }

    private static boolean usesCounters(Limiter limiter, Syntax handler) {
        String name = limiter.node()
                .child("name")
                .map(Syntax::text)
                .orElse(limiter.node().childText("left"));
        return !name.isEmpty() && handler.text().contains(name);
    }

    private static void answered(Findings findings, Code code, Syntax handler, Syntax asked) {
        String text = handler.text();
        if (!Refusals.answers429(text) || TELLS_APART.stream().anyMatch(text::contains)) {
            return;
        }
        Optional<Syntax> answer = Refusals.in(code).stream()
                .filter(statement -> handler.contains(statement))
                .findFirst();
        findings.report(
                "code",
                "backend-error-as-429",
                "every failure of the store is answered 429: clients back off for a fault that is ours",
                answer.map(Refusals::place).orElse(handler.place()),
                related(handler.place(), "catches everything"),
                related(asked.place(), "asks the store"));
    }

    private static void withoutTimeout(Findings findings, Code code) {
        for (Code.Call call : code.calls()) {
            boolean node = List.of("Redis", "IORedis", "Redis.Cluster").contains(call.callee())
                    && call.node().is("new_expression");
            boolean python = List.of(
                                    "redis.Redis",
                                    "redis.StrictRedis",
                                    "Redis",
                                    "StrictRedis",
                                    "redis.from_url",
                                    "Redis.from_url",
                                    "redis.Redis.from_url")
                            .contains(call.callee())
                    && code.isPython();
            if (!node && !python) {
                continue;
            }
            String text = call.node().text();
            boolean bounded = text.contains(node ? "commandTimeout" : "socket_timeout")
                    || text.contains("...")
                    || text.contains("**");
            boolean named = call.arguments().stream().anyMatch(a -> a.is("identifier")) && node;
            if (!bounded && !named) {
                findings.report(
                        "code",
                        "store-no-timeout",
                        Severity.MEDIUM,
                        "no command timeout: when Redis hangs, every request waits for its limiter",
                        call.place(),
                        List.of());
            }
        }
    }
}
