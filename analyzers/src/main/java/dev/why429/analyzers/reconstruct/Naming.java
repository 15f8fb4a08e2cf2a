package dev.why429.analyzers.reconstruct;

import java.util.List;
import java.util.Locale;

/** Words for what was found. */
final class Naming {
    private Naming() {}

    static String key(Grouping key) {
        String name = key.fields().isEmpty() ? "one bucket for everybody" : String.join(" and ", key.fields());
        return key.perNode() ? name + " on each node" : name;
    }

    /** The fields as the case names them. */
    static List<String> fields(List<String> fields) {
        return fields.stream()
                .map(f -> f.equals(KeyCandidates.ROUTE_PREFIX) ? "route" : f)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * A bucket that drains and a bucket that fills decide alike; only who wrote the software calls it the one or the other. nginx calls its own
     * leaky.
     */
    static boolean leaky(String component) {
        return component.toLowerCase(Locale.ROOT).contains("nginx");
    }
}
