package dev.why429.analyzers.detect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node whose clock runs faster or slower than that of the outermost node. */
final class ClockDrift implements Look {
    @Override
    public List<Sighting> at(Scene scene) {
        return scene.clocks().stream()
                .filter(NodeClock::drifts)
                .map(ClockDrift::sighting)
                .toList();
    }

    private static Sighting sighting(NodeClock clock) {
        ClockPairs pairs = clock.pairs();
        ClockFit line = clock.line();
        double bound = Math.abs(line.marginSeconds()) / Math.max(1e-6, line.secondsSpanned()) * 2e6;
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("ppm", Map.of(pairs.inner(), Math.rint(line.slope() * 1e7) / 10));
        numbers.put("bound_ppm", Math.rint(bound * 10) / 10);
        numbers.put("offset_at_start_seconds", ClockSkew.rounded(line.offsetAtStart()));
        numbers.put("offset_at_end_seconds", ClockSkew.rounded(line.offsetAtEnd()));
        numbers.put("against", pairs.outer());
        numbers.put("shared_requests", (long) pairs.size());
        return new Sighting(
                Map.of("node", pairs.inner()),
                Optional.empty(),
                Optional.of(ClockSkew.instant(line.fromMicros())),
                Optional.of(ClockSkew.instant(line.toMicros())),
                numbers,
                List.of(
                        "no fixed offset fits all " + pairs.size()
                                + " requests that both nodes logged: it would be wrong by "
                                + Wording.number(
                                        ClockSkew.rounded(-clock.constant().marginSeconds())) + " s",
                        "an offset that grows evenly fits all of them"),
                pairs.evidence(),
                0.93,
                0);
    }
}
