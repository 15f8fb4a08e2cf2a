package dev.why429.analyzers.detect;

import dev.why429.analyzers.store.CaseStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A clock that was set while the log was written. */
final class ClockStep implements Look {
    @Override
    public List<Sighting> at(Scene scene) {
        // a step of the outer clock shows against every inner node: it is one step
        Map<String, Sighting> byNode = new LinkedHashMap<>();
        for (NodeClock clock : scene.clocks()) {
            clock.step().ifPresent(step -> {
                String node = whoStepped(scene.store(), clock.pairs(), step);
                byNode.putIfAbsent(node, sighting(clock, step, node));
            });
        }
        return List.copyOf(byNode.values());
    }

    /** A clock set back leaves a log that goes back in time; a log that never does was only set forward. */
    private static String whoStepped(CaseStore store, ClockPairs pairs, ClockFit.Step step) {
        String back = step.changeSeconds() > 0 ? pairs.outer() : pairs.inner();
        String forward = step.changeSeconds() > 0 ? pairs.inner() : pairs.outer();
        double largest = store.query("""
                        SELECT coalesce(max(back), 0) AS back FROM (
                            SELECT epoch(lag(r.logged_at) OVER (PARTITION BY r.file ORDER BY r.line)) - epoch(r.logged_at) AS back
                            FROM requests r JOIN inputs i ON i.file = r.file WHERE coalesce(nullif(i.node, ''), i.layer) = ?)""", row -> row.number("back"), back).get(0);
        return largest > Math.abs(step.changeSeconds()) / 2 ? back : forward;
    }

    private static Sighting sighting(NodeClock clock, ClockFit.Step step, String node) {
        ClockPairs pairs = clock.pairs();
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("at", ClockSkew.instant(step.atMicros()).toString());
        numbers.put("step_seconds", ClockSkew.rounded(Math.abs(step.changeSeconds())));
        numbers.put("offset_before_seconds", ClockSkew.rounded(step.before()));
        numbers.put("offset_after_seconds", ClockSkew.rounded(step.after()));
        return new Sighting(
                Map.of("node", node),
                Optional.empty(),
                Optional.of(ClockSkew.instant(step.atMicros())),
                Optional.empty(),
                numbers,
                List.of(
                        pairs.inner() + " is " + Wording.number(ClockSkew.rounded(step.before())) + " s ahead of "
                                + pairs.outer() + " before, " + Wording.number(ClockSkew.rounded(step.after()))
                                + " s after",
                        "neither a fixed nor an even offset fits the " + pairs.size()
                                + " requests that both nodes logged"),
                pairs.evidence(),
                0.92,
                0);
    }
}
