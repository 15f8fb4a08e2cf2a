package dev.why429.analyzers.replay;

import dev.why429.rules.LimiterRule;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The limiters of {@code rules/limiters} and their twins. */
public final class ReferenceLimiters {
    private interface Twin {
        Limiter make(long... parameters);
    }

    private static final Map<String, Twin> TWINS = twins();
    private static final Map<String, LimiterRule> RULES = rules();

    private ReferenceLimiters() {}

    private static Map<String, Twin> twins() {
        Map<String, Twin> twins = new LinkedHashMap<>();
        twins.put("token-bucket", TokenBucket::new);
        twins.put("gcra", Gcra::new);
        twins.put("fixed-window", FixedWindow::new);
        twins.put("fixed-window-first", FixedWindowFirst::new);
        twins.put("sliding-log", SlidingLog::new);
        twins.put("sliding-counter", SlidingCounter::new);
        twins.put("leaky-bucket", LeakyBucket::new);
        twins.put("leaky-queue", LeakyQueue::new);
        twins.put("concurrency", Concurrency::new);
        twins.put("layered", Layered::new);
        twins.put("settle", SettledBucket::new);
        return twins;
    }

    private static Map<String, LimiterRule> rules() {
        Map<String, LimiterRule> rules = new LinkedHashMap<>();
        Rulebook.builtIn().all(RuleKind.LIMITER).forEach(rule -> rules.put(rule.id(), rule));
        return rules;
    }

    /** Ids of the limiters that have both a script and a twin. */
    public static List<String> ids() {
        return TWINS.keySet().stream().filter(RULES::containsKey).toList();
    }

    /** @throws IllegalArgumentException when there is none of this id: a mistake in the program, since policies are checked */
    public static LimiterRule rule(String id) {
        return Optional.ofNullable(RULES.get(id))
                .orElseThrow(() -> new IllegalArgumentException("no limiter \"" + id + "\" in rules/limiters"));
    }

    /**
     * A key that was never used, under a limiter.
     *
     * @param parameters in the order of {@code limiter.yaml}
     * @throws LimiterProblem when they are out of range
     */
    public static Limiter twin(String id, long... parameters) {
        Twin twin = TWINS.get(id);
        if (twin == null) {
            throw new IllegalArgumentException("no twin of the limiter \"" + id + "\"");
        }
        return twin.make(parameters);
    }
}
