package dev.why429.analyzers.replay;

import dev.why429.analyzers.InputProblem;
import java.util.List;
import java.util.Map;

/**
 * A limiter to replay, as {@code --policy} writes it: {@code token-bucket:rate=20/s,burst=40,key=api_key,cost./search=5}.
 */
public final class Policy {
    private final String text;
    private final String limiter;
    private final long[] parameters;
    private final List<PolicyKey> keys;
    private final PolicyCosts costs;

    Policy(String text, String limiter, long[] parameters, List<PolicyKey> keys, PolicyCosts costs) {
        this.text = text;
        this.limiter = limiter;
        this.parameters = parameters.clone();
        this.keys = List.copyOf(keys);
        this.costs = costs;
    }

    /**
     * Reads a policy.
     *
     * @throws InputProblem (usage) with everything that is wrong with it: the value, its position, what was expected
     */
    public static Policy parse(String text) {
        return new PolicyParser(text).parse();
    }

    /** Reads several; the problems of all of them come at once. */
    public static List<Policy> parseAll(List<String> texts) {
        List<String> problems = new java.util.ArrayList<>();
        List<Policy> policies = new java.util.ArrayList<>();
        for (String text : texts) {
            try {
                policies.add(parse(text));
            } catch (InputProblem e) {
                problems.addAll(e.problems());
            }
        }
        if (!problems.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, problems);
        }
        return List.copyOf(policies);
    }

    /** As it was given. */
    public String text() {
        return text;
    }

    /** Folder in {@code rules/limiters}. */
    public String limiter() {
        return limiter;
    }

    /** In the order of the limiter's {@code limiter.yaml}. */
    public long[] parameters() {
        return parameters.clone();
    }

    /** The key, of several limits at once the innermost. */
    public PolicyKey key() {
        return keys.get(keys.size() - 1);
    }

    /** One for each limit, outermost first; several only for {@code layered}. */
    public List<PolicyKey> keys() {
        return keys;
    }

    /** Whether a request holds its place while it lasts. */
    public boolean needsDuration() {
        return limiter.equals("concurrency");
    }

    /** Costs by path, longest path first; a path that is not here costs {@link PolicyCosts#otherwise()}. */
    public PolicyCosts costs() {
        return costs;
    }

    /** A key that was never used. */
    public Limiter newLimiter() {
        return ReferenceLimiters.twin(limiter, parameters);
    }

    @Override
    public String toString() {
        return text;
    }

    /**
     * What requests cost.
     *
     * @param byPath path prefixes that end at a segment, and their cost
     * @param otherwise cost of all others
     */
    public record PolicyCosts(Map<String, Long> byPath, long otherwise) {
        public PolicyCosts {
            byPath = Map.copyOf(byPath);
        }

        public boolean needPath() {
            return !byPath.isEmpty();
        }

        /** @param path request target, with or without a query */
        public long of(String path) {
            if (byPath.isEmpty()) {
                return otherwise;
            }
            int query = path.indexOf('?');
            String at = query < 0 ? path : path.substring(0, query);
            while (!at.isEmpty()) {
                Long cost = byPath.get(at);
                if (cost != null) {
                    return cost;
                }
                int slash = at.lastIndexOf('/');
                at = slash <= 0 ? "" : at.substring(0, slash);
            }
            return otherwise;
        }
    }
}
