package dev.why429.analyzers.detect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Data centres or regions that count on their own: the colo in {@code CF-Ray}, or a field that names the region. */
final class RegionSplit implements Look {
    private static final String REGION = """
            coalesce(nullif(regexp_extract(headers, '"cf-ray"\\s*:\\s*\\[?\\s*"[0-9a-f]+-([a-z]{3})"', 1), ''),
                     nullif(regexp_extract(headers, '"x-amz-cf-pop"\\s*:\\s*\\[?\\s*"([a-z]{3}[0-9]{2})', 1), ''),
                     nullif(regexp_extract(lower(other_fields), '"(?:region|colo|pop|datacenter|data_center|dc|edge_location|zone)"\\s*:\\s*"([a-z0-9-]+)"', 1), ''))""";

    @Override
    public List<Sighting> at(Scene scene) {
        return CounterSplit.in(scene.store(), REGION).stream()
                .filter(split -> !split.places().isEmpty())
                .limit(1)
                .map(RegionSplit::sighting)
                .toList();
    }

    private static Sighting sighting(CounterSplit.Split split) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("regions", split.places().stream().sorted().toList());
        Map<String, Object> shared = CounterSplit.numbers(split);
        numbers.put("per_region_limit", shared.get("per_pod_limit"));
        numbers.put("effective_limit", shared.get("effective_limit"));
        if (shared.containsKey("window_seconds")) {
            numbers.put("window_seconds", shared.get("window_seconds"));
        }
        List<CounterSplit.Left> shown = split.shown();
        return new Sighting(
                Map.of(),
                Optional.empty(),
                Optional.of(shown.get(0).moment()),
                Optional.of(shown.get(shown.size() - 1).moment()),
                numbers,
                List.of(split.why()),
                CounterSplit.evidence(split),
                0.93,
                0);
    }
}
