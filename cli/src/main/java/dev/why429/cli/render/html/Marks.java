package dev.why429.cli.render.html;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.Printable;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What happened at one moment or for a while, for the timeline: limits that changed, outages, clocks that stepped, processes that came. */
final class Marks {
    /** Findings that tell of a moment. */
    private static final Set<String> MOMENTS = Set.of("limit_changed", "pods_changed", "clock_step");
    /** Findings that tell of a while. */
    private static final Set<String> SPELLS =
            Set.of("limiter_error_as_429", "limiter_fail_open", "backend_error_as_429");

    private static final int MOST = 12;

    private Marks() {}

    /**
     * @param letter what stands at the mark in the chart: A, B, …
     * @param to empty: a moment
     * @param place id of what tells more
     */
    public record Mark(String letter, Instant from, Optional<Instant> to, String label, String place) {}

    static List<Mark> of(Case theCase) {
        List<Mark> marks = new ArrayList<>();
        for (Case.Finding finding : theCase.findings()) {
            if (MOMENTS.contains(finding.kind())) {
                moment(finding).ifPresent(at -> marks.add(mark(finding, at, Optional.empty())));
            } else if (SPELLS.contains(finding.kind()) && finding.from().isPresent()) {
                marks.add(mark(finding, finding.from().get(), finding.to()));
            }
        }
        List<Mark> lettered = new ArrayList<>();
        marks.stream()
                .sorted(Comparator.comparing(Mark::from))
                .limit(MOST)
                .forEach(mark -> lettered.add(new Mark(
                        String.valueOf((char) ('A' + lettered.size())),
                        mark.from(),
                        mark.to(),
                        mark.label(),
                        mark.place())));
        return lettered;
    }

    private static Mark mark(Case.Finding finding, Instant from, Optional<Instant> to) {
        return new Mark("", from, to, Printable.of(finding.title()), "cause-" + finding.id());
    }

    private static Optional<Instant> moment(Case.Finding finding) {
        Object at = finding.numbers().get("at");
        if (at != null) {
            String text = String.valueOf(at).replace(' ', 'T');
            try {
                return Optional.of(Instant.parse(text.endsWith("Z") ? text : text + "Z"));
            } catch (DateTimeParseException e) {
                return finding.from();
            }
        }
        return finding.from();
    }
}
