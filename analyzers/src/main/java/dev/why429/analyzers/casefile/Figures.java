package dev.why429.analyzers.casefile;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the report draws beside its tables. Each figure is small whatever the size of the log.
 *
 * @param buckets level against the limit for the keys with most denials, one entry for each node that counts alone
 * @param retries when denied requests came back; empty where nothing was denied
 * @param clocks how far each log's clock is from that of the log nearest the client
 * @param sharings keys that several clients share
 */
public record Figures(
        List<Bucket> buckets, Optional<Retries> retries, List<ClockOffset> clocks, List<Sharing> sharings) {
    public static final Figures NONE = new Figures(List.of(), Optional.empty(), List.of(), List.of());

    /**
     * A stretch of one key's decisions on one node, and the level that the limiter's own rule gives for them.
     *
     * @param node empty: all nodes count together
     * @param counts what the level counts: {@code window}, {@code last_window}, {@code estimate}, {@code level}, {@code in_flight}
     * @param limit the limit to set it against; empty where it is not known for this key
     * @param seconds length of the stretch
     * @param atSeconds moments after {@code from} at which the level is given
     * @param level the level right after each moment, requests
     * @param deniedSeconds moments of denials after {@code from}; ticks that lie too close to be drawn apart are one
     * @param edgeSeconds where a window ends and the next begins, after {@code from}
     * @param requests of this key on this node in the stretch
     * @param denials of these
     */
    public record Bucket(
            String limiter,
            List<String> fields,
            String key,
            String node,
            String counts,
            Optional<Case.Interval> limit,
            Instant from,
            double seconds,
            List<Double> atSeconds,
            List<Double> level,
            List<Double> deniedSeconds,
            List<Double> edgeSeconds,
            long requests,
            long denials) {}

    /**
     * How long after a request the same client asked the same again.
     *
     * @param denied denied requests looked at
     * @param notRepeated of these, never asked again
     * @param waitsKnown of these, with a Retry-After that the log shows
     * @param beforeRetryAfter repeated before that wait was over
     * @param retryAfterSeconds the usual wait that was asked for
     */
    public record Retries(
            long denied,
            long notRepeated,
            long waitsKnown,
            long beforeRetryAfter,
            Optional<Double> retryAfterSeconds,
            List<DelayBin> delays) {}

    /**
     * @param underSeconds upper end of the bin; empty: the last one, open
     * @param afterDenial requests that followed a denied one after this long
     * @param afterAdmission requests that followed an admitted one after this long: what happens without any retry
     */
    public record DelayBin(Optional<Double> underSeconds, long afterDenial, long afterAdmission) {}

    /** @param uncertaintySeconds what the resolution of the stamps leaves open, either way */
    public record ClockOffset(
            String input, String node, String against, double offsetSeconds, double uncertaintySeconds, long pairs) {}

    /**
     * @param clients different clients in one bucket, by the finest name that their requests bear
     * @param distinct how many different values of each identity came with the key
     * @param innocent clients that were denied although their own requests alone stayed within the limit
     * @param innocentDenials denials of these
     */
    public record Sharing(
            String limiter,
            String key,
            long clients,
            Map<String, Long> distinct,
            long requests,
            long denials,
            long innocent,
            long innocentDenials) {}
}
