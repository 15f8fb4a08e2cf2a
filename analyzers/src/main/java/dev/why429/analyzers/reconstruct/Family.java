package dev.why429.analyzers.reconstruct;

import java.util.Optional;

/**
 * The ways of counting that are tried. For each, a request is allowed while a statistic of the decisions before it is below a threshold; the
 * statistic does not depend on the threshold.
 *
 * @see Statistics
 */
enum Family {
    FIXED_CLOCK("fixed_window", "clock", Optional.empty(), "a fixed window that starts on the clock"),
    FIXED_FIRST(
            "fixed_window", "first_request", Optional.empty(), "a fixed window that starts with a key's first request"),
    LOG_ALLOWED("sliding_window_log", "none", Optional.of(false), "a sliding log of the allowed requests"),
    LOG_ALL("sliding_window_log", "none", Optional.of(true), "a sliding log that counts denied requests too"),
    LOG_BLOCK(
            "sliding_window_log",
            "none",
            Optional.of(false),
            "a sliding log that blocks for a fixed time once the limit is passed"),
    COUNTER_CLOCK_ALLOWED(
            "sliding_window_counter",
            "clock",
            Optional.of(false),
            "a sliding counter over two windows of the clock, allowed requests counted"),
    COUNTER_CLOCK_ALL(
            "sliding_window_counter",
            "clock",
            Optional.of(true),
            "a sliding counter over two windows of the clock, denied requests counted too"),
    COUNTER_FIRST_ALLOWED(
            "sliding_window_counter",
            "first_request",
            Optional.of(false),
            "a sliding counter over two periods from the first request, allowed requests counted"),
    COUNTER_FIRST_ALL(
            "sliding_window_counter",
            "first_request",
            Optional.of(true),
            "a sliding counter over two periods from the first request, denied requests counted too"),
    BUCKET("token_bucket", "none", Optional.of(false), "a bucket that refills continuously"),
    BUCKET_WHOLE_SECONDS("token_bucket", "none", Optional.of(false), "a bucket that refills on whole seconds"),
    BUCKET_WHOLE_TOKENS(
            "token_bucket",
            "none",
            Optional.of(false),
            "a bucket that refills by whole tokens and forgets the fraction at each request");

    final String algorithm;
    final String alignment;
    final Optional<Boolean> deniedCount;
    final String words;

    Family(String algorithm, String alignment, Optional<Boolean> deniedCount, String words) {
        this.algorithm = algorithm;
        this.alignment = alignment;
        this.deniedCount = deniedCount;
        this.words = words;
    }

    /** Whether its first parameter is a rate per second rather than a window in seconds. */
    boolean hasRate() {
        return this == BUCKET || this == BUCKET_WHOLE_SECONDS || this == BUCKET_WHOLE_TOKENS;
    }

    /** Whether its windows lie on multiples of their length since 1970. */
    boolean onClock() {
        return alignment.equals("clock");
    }

    /** Whether its statistic is whole numbers. */
    boolean counts() {
        return switch (this) {
            case FIXED_CLOCK, FIXED_FIRST, LOG_ALLOWED, LOG_ALL, LOG_BLOCK, BUCKET_WHOLE_TOKENS -> true;
            default -> false;
        };
    }

    /** What it costs to name this family: the common ones are cheap. */
    double priorBits() {
        return switch (this) {
            case FIXED_CLOCK, FIXED_FIRST, BUCKET -> 2;
            case LOG_ALLOWED -> 3;
            case LOG_ALL, COUNTER_CLOCK_ALLOWED, COUNTER_FIRST_ALL -> 4;
            case COUNTER_CLOCK_ALL, COUNTER_FIRST_ALLOWED, BUCKET_WHOLE_SECONDS -> 6;
            case LOG_BLOCK, BUCKET_WHOLE_TOKENS -> 8;
        };
    }
}
