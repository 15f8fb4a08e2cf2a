package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case.Interval;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node whose clock is off against that of the outermost node. */
final class ClockSkew implements Look {
    @Override
    public List<Sighting> at(Scene scene) {
        return scene.clocks().stream()
                .filter(NodeClock::isOff)
                .map(ClockSkew::sighting)
                .toList();
    }

    private static Sighting sighting(NodeClock clock) {
        ClockPairs pairs = clock.pairs();
        NodeClock.Offset offset = clock.offset();
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put(
                "offset_seconds",
                Map.of(
                        pairs.inner(),
                        Interval.between(
                                rounded(offset.seconds() - offset.boundSeconds()),
                                rounded(offset.seconds() + offset.boundSeconds()))));
        numbers.put("bound_seconds", rounded(offset.boundSeconds()));
        numbers.put("against", pairs.outer());
        numbers.put("shared_requests", (long) pairs.size());
        return new Sighting(
                Map.of("node", pairs.inner()),
                Optional.empty(),
                Optional.of(instant(clock.constant().fromMicros())),
                Optional.of(instant(clock.constant().toMicros())),
                numbers,
                List.of(
                        pairs.size() + " requests are logged by both " + pairs.outer() + " and " + pairs.inner()
                                + "; each must have been handled inside within the time it took outside",
                        "only an offset of " + Wording.number(rounded(offset.seconds())) + " s, give or take "
                                + Wording.number(rounded(offset.boundSeconds())) + " s, lets all of them do so"),
                pairs.evidence(),
                clock.constant().marginSeconds() > 0 ? 0.97 : 0.9,
                0);
    }

    static double rounded(double seconds) {
        return Math.rint(seconds * 1e4) / 1e4;
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
