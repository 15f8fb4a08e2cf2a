package dev.why429.analyzers.attribute;

import dev.why429.analyzers.attribute.FingerprintSet.Probe;
import dev.why429.analyzers.attribute.FingerprintSet.Recognition;
import dev.why429.rules.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Gives denials that look alike their layer, component and reason. */
final class Judgement {
    /** Below this a fingerprint names nothing. */
    static final double ENOUGH = 0.5;

    private final FingerprintSet set;
    private final Map<Integer, String> serverByFile;
    private final Map<Integer, String> componentByFile;
    private final Map<Integer, String> layerByDepth;

    /**
     * @param serverByFile component and format of each log
     * @param componentByFile component alone
     * @param layerByDepth what lies at each place of the chain
     */
    Judgement(
            FingerprintSet set,
            Map<Integer, String> serverByFile,
            Map<Integer, String> componentByFile,
            Map<Integer, String> layerByDepth) {
        this.set = set;
        this.serverByFile = serverByFile;
        this.componentByFile = componentByFile;
        this.layerByDepth = layerByDepth;
    }

    /** The answer for one signature. */
    record Verdict(String layer, String component, String reason, double confidence, List<String> because) {}

    /** @param witness what captures of these very denials were recognised as */
    Verdict of(Signature signature, Optional<Recognition> witness) {
        Optional<Recognition> logged = set.best(probes(signature), eligible(signature));
        Optional<Recognition> seen = witness.filter(w -> eligible(signature).test(w.fingerprint()));
        Optional<Recognition> best = logged.isPresent()
                        && (seen.isEmpty()
                                || logged.get().confidence() >= seen.get().confidence())
                ? logged
                : seen;
        Optional<Recognition> named = best.filter(r -> r.confidence() >= ENOUGH);
        String layer = layer(signature, named);
        double confidence = confidence(signature, named);
        List<String> because = new ArrayList<>();
        because.add(
                FingerprintSet.text(signature.role().text(), signature.role().confidence()));
        signature.storeFailure().ifPresent(how -> because.add(FingerprintSet.text(how.text(), how.confidence())));
        if (signature.ownQuotaLeft() || signature.quotaLeft()) {
            because.add("the application's own quota headers show requests left, and no wait is given");
        }
        logged.ifPresent(r -> because.addAll(r.because()));
        seen.ifPresent(r -> r.because().forEach(text -> because.add("captured " + text)));
        return new Verdict(
                layer,
                component(signature, named),
                reason(signature, named),
                confidence,
                because.stream().distinct().limit(8).toList());
    }

    private Set<Probe> probes(Signature signature) {
        Set<Probe> hits = new TreeSet<>(java.util.Comparator.comparingInt(Probe::index));
        boolean here = signature.role() != Role.PASSED_ON;
        for (int index : signature.hits()) {
            Probe probe = set.probes().get(index);
            // what a server writes about itself says nothing about the answer that it passes on
            if (here || probe.marker().place() == Fingerprint.Place.HEADER) {
                hits.add(probe);
            }
        }
        String server = serverByFile.getOrDefault(signature.file(), "");
        for (Probe probe : set.probes()) {
            if (probe.marker().place() == Fingerprint.Place.FACT
                    && FingerprintSet.speaksOf(probe.fingerprint(), server)
                    && isTrue(probe.marker().name(), signature)) {
                hits.add(probe);
            }
        }
        return hits;
    }

    private static boolean isTrue(String fact, Signature signature) {
        return switch (fact) {
            case "own_quota_left" -> signature.ownQuotaLeft();
            case "quota_left" -> signature.quotaLeft();
            default -> fact.equals(signature.role().fact());
        };
    }

    private static Predicate<Fingerprint> eligible(Signature signature) {
        String layer = signature.layer();
        boolean outer = layer.equals("cdn") || layer.equals("gateway");
        return switch (signature.role()) {
            case PASSED_ON -> f -> !f.layer().equals("cdn");
            case ANSWERED ->
                f -> f.layer().equals("app")
                        || f.layer().equals("third_party")
                        || f.layer().equals("gateway");
            case UNKNOWN_ORIGIN -> f -> true;
            case GENERATED, REWRITTEN, REWRITTEN_5XX, UNSEEN_BELOW, UNSEEN_BELOW_IN_A_SPARSE_LOG ->
                f -> outer
                        ? f.layer().equals("cdn") || f.layer().equals("gateway")
                        : !f.layer().equals("third_party") && !f.layer().equals("cdn");
        };
    }

    private String layer(Signature signature, Optional<Recognition> named) {
        String recognised = named.map(r -> r.fingerprint().layer()).orElse("");
        return switch (signature.role()) {
            case PASSED_ON ->
                recognised.equals("third_party") ? recognised : layerByDepth.getOrDefault(signature.depth() + 1, "app");
            case ANSWERED -> recognised.equals("third_party") ? recognised : signature.layer();
            case UNKNOWN_ORIGIN -> recognised.isEmpty() ? signature.layer() : recognised;
            default -> signature.layer().equals("unknown") && !recognised.isEmpty() ? recognised : signature.layer();
        };
    }

    private static double confidence(Signature signature, Optional<Recognition> named) {
        if (signature.storeFailure().isPresent()) {
            return signature.storeFailure().get().confidence();
        }
        double byRole = signature.role().confidence();
        if (signature.role() == Role.UNKNOWN_ORIGIN) {
            // a page or a header may come from another layer than the one that wrote this log
            return named.map(r -> Math.max(byRole, 0.9 * r.confidence())).orElse(byRole);
        }
        double sure =
                named.map(r -> 1 - (1 - byRole) * (1 - 0.6 * r.confidence())).orElse(byRole);
        return Math.round(sure * 100) / 100.0;
    }

    private String component(Signature signature, Optional<Recognition> named) {
        if (named.isPresent()) {
            return named.get().fingerprint().component();
        }
        if (signature.role() == Role.PASSED_ON) {
            return "unknown";
        }
        String server = componentByFile.getOrDefault(signature.file(), "");
        return server.isEmpty() ? "unknown" : server;
    }

    private static String reason(Signature signature, Optional<Recognition> named) {
        if (signature.storeFailure().isPresent()) {
            return "limiter_error";
        }
        if (signature.role() == Role.REWRITTEN_5XX) {
            return "backend_error";
        }
        return named.map(r -> r.fingerprint().reason())
                .orElse(signature.role() == Role.REWRITTEN ? "unknown" : "limit");
    }
}
