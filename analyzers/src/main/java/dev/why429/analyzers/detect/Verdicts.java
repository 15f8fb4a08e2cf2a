package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Case.DenialClass;
import dev.why429.analyzers.casefile.Case.Finding;
import dev.why429.analyzers.casefile.Case.Limiter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer in one sentence: who denied, by which key, and what made it so. */
final class Verdicts {
    private static final Map<String, String> PLACE = Map.of(
            "cdn", "at the CDN",
            "gateway", "at the gateway",
            "app", "in the app",
            "third_party", "of a third party, passed on",
            "unknown", "at a layer that the logs do not name");

    private Verdicts() {}

    static Case.Verdict of(DetectionInput input, List<Finding> findings) {
        Case.Denials denials = input.denials();
        long hidden = denials.hiddenByLayer().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        if (denials.total() == 0) {
            return hidden == 0
                    ? new Case.Verdict("No request was denied.", 0.95)
                    : new Case.Verdict(
                            "No client saw a denial, but " + hidden
                                    + " requests were denied inside and answered otherwise." + cause(findings),
                            0.9);
        }
        Optional<DenialClass> main = denials.classes().stream().max(Comparator.comparingLong(DenialClass::count));
        if (main.isEmpty()) {
            return new Case.Verdict(denials.total() + " requests were denied; the logs do not show by whom.", 0.3);
        }
        DenialClass first = main.get();
        String sentence = first.count() + " of " + denials.total() + " denials came from "
                + (first.component().isEmpty() ? "a limiter" : first.component()) + " "
                + PLACE.getOrDefault(first.layer(), "at " + first.layer()) + why(first, input.limiters())
                + cause(findings);
        double share = (double) first.count() / denials.total();
        double sure = first.confidence() * (share > 0.5 ? 1 : 0.8);
        return new Case.Verdict(
                sentence,
                findings.stream()
                        .filter(finding -> finding.denialsExplained() > 0)
                        .findFirst()
                        .map(finding -> Math.min(sure, finding.confidence()))
                        .orElse(sure));
    }

    private static String why(DenialClass main, List<Limiter> limiters) {
        return switch (main.reason()) {
            case "backend_error" -> ": errors of what lies behind, answered as if a limit were exceeded";
            case "limiter_error" -> ": the limiter itself failed, no limit was exceeded";
            default ->
                limiters.stream()
                        .filter(limiter -> limiter.layer().equals(main.layer()))
                        .max(Comparator.comparingLong(Limiter::decisions))
                        .map(Verdicts::keyed)
                        .orElse("");
        };
    }

    private static String keyed(Limiter limiter) {
        String key = limiter.key().isEmpty()
                ? ", one bucket for everybody"
                : ", keyed by " + String.join(" and ", limiter.key());
        String limit = limiter.ratePerSecond()
                .map(rate -> " (" + Wording.text(rate) + " per second"
                        + limiter.burst().map(b -> ", burst " + Wording.text(b)).orElse("") + ")")
                .or(() -> limiter.limit()
                        .map(l -> " (" + Wording.text(l)
                                + limiter.windowSeconds()
                                        .map(w -> " per " + Wording.text(w) + " s")
                                        .orElse("")
                                + (limiter.scope().equals("per_node") ? " on each node" : "") + ")"))
                .orElse("");
        return key + limit;
    }

    private static String cause(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> !finding.severity().equals("info"))
                .filter(finding -> finding.denialsExplained() > 0)
                .findFirst()
                .or(() -> findings.stream()
                        .filter(finding -> finding.severity().equals("high"))
                        .findFirst())
                .map(finding -> "; " + lowerFirst(finding.summary()))
                .orElse(".");
    }

    private static String lowerFirst(String text) {
        return text.length() > 1 && Character.isUpperCase(text.charAt(0)) && Character.isLowerCase(text.charAt(1))
                ? Character.toLowerCase(text.charAt(0)) + text.substring(1)
                : text;
    }
}
