package dev.why429.analyzers.attribute.quota;

import java.util.Optional;

/**
 * One policy as one response names it.
 *
 * @param dialect who writes so: {@code ratelimit-draft-8}, {@code x-ratelimit}, {@code envoy}, …
 * @param policy its name, as far as one is given: {@code minute}, {@code tokens}, {@code per-ip}
 * @param limit requests (or what the policy counts) per window
 * @param remaining what is left of it
 * @param reset when it is full again, or begins anew
 * @param windowSeconds the length of the window
 * @param partitionKey what the counter is kept for, as the server shows it: a hash, an address, a prefix
 * @param retryAfter how long to wait, from Retry-After or what stands for it
 */
public record Quota(
        String dialect,
        Optional<String> policy,
        Optional<Double> limit,
        Optional<Double> remaining,
        Optional<WaitTime> reset,
        Optional<Double> windowSeconds,
        Optional<String> partitionKey,
        Optional<WaitTime> retryAfter) {
    static Quota of(String dialect) {
        return new Quota(
                dialect,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    Quota named(String name) {
        return new Quota(
                dialect,
                Optional.of(name).filter(n -> !n.isBlank()),
                limit,
                remaining,
                reset,
                windowSeconds,
                partitionKey,
                retryAfter);
    }

    Quota withLimit(Optional<Double> value) {
        return new Quota(dialect, policy, value, remaining, reset, windowSeconds, partitionKey, retryAfter);
    }

    Quota withRemaining(Optional<Double> value) {
        return new Quota(dialect, policy, limit, value, reset, windowSeconds, partitionKey, retryAfter);
    }

    Quota withReset(Optional<WaitTime> value) {
        return new Quota(dialect, policy, limit, remaining, value, windowSeconds, partitionKey, retryAfter);
    }

    Quota withWindow(Optional<Double> seconds) {
        return new Quota(dialect, policy, limit, remaining, reset, seconds, partitionKey, retryAfter);
    }

    Quota withPartition(Optional<String> key) {
        return new Quota(dialect, policy, limit, remaining, reset, windowSeconds, key, retryAfter);
    }

    Quota withRetryAfter(Optional<WaitTime> wait) {
        return new Quota(dialect, policy, limit, remaining, reset, windowSeconds, partitionKey, wait);
    }

    /** Fills what this lacks from another naming of the same policy. */
    Quota completedBy(Quota other) {
        return new Quota(
                dialect,
                policy.or(other::policy),
                limit.or(other::limit),
                remaining.or(other::remaining),
                reset.or(other::reset),
                windowSeconds.or(other::windowSeconds),
                partitionKey.or(other::partitionKey),
                retryAfter.or(other::retryAfter));
    }

    /** Whether two namings of one response can be the same policy: nothing that both say differs. */
    boolean canBe(Quota other) {
        boolean names = policy.isEmpty() || other.policy.isEmpty() || policy.equals(other.policy);
        boolean limits = limit.isEmpty() || other.limit.isEmpty() || limit.equals(other.limit);
        boolean left = remaining.isEmpty() || other.remaining.isEmpty() || remaining.equals(other.remaining);
        boolean windows =
                windowSeconds.isEmpty() || other.windowSeconds.isEmpty() || windowSeconds.equals(other.windowSeconds);
        boolean something = (limit.isPresent() && other.limit.isPresent())
                || (policy.isPresent() && policy.equals(other.policy))
                || limit.isEmpty() != other.limit.isEmpty();
        return names && limits && left && windows && something;
    }

    boolean saysNothing() {
        return limit.isEmpty() && remaining.isEmpty() && reset.isEmpty() && windowSeconds.isEmpty();
    }
}
