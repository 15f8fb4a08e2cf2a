package dev.why429.analyzers.casefile;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an investigation found: the model of {@code case.json}, schema {@code case-v1}. Renderers read this and nothing else. Names here become
 * names there in snake_case; instants are UTC with microseconds.
 *
 * @param quiet kinds of finding that were looked for and not found
 * @param timeline requests and denials over time, for the chart
 * @param clients who was denied, most denied first, capped
 * @param lines the evidence lines that anything here cites, by their id {@code F2:17}, as redacted text
 * @param rejects lines that could not be read: the first of each file
 * @param figures what the report draws beside its tables
 * @param run how the case was made, to make it again
 */
public record Case(
        String schema,
        Tool tool,
        List<Input> inputs,
        Optional<Span> span,
        Requests requests,
        Denials denials,
        List<Limiter> limiters,
        List<Finding> findings,
        List<CaptureVerdict> captures,
        List<Replay> replay,
        List<String> quiet,
        List<Skipped> skipped,
        List<BlindSpot> blindSpots,
        Verdict verdict,
        Timeline timeline,
        List<Client> clients,
        Map<String, String> lines,
        List<Reject> rejects,
        List<String> warnings,
        Figures figures,
        Run run) {
    public static final String SCHEMA = "case-v1";

    /** A case that was written before there were figures has none. */
    public Case {
        figures = figures == null ? Figures.NONE : figures;
        run = run == null ? Run.UNKNOWN : run;
    }

    /**
     * @param arguments of {@code why429 investigate}, without where the case goes
     * @param redact normal, strict or off
     */
    public record Run(List<String> arguments, String redact) {
        static final Run UNKNOWN = new Run(List.of(), "unknown");
    }

    public record Tool(String name, String version, String rulesSha256) {}

    /**
     * @param id {@code F1}
     * @param timeMeans {@code end} or {@code start} of the request
     * @param lines lines in the file; always requests + notices + rejected
     * @param notices limiter events and messages (an nginx error log, say)
     */
    public record Input(
            String id,
            String path,
            String sha256,
            String format,
            String layer,
            String component,
            String node,
            String timeZone,
            double timeResolutionSeconds,
            String timeMeans,
            long lines,
            long requests,
            long notices,
            long rejected) {}

    public record Span(Instant from, Instant to) {}

    /** Distinct client requests, after the layers are joined. */
    public record Requests(long total, Map<String, Long> byStatus) {}

    /**
     * @param byLayer cdn, gateway, app, third_party, unknown; each denied request once
     * @param hiddenByLayer denied inside while the client saw another answer
     */
    public record Denials(
            long total, Map<String, Long> byLayer, Map<String, Long> hiddenByLayer, List<DenialClass> classes) {}

    /** @param reason limit, limiter_error, backend_error or unknown */
    public record DenialClass(
            String layer,
            String component,
            String reason,
            long count,
            double confidence,
            List<String> because,
            List<String> evidence) {}

    /** A value that the log only bounds; an exact one has low = high; an open end is empty. */
    public record Interval(Optional<Double> low, Optional<Double> high) {
        public static Interval exactly(double value) {
            return new Interval(Optional.of(value), Optional.of(value));
        }

        public static Interval between(double low, double high) {
            return new Interval(Optional.of(low), Optional.of(high));
        }
    }

    /** One limiter as the decisions show it; the meaning of each name is in the schema of case-v1. */
    public record Limiter(
            String id,
            String layer,
            String component,
            String algorithm,
            List<String> equivalent,
            List<String> key,
            List<List<String>> equivalentKeys,
            String scope,
            Optional<Integer> nodes,
            Optional<Interval> limit,
            Optional<Interval> windowSeconds,
            Optional<Interval> ratePerSecond,
            Optional<Interval> burst,
            String alignment,
            Optional<Boolean> deniedCount,
            Optional<List<Tier>> tiers,
            Optional<Double> blockSeconds,
            Optional<Map<String, Double>> cost,
            Optional<Double> effectiveLimit,
            Optional<Declared> declared,
            long decisions,
            long mismatches,
            double agreement,
            Optional<RunnerUp> runnerUp,
            List<String> because,
            List<String> disagreements,
            Instant from,
            Instant to) {}

    public record Tier(
            Optional<Interval> limit,
            Optional<Interval> ratePerSecond,
            Optional<Interval> burst,
            long keys,
            List<String> examples) {}

    public record Declared(String text, String source) {}

    /** @param bits how much worse the next best explanation is */
    public record RunnerUp(String description, double bits) {}

    /**
     * @param numbers values of the kind's own numbers, each a number, an {@link Interval}, a text, a list or a map of these
     * @param subject whom it is about, by field
     */
    public record Finding(
            String id,
            String kind,
            String severity,
            double confidence,
            String title,
            String summary,
            Optional<String> limiter,
            Map<String, String> subject,
            Optional<Instant> from,
            Optional<Instant> to,
            Map<String, Object> numbers,
            List<String> because,
            List<String> evidence,
            String wouldDisprove,
            Fix fix,
            Optional<String> pitfall,
            long denialsExplained) {}

    public record Fix(String operator, String client) {}

    /**
     * @param id by which evidence names it, {@code C1}
     * @param request the log line of the same request, {@code F2:48211}
     */
    public record CaptureVerdict(
            String id,
            String file,
            int status,
            String layer,
            String component,
            String reason,
            double confidence,
            Optional<String> request,
            List<String> because) {}

    public record Replay(
            String policy,
            String engine,
            long allowed,
            long denied,
            double agreement,
            long observedAllowedWouldDeny,
            long observedDeniedWouldAllow,
            Optional<ReplayDetail> detail) {
        public Replay {
            // a case.json of before has none
            detail = detail == null ? Optional.empty() : detail;
        }

        /** The same with why it was suggested and how to configure it. */
        public Replay described(Optional<String> because, Optional<String> configuration) {
            return new Replay(
                    policy,
                    engine,
                    allowed,
                    denied,
                    agreement,
                    observedAllowedWouldDeny,
                    observedDeniedWouldAllow,
                    detail.map(d -> new ReplayDetail(
                            d.mode,
                            d.open,
                            d.agreementDetermined,
                            d.neverAllowed,
                            d.observedPeakPerSecond,
                            d.observedP99PerSecond,
                            d.peakPerSecond,
                            d.p99PerSecond,
                            d.retryAware,
                            d.differences,
                            because,
                            configuration)));
        }
    }

    /**
     * @param mode free_running: the policy's own decisions go on from its own; teacher_forced: from those that were observed
     * @param open decisions that the stamps leave open
     * @param agreementDetermined share of the others that agree, 0 to 1
     * @param neverAllowed requests whose cost is above what the policy can ever allow
     * @param observedPeakPerSecond most requests that were allowed in one second of the clock
     * @param observedP99PerSecond what 99 of 100 seconds did not exceed
     * @param peakPerSecond the same under the policy
     * @param retryAware empty where it makes no sense
     * @param differences the first that the stamps do not leave open
     * @param suggestedBecause why the policy was suggested; empty: it was asked for
     * @param configuration the policy as configuration of the limiter at hand
     */
    public record ReplayDetail(
            String mode,
            long open,
            double agreementDetermined,
            long neverAllowed,
            long observedPeakPerSecond,
            long observedP99PerSecond,
            long peakPerSecond,
            long p99PerSecond,
            Optional<RetryAware> retryAware,
            List<Difference> differences,
            Optional<String> suggestedBecause,
            Optional<String> configuration) {}

    /**
     * @param observedRetries attempts that followed a denial of the same thing within a minute
     * @param fellAway those that would not have come, since the policy allows an earlier attempt
     */
    public record RetryAware(long observedRetries, long fellAway, long allowed, long denied) {}

    /** @param request the log line; empty for invented traffic */
    public record Difference(String request, String key, String observed, String policy) {}

    public record Skipped(String kind, String reason, String wouldNeed) {}

    /** @param add the one log field to add */
    public record BlindSpot(String what, String add) {}

    /** The answer in one sentence. */
    public record Verdict(String sentence, double confidence) {}

    /**
     * @param stepSeconds width of a bin
     * @param from start of the first bin
     * @param series counts per bin: {@code allowed}, {@code denied_gateway}, …
     */
    public record Timeline(double stepSeconds, Optional<Instant> from, Map<String, List<Long>> series) {}

    /** @param by which field names the client: api_key, user or client_ip */
    public record Client(String by, String name, long requests, long denied, Map<String, Long> deniedByLayer) {}

    public record Reject(String id, String reason, String text) {}
}
