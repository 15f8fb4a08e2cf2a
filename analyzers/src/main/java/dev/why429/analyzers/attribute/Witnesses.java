package dev.why429.analyzers.attribute;

import dev.why429.analyzers.attribute.FingerprintSet.Recognition;
import dev.why429.analyzers.capture.Captures;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What captures say about the denials that look like those they are of. */
final class Witnesses {
    /** A capture of no known request speaks for all denials of its size. */
    private static final double BY_SIZE = 0.85;

    /** A capture that shares neither a request nor a size speaks for a class only when all captures say the same. */
    private static final double BY_STATUS = 0.6;

    private final Map<Integer, Recognition> byCapture = new HashMap<>();
    private final Map<Long, List<Recognition>> bySignature = new HashMap<>();
    private final Map<String, List<Recognition>> bySize = new HashMap<>();
    private final List<Recognition> all = new ArrayList<>();

    Witnesses(CaseStore store, FingerprintSet set, List<Captures.Stored> captures) {
        Map<Long, Long> signatureByExchange = new HashMap<>();
        if (captures.stream().anyMatch(capture -> capture.exchange().isPresent())) {
            store.forEach(
                    "SELECT DISTINCT s.exchange, s.signature FROM signed s JOIN capture_matches m USING (exchange) WHERE s.seen",
                    row -> signatureByExchange.put(
                            row.integer("exchange"), Long.parseUnsignedLong(row.text("signature"))));
        }
        for (Captures.Stored capture : captures) {
            Optional<Recognition> recognised =
                    set.recognise(capture.status(), capture.responseHeaders(), capture.body());
            if (recognised.isEmpty()) {
                continue;
            }
            byCapture.put(capture.capture(), recognised.get());
            if (capture.status() < 400 || recognised.get().confidence() < Judgement.ENOUGH) {
                continue;
            }
            all.add(recognised.get());
            String size = capture.responseHeaders().path("content-length").asString("");
            if (!size.isEmpty()) {
                bySize.computeIfAbsent(size, s -> new ArrayList<>()).add(recognised.get());
            }
            capture.exchange()
                    .map(signatureByExchange::get)
                    .ifPresent(signature -> bySignature
                            .computeIfAbsent(signature, s -> new ArrayList<>())
                            .add(recognised.get()));
        }
    }

    Optional<Recognition> of(int capture) {
        return Optional.ofNullable(byCapture.get(capture));
    }

    /** What these denials were captured as, if captures of them agree. */
    Optional<Recognition> of(Signature signature) {
        return agreed(bySignature.get(signature.id()), 1)
                .or(() -> agreed(signature.bytes().isEmpty() ? null : bySize.get(signature.bytes()), BY_SIZE))
                .or(() -> agreed(all, BY_STATUS));
    }

    private static Optional<Recognition> agreed(List<Recognition> votes, double trust) {
        if (votes == null || votes.isEmpty()) {
            return Optional.empty();
        }
        Recognition first = votes.get(0);
        boolean same = votes.stream().allMatch(v -> v.fingerprint().equals(first.fingerprint()));
        return same
                ? Optional.of(new Recognition(
                        first.fingerprint(), first.score() * trust, first.confidence() * trust, first.because()))
                : Optional.empty();
    }
}
