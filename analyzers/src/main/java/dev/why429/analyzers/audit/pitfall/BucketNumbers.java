package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Key;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.limit.DeclaredLimit;
import dev.why429.analyzers.audit.limit.DeclaredLimits;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of a limit that do not fit each other, whatever technology they stand in. */
final class BucketNumbers implements PitfallCheck {
    private static final double OVERSIZED_SECONDS = 600;
    // wait = (cost - tokens) / rate
    private static final Pattern WAIT = Pattern.compile(
            "\\(\\s?(cost|requested|need(?:ed)?|n|amount|permits)\\s?-\\s?(?:self\\.|this\\.|b\\.)?(?:tokens|available|level)\\s?\\)\\s?/");

    @Override
    public void look(Facts facts, Findings findings) {
        for (DeclaredLimit limit : DeclaredLimits.in(facts.sources(), facts)) {
            small(findings, limit);
            oversized(findings, limit);
        }
        for (SourceFile file : facts.sources().ending(".lua", ".js", ".ts", ".py", ".go", ".java", ".rb")) {
            cost(findings, file);
        }
        facts.limiters("rate-limiter-flexible").forEach(limiter -> flexible(findings, limiter));
        facts.sources().documents().forEach(document -> document.walk(node -> missingSegment(findings, node)));
    }

    private static void small(Findings findings, DeclaredLimit limit) {
        OptionalDouble rate = limit.perSecond();
        boolean bucket =
                limit.technology().equals("api-gateway") || limit.technology().equals("spring-cloud-gateway");
        if (bucket && rate.isPresent() && limit.burst().isPresent()) {
            double burst = limit.burst().getAsDouble();
            // a bucket smaller than a second's worth that still limits
            if (burst >= 1 && burst * 5 <= rate.getAsDouble()) {
                findings.report(
                        limit.technology(),
                        "burst-too-small",
                        Severity.MEDIUM,
                        "the bucket holds " + Limiter.plain(burst) + " and the rate is "
                                + Limiter.plain(rate.getAsDouble()) + " per s: calls that come together are refused at "
                                + Limiter.plain(Math.rint(100 * burst / rate.getAsDouble())) + " % of the rate",
                        limit.place(),
                        List.of());
            }
        }
    }

    private static void oversized(Findings findings, DeclaredLimit limit) {
        OptionalDouble rate = limit.perSecond();
        if (limit.technology().equals("envoy")
                && rate.isPresent()
                && rate.getAsDouble() > 0
                && limit.burst().isPresent()) {
            double seconds = limit.burst().getAsDouble() / rate.getAsDouble();
            if (seconds >= OVERSIZED_SECONDS) {
                findings.report(
                        "envoy",
                        "burst-oversized",
                        Severity.MEDIUM,
                        "the bucket holds " + Limiter.plain(limit.burst().getAsDouble()) + ", which is "
                                + Limiter.plain(Math.rint(seconds))
                                + " s of its rate: all of it may come in one second",
                        limit.place(),
                        List.of());
            }
        }
    }

    /** A wait is computed from a cost that no bucket can ever hold. */
    private static void cost(Findings findings, SourceFile file) {
        String text = file.text();
        Matcher wait = WAIT.matcher(text);
        if (!wait.find()) {
            return;
        }
        String name = wait.group(1);
        boolean checked = Pattern.compile("\\b" + name
                                + "\\s{0,2}>=?\\s{0,2}(?:self\\.|this\\.|b\\.)?(?:capacity|burst|max|limit|cap)")
                        .matcher(text)
                        .find()
                || Pattern.compile("(?:capacity|burst|max\\w{0,12}|limit|cap)\\s{0,2}<=?\\s{0,2}" + name + "\\b")
                        .matcher(text)
                        .find();
        boolean bounded = text.contains("min(" + name) || text.contains("min(capacity, " + name);
        if (!checked && !bounded && text.contains(name) && !text.contains("local " + name + " = 1\n")) {
            findings.report(
                    "code",
                    "cost-above-capacity",
                    Severity.MEDIUM,
                    "a " + name
                            + " above the capacity gets a wait after which it is refused again, for ever: nothing compares the two",
                    file.at(wait.start()),
                    List.of());
        }
    }

    private static void flexible(Findings findings, Limiter limiter) {
        Code code = limiter.code();
        code.calls().stream()
                .filter(c -> c.node() == limiter.node())
                .findFirst()
                .ifPresent(call -> call.named("blockDuration").ifPresent(block -> {
                    OptionalDouble blocked = code.number(block);
                    OptionalDouble window = limiter.windowSeconds();
                    if (blocked.isPresent() && window.isPresent() && blocked.getAsDouble() > window.getAsDouble()) {
                        findings.report(
                                "code",
                                "penalty-longer-than-window",
                                Severity.LOW,
                                "a block of " + Limiter.plain(blocked.getAsDouble()) + " s for a window of "
                                        + Limiter.plain(window.getAsDouble())
                                        + " s: refused long after the rate is back to normal",
                                block.place(),
                                List.of(related(limiter.place(), "the limiter")));
                    }
                }));
        if (limiter.key().source() == Key.Source.CONSTANT && limiter.store() == Limiter.Store.SHARED) {
            findings.report(
                    "code",
                    "hot-key",
                    Severity.LOW,
                    "every call counts into one key: one shard of the store bears all of it",
                    limiter.key().place(),
                    List.of(related(limiter.place(), "the limiter")));
        }
    }

    // limit_by: service counts all callers of a service together
    private static void missingSegment(Findings findings, ConfigNode node) {
        boolean kong = node.string("name").startsWith("rate-limiting")
                || node.string("plugin").startsWith("rate-limiting");
        node.get("config").filter(c -> kong).flatMap(c -> c.entry("limit_by")).ifPresent(by -> {
            if (by.value().text().equals("service")) {
                findings.report(
                        "kong",
                        "key-missing-segment",
                        Severity.MEDIUM,
                        "limit_by: service is one counter for all callers: the first busy one blocks the others",
                        by.place(),
                        List.of());
            }
        });
    }
}
