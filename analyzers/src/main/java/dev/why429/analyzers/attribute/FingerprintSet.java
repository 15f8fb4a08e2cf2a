package dev.why429.analyzers.attribute;

import com.google.re2j.Pattern;
import dev.why429.rules.Fingerprint;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** All fingerprints, each marker compiled once; and the judgement upon the markers that were hit. */
public final class FingerprintSet {
    private final List<Fingerprint> fingerprints;
    private final List<Probe> probes;

    private FingerprintSet(List<Fingerprint> fingerprints) {
        this.fingerprints = List.copyOf(fingerprints);
        List<Probe> all = new ArrayList<>();
        for (Fingerprint fingerprint : fingerprints) {
            for (Fingerprint.Marker marker : fingerprint.markers()) {
                all.add(new Probe(
                        all.size(), fingerprint, marker, marker.pattern().map(Pattern::compile)));
            }
        }
        this.probes = List.copyOf(all);
    }

    public static FingerprintSet of(Rulebook rulebook) {
        return new FingerprintSet(rulebook.all(RuleKind.FINGERPRINT));
    }

    /** One marker of one fingerprint. */
    record Probe(int index, Fingerprint fingerprint, Fingerprint.Marker marker, Optional<Pattern> pattern) {
        boolean found(String value) {
            return pattern.isEmpty() || pattern.get().matcher(value).find();
        }
    }

    /**
     * What was recognised.
     *
     * @param score how much the markers of this fingerprint convince, 0 to 1
     * @param confidence the same in the light of the next best fingerprint of another component
     * @param because the markers that were hit, with their weights
     */
    public record Recognition(Fingerprint fingerprint, double score, double confidence, List<String> because) {}

    List<Probe> probes() {
        return probes;
    }

    /** Whether the log of a server is one that this fingerprint's log markers were written for. */
    static boolean speaksOf(Fingerprint fingerprint, String componentAndFormat) {
        String server = componentAndFormat.toLowerCase(Locale.ROOT);
        return fingerprint.servers().isEmpty() || fingerprint.servers().stream().anyMatch(server::contains);
    }

    /** Recognises a captured response; empty when nothing speaks for anything. */
    public Optional<Recognition> recognise(int status, JsonNode headers, String body) {
        return best(hits(status, headers, body), fingerprint -> true);
    }

    /** How much a captured response speaks for one fingerprint, whatever others say, 0 to 1. */
    double recogniseAs(Fingerprint wanted, int status, JsonNode headers, String body) {
        return best(hits(status, headers, body), wanted::equals)
                .map(Recognition::score)
                .orElse(0.0);
    }

    private List<Probe> hits(int status, JsonNode headers, String body) {
        List<Probe> hits = new ArrayList<>();
        for (Probe probe : probes) {
            boolean hit = switch (probe.marker().place()) {
                case HEADER -> header(probe, headers);
                case BODY -> probe.found(body);
                case LOG, NOTICE, FACT -> false;
            };
            if (hit && (status == 429 || probe.fingerprint().statuses().contains(status))) {
                hits.add(probe);
            }
        }
        return hits;
    }

    private static boolean header(Probe probe, JsonNode headers) {
        JsonNode value = headers.path(probe.marker().name());
        if (value.isMissingNode()) {
            return probe.marker().absent();
        }
        if (probe.marker().absent()) {
            return false;
        }
        if (!value.isArray()) {
            return probe.found(value.asString(""));
        }
        for (JsonNode item : value) {
            if (probe.found(item.asString(""))) {
                return true;
            }
        }
        return false;
    }

    /** The fingerprint that the hits speak for most. */
    Optional<Recognition> best(Collection<Probe> hits, Predicate<Fingerprint> eligible) {
        return ranked(hits, eligible).stream().findFirst();
    }

    /** Every fingerprint that something speaks for, best first. */
    List<Recognition> ranked(Collection<Probe> hits, Predicate<Fingerprint> eligible) {
        Map<Fingerprint, List<Probe>> byFingerprint = new LinkedHashMap<>();
        for (Probe probe : hits) {
            if (eligible.test(probe.fingerprint())) {
                byFingerprint
                        .computeIfAbsent(probe.fingerprint(), f -> new ArrayList<>())
                        .add(probe);
            }
        }
        List<Recognition> found = new ArrayList<>();
        byFingerprint.forEach((fingerprint, own) -> {
            double score = score(own);
            if (score > 0) {
                found.add(new Recognition(fingerprint, score, score, texts(own)));
            }
        });
        found.sort(Comparator.comparingDouble(Recognition::score)
                .reversed()
                .thenComparing(r -> r.fingerprint().id()));
        List<Recognition> weighed = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            Recognition r = found.get(i);
            double rival = i > 0
                    ? found.get(0).score()
                    : found.size() > 1 ? found.get(1).score() : 0;
            weighed.add(new Recognition(r.fingerprint(), r.score(), r.score() * share(r.score(), rival), r.because()));
        }
        return weighed;
    }

    /** Independent hints: each leaves the doubt that the others left (noisy or); what speaks against takes its part away. */
    private static double score(List<Probe> hits) {
        double doubt = 1;
        double left = 1;
        boolean something = false;
        for (Probe probe : hits) {
            if (probe.marker().against()) {
                left *= 1 - probe.marker().weight();
            } else {
                doubt *= 1 - probe.marker().weight();
                something |= !probe.marker().absent();
            }
        }
        return something ? (1 - doubt) * left : 0;
    }

    /** How the odds are shared between the best and its rival. */
    private static double share(double score, double rival) {
        double odds = score / Math.max(1e-6, 1 - score);
        double others = rival / Math.max(1e-6, 1 - rival);
        return odds / (odds + others);
    }

    private static List<String> texts(List<Probe> hits) {
        return hits.stream()
                .filter(probe -> !probe.marker().against())
                .sorted(Comparator.comparingDouble(
                        (Probe probe) -> -probe.marker().weight()))
                .map(probe -> text(probe.marker().text(), probe.marker().weight()))
                .toList();
    }

    static String text(String what, double weight) {
        return String.format(Locale.ROOT, "%s (weight %.2f)", what, weight);
    }

    List<Fingerprint> all() {
        return fingerprints;
    }
}
