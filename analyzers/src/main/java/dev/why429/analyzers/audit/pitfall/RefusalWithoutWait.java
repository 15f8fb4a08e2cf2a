package dev.why429.analyzers.audit.pitfall;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.RedisUse;
import dev.why429.analyzers.audit.fact.Refusals;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.List;
import java.util.Locale;

/** A 429 that does not say how long to wait. */
final class RefusalWithoutWait implements PitfallCheck {
    private static final List<String> HINTS =
            List.of("retry-after", "retry_after", "retryafter", "ratelimit-reset", "ratelimit");

    @Override
    public void look(Facts facts, Findings findings) {
        for (Code code : facts.sources().codes()) {
            if (!limits(facts, code)) {
                continue;
            }
            for (Syntax statement : Refusals.in(code)) {
                Syntax function = Refusals.outermostFunction(code, statement);
                String text = function.text().toLowerCase(Locale.ROOT);
                if (HINTS.stream().noneMatch(text::contains)) {
                    findings.report(
                            "code",
                            "retry-after-missing",
                            "429 without Retry-After: clients guess, and most guess \"at once\"",
                            Refusals.place(statement));
                }
            }
        }
    }

    /** A 429 passed on from somebody else is not ours to complete: only files that count are looked at. */
    private static boolean limits(Facts facts, Code code) {
        boolean builds = facts.limiters().stream()
                .anyMatch(l -> l.code() == code && (l.isOwn() || l.library().equals("rate-limiter-flexible")));
        return builds
                || !RedisUse.of(code)
                        .commands("incr", "incrby", "decr", "eval", "evalsha", "zadd", "set", "setex", "hset", "hmset")
                        .isEmpty();
    }
}
