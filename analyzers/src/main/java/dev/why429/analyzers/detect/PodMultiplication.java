package dev.why429.analyzers.detect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Several processes that count on their own, as the numbers show that they send; asked where no limiter could be reconstructed with them. */
final class PodMultiplication implements Look {
    @Override
    public List<Sighting> at(Scene scene) {
        return CounterSplit.in(scene.store(), "node").stream()
                .limit(1)
                .map(PodMultiplication::sighting)
                .toList();
    }

    private static Sighting sighting(CounterSplit.Split split) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("pods", (long) split.counters());
        numbers.putAll(CounterSplit.numbers(split));
        List<CounterSplit.Left> shown = split.shown();
        return new Sighting(
                split.series().client().isEmpty()
                        ? Map.of()
                        : Map.of(split.series().field(), split.series().client()),
                Optional.empty(),
                Optional.of(shown.get(0).moment()),
                Optional.of(shown.get(shown.size() - 1).moment()),
                numbers,
                split.places().isEmpty()
                        ? List.of(split.why())
                        : List.of(split.why(), "they are " + String.join(", ", split.places())),
                CounterSplit.evidence(split),
                split.places().isEmpty() ? 0.9 : 0.95,
                0,
                Optional.empty(),
                Optional.of(split.gateway() ? "state-per-gateway-replica" : "state-per-process"));
    }
}
