package dev.why429.analyzers.ticket;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can be told to one client about its own requests. Nothing in it is of another client.
 *
 * @param side whose move it is
 * @param by the field that names the client
 * @param layers denials by the layer that said so
 * @param limiter the limit that most of the denials met
 * @param needed from which limit on all requests of the client would have passed
 * @param processed whether denied requests were carried out
 * @param causes kinds of finding that touch this client, those that explain most first
 */
public record Ticket(
        Side side,
        String client,
        String by,
        Optional<Instant> from,
        Optional<Instant> to,
        long requests,
        long admitted,
        long denied,
        Map<String, Long> layers,
        Map<String, Long> reasons,
        Optional<Limit> limiter,
        Load load,
        Optional<Claim> claim,
        Optional<Needed> needed,
        Headers headers,
        Processed processed,
        List<Sample> samples,
        List<Cause> causes) {
    /** Whose move it is. */
    public enum Side {
        THEIRS,
        OURS,
        MIXED,
        INCONCLUSIVE
    }

    /** Whether denied requests were carried out behind the limiter. */
    public enum Processed {
        NO,
        YES,
        UNKNOWN
    }

    /**
     * @param component what denied, {@code nginx limit_req}
     * @param key what is counted by, field names
     * @param count requests per window, or at once from rest for a bucket
     * @param windowSeconds 0 for a bucket
     * @param perSecond the rate of a bucket, 0 for a window
     * @param exceeded whether the client's own requests are more than that
     */
    public record Limit(
            String layer,
            String component,
            String algorithm,
            List<String> key,
            double count,
            double windowSeconds,
            double perSecond,
            boolean exceeded) {}

    /**
     * How much the client sent, denied requests included.
     *
     * @param worstWindowSeconds the window that worstWindow counts over: the limiter's, or a minute
     * @param meanPerMinute over the time from its first to its last request
     */
    public record Load(
            long worstSecond,
            Optional<Instant> worstSecondAt,
            long worstWindow,
            double worstWindowSeconds,
            Optional<Instant> worstWindowAt,
            long busiestMinute,
            double meanPerMinute) {}

    /** @param most requests in the busiest stretch as long as the claim's */
    public record Claim(String text, double count, double perSeconds, long most, boolean kept) {}

    /** @param atOnce true for a burst beside the rate of a bucket, false for requests per window */
    public record Needed(double count, double windowSeconds, double perSecond, boolean atOnce) {}

    /**
     * What the responses to denied requests said.
     *
     * @param seen denied responses of which headers are known
     * @param withRetryAfter those with Retry-After
     * @param cameBackEarly denied requests that were followed by another before the wait was over
     */
    public record Headers(
            long seen,
            long withRetryAfter,
            Optional<Double> shortestWaitSeconds,
            Optional<Double> longestWaitSeconds,
            Optional<Double> limit,
            long withSomethingLeft,
            long cameBackEarly) {}

    /** @param requestId empty where the log has none */
    public record Sample(Instant at, String method, String path, long status, boolean denied, String requestId) {}

    /** @param side whose doing such a cause is */
    public record Cause(String kind, String title, Side side, String client, String operator) {}
}
