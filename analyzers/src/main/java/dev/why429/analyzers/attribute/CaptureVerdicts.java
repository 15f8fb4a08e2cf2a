package dev.why429.analyzers.attribute;

import dev.why429.analyzers.attribute.FingerprintSet.Recognition;
import dev.why429.analyzers.capture.Captures;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who made each captured denial: by what it looks like, corrected by the log of the same request. */
final class CaptureVerdicts {
    /** An answer with another status than 429 is a denial only when a fingerprint says so surely. */
    private static final double SURE_OTHER_STATUS = 0.6;

    private CaptureVerdicts() {}

    /** What the logs say about the request of a capture. */
    private record Logged(String layer, String component, String reason, double confidence, String line) {}

    static List<Case.CaptureVerdict> of(CaseStore store, List<Captures.Stored> captures, Witnesses witnesses) {
        Map<Long, Logged> logged = new HashMap<>();
        if (captures.stream().anyMatch(capture -> capture.exchange().isPresent())) {
            store.forEach(
                    "SELECT a.* FROM attributions a JOIN capture_matches m USING (exchange) WHERE a.visible",
                    row -> logged.put(
                            row.integer("exchange"),
                            new Logged(
                                    row.text("layer"),
                                    row.text("component"),
                                    row.text("reason"),
                                    row.number("confidence"),
                                    "F" + row.integer("file") + ":" + row.integer("line"))));
        }
        List<Case.CaptureVerdict> verdicts = new ArrayList<>();
        for (Captures.Stored capture : captures) {
            Optional<Recognition> seen = witnesses.of(capture.capture());
            Optional<Logged> known = capture.exchange().map(logged::get);
            if (known.isPresent() || isDenial(capture, seen)) {
                verdicts.add(published(verdict(capture, seen, known)));
            }
        }
        return verdicts;
    }

    /** Whether a captured answer is a denial by its looks alone. */
    static boolean isDenial(Captures.Stored capture, Optional<Recognition> seen) {
        return capture.status() == 429
                || seen.filter(r -> r.confidence() >= SURE_OTHER_STATUS).isPresent();
    }

    /** The verdict upon a capture of a request that no log knows; the reason may be {@link Attribution#NOT_A_LIMIT}. */
    static Case.CaptureVerdict alone(Captures.Stored capture, Optional<Recognition> seen) {
        return verdict(capture, seen, Optional.empty());
    }

    /** How the case names a capture: C1 is the first. */
    static String id(Captures.Stored capture) {
        return "C" + capture.capture();
    }

    private static Case.CaptureVerdict published(Case.CaptureVerdict v) {
        return v.reason().equals(Attribution.NOT_A_LIMIT)
                ? new Case.CaptureVerdict(
                        v.id(),
                        v.file(),
                        v.status(),
                        v.layer(),
                        v.component(),
                        "unknown",
                        v.confidence(),
                        v.request(),
                        v.because())
                : v;
    }

    private static Case.CaptureVerdict verdict(
            Captures.Stored capture, Optional<Recognition> seen, Optional<Logged> known) {
        List<String> because = new ArrayList<>();
        capture.provedKey()
                .ifPresent(field ->
                        because.add("the limiter's key is " + field + ": the pk of RateLimit-Policy is its hash"));
        seen.ifPresent(r -> because.addAll(r.because()));
        Optional<Recognition> named = Attribution.enough(seen);
        String layer = named.map(r -> r.fingerprint().layer()).orElse("unknown");
        String component = named.map(r -> r.fingerprint().component()).orElse("unknown");
        String reason = named.map(r -> r.fingerprint().reason()).orElse("unknown");
        double confidence = named.map(Recognition::confidence).orElse(0.0);
        if (known.isPresent()) {
            Logged log = known.get();
            because.add(
                    0, "the log of this request, " + log.line() + ", says " + log.layer() + " (" + log.reason() + ")");
            boolean agree = layer.equals(log.layer());
            component = agree && named.isPresent() ? component : log.component();
            layer = log.layer();
            reason = log.reason();
            confidence = agree ? 1 - (1 - log.confidence()) * (1 - confidence) : log.confidence();
        }
        return new Case.CaptureVerdict(
                id(capture),
                capture.source() + (capture.position() > 1 ? ":" + capture.position() : ""),
                capture.status(),
                layer,
                component,
                reason,
                Math.round(100 * Math.min(0.99, confidence)) / 100.0,
                known.map(Logged::line),
                because.stream().limit(8).toList());
    }
}
