package dev.why429.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** How often attributions were right, by how sure they said they were. A denial is right when its layer and its reason are. */
final class Calibration {
    private static final double STEP = 0.05;
    private static final double HIGHEST = 0.95;

    /** Denials, and those of them that were right, by the lower end of a step of confidence. */
    private final NavigableMap<Double, long[]> steps = new TreeMap<>();

    void add(JsonNode found, JsonNode truth) {
        Map<List<String>, Long> left = new HashMap<>();
        for (JsonNode denial : truth.path("denials")) {
            if (denial.has("layer")) {
                String layer = denial.path("layer").asString();
                String named = layer.equals("edge") || layer.equals("lb") ? "gateway" : layer;
                left.merge(
                        List.of(named, denial.path("reason").asString()),
                        denial.path("count").asLong(),
                        Long::sum);
            }
        }
        for (JsonNode c : found.path("denials").path("classes")) {
            long count = c.path("count").asLong();
            List<String> said =
                    List.of(c.path("layer").asString(), c.path("reason").asString());
            long right = Math.min(count, left.getOrDefault(said, 0L));
            left.merge(said, -right, Long::sum);
            double step = Math.min(HIGHEST, Math.floor(c.path("confidence").asDouble() / STEP + 1e-9) * STEP);
            long[] tally = steps.computeIfAbsent(step, s -> new long[2]);
            tally[0] += count;
            tally[1] += right;
        }
    }

    /** The share that is right of what was said with at least this confidence; 1 where nothing was. */
    double rightOf(double confidence) {
        long all = 0;
        long right = 0;
        for (long[] tally : steps.tailMap(confidence - 1e-9).values()) {
            all += tally[0];
            right += tally[1];
        }
        return all == 0 ? 1 : (double) right / all;
    }

    String table() {
        StringBuilder table = new StringBuilder("confidence  denials  right\n");
        steps.forEach((step, tally) -> table.append(String.format(
                Locale.ROOT, "%10.2f  %7d  %5.3f%n", step, tally[0], (double) tally[1] / Math.max(1, tally[0]))));
        return table.toString();
    }
}
