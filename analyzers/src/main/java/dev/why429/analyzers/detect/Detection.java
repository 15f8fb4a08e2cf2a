package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.store.StoreException;
import dev.why429.rules.Detector;
import dev.why429.rules.RuleKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks for every kind of incident that the rulebook knows, and says what was found, what was not, and what could not be looked for. */
public final class Detection {
    private static final List<String> SEVERITIES = List.of("high", "medium", "low", "info");
    /** Kinds that say that the log itself is not whole: whatever else is found is believed less. */
    private static final Set<String> LOG_NOT_WHOLE = Set.of("sampled_log", "missing_lines", "reordered_log");

    /** The kind that says that nothing is broken. */
    private static final String COMFORT = "genuine_limit";

    private static final double LESS_BELIEVED = 0.8;

    private Detection() {}

    public static Detections run(DetectionInput input) {
        Scene scene = new Scene(input);
        List<Case.Finding> findings = new ArrayList<>();
        List<String> quiet = new ArrayList<>();
        List<Case.Skipped> skipped = new ArrayList<>();
        List<Case.BlindSpot> blindSpots = new ArrayList<>();
        for (Detector detector : input.rulebook().all(RuleKind.DETECTOR)) {
            Look look = lookOf(detector);
            if (scene.denials() == 0 && onlyWithDenials(detector)) {
                quiet.add(detector.id());
                continue;
            }
            var unmet = Needs.unmet(scene.store(), detector);
            if (unmet.isPresent()) {
                Detector.Need need = unmet.get();
                skipped.add(new Case.Skipped(detector.id(), need.reason(), need.wouldNeed()));
                blindSpots.add(new Case.BlindSpot(
                        detector.title() + " could not be looked for: " + need.reason(), need.wouldNeed()));
                continue;
            }
            List<Sighting> seen;
            try {
                seen = look.at(scene);
            } catch (StoreException e) {
                // one question that the tables cannot answer must not cost the others their answers
                skipped.add(new Case.Skipped(
                        detector.id(),
                        "its question to the tables failed: " + e.getMessage(),
                        "nothing: this is a defect"));
                continue;
            }
            if (seen.isEmpty()) {
                quiet.add(detector.id());
            }
            for (int i = 0; i < seen.size(); i++) {
                findings.add(Wording.finding(detector, i + 1, seen.get(i), scene.denials()));
            }
        }
        List<Case.Finding> believed = believed(withoutIdleComfort(findings));
        return new Detections(
                believed,
                List.copyOf(quiet),
                List.copyOf(skipped),
                blindSpots.stream().distinct().toList(),
                Verdicts.of(input, believed));
    }

    private static boolean onlyWithDenials(Detector detector) {
        return detector.needs().stream().anyMatch(need -> need.table().equals("attributions"));
    }

    /** "The limit works" is no answer where something else explains denials. */
    private static List<Case.Finding> withoutIdleComfort(List<Case.Finding> findings) {
        boolean explained = findings.stream()
                .anyMatch(finding -> finding.denialsExplained() > 0
                        && (finding.severity().equals("high")
                                || finding.severity().equals("medium")));
        return explained
                ? findings.stream()
                        .filter(finding -> !finding.kind().equals(COMFORT))
                        .toList()
                : findings;
    }

    private static List<Case.Finding> believed(List<Case.Finding> findings) {
        boolean whole = findings.stream().map(Case.Finding::kind).noneMatch(LOG_NOT_WHOLE::contains);
        return findings.stream()
                .map(finding -> whole || LOG_NOT_WHOLE.contains(finding.kind()) ? finding : lessSure(finding))
                .sorted(Comparator.comparingLong(Case.Finding::denialsExplained)
                        .reversed()
                        .thenComparingInt(finding -> SEVERITIES.indexOf(finding.severity()))
                        .thenComparing(Case.Finding::id))
                .toList();
    }

    private static Case.Finding lessSure(Case.Finding f) {
        List<String> because = Stream.concat(f.because().stream(), Stream.of("the log is not whole: believed less"))
                .toList();
        return new Case.Finding(
                f.id(),
                f.kind(),
                f.severity(),
                f.confidence() * LESS_BELIEVED,
                f.title(),
                f.summary(),
                f.limiter(),
                f.subject(),
                f.from(),
                f.to(),
                f.numbers(),
                because,
                f.evidence(),
                f.wouldDisprove(),
                f.fix(),
                f.pitfall(),
                f.denialsExplained());
    }

    /**
     * How a kind is looked for: by {@code detect.sql}, by {@code told.sql}, by the class of its name; where one sees nothing, the next is asked.
     *
     * @throws IllegalStateException when a folder has none of them
     */
    static Look lookOf(Detector detector) {
        List<Look> looks = Stream.of(
                        detector.sql().<Look>map(text -> new SqlLook(detector, text)),
                        detector.toldSql().<Look>map(text -> new SqlLook(detector, text)),
                        codeOf(detector))
                .flatMap(Optional::stream)
                .toList();
        if (looks.isEmpty()) {
            throw new IllegalStateException(
                    "detector \"" + detector.id() + "\" has neither detect.sql nor a class " + classOf(detector));
        }
        return scene -> looks.stream()
                .map(look -> look.at(scene))
                .filter(seen -> !seen.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static String classOf(Detector detector) {
        return Stream.of(detector.id().split("_"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
    }

    private static Optional<Look> codeOf(Detector detector) {
        try {
            return Optional.of(Class.forName(Detection.class.getPackageName() + "." + classOf(detector))
                    .asSubclass(Look.class)
                    .getDeclaredConstructor()
                    .newInstance());
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the class of detector \"" + detector.id() + "\" cannot be made", e);
        }
    }
}
