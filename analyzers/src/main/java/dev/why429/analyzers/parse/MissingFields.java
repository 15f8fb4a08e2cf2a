package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What attribution and reconstruction would want of a request log and do not find in it. */
final class MissingFields {
    /** Word for a stamp that is no finer than a second. */
    static final String SUB_SECOND_STAMP = "sub-second stamp";

    private static final long SECOND_MICROS = 1_000_000L;
    private static final List<String> WANTED =
            List.of("duration_micros", "request_id", "client_ip", "forwarded", "api_key", "host");
    private static final List<String> WANTED_OF_A_PROXY = List.of("upstream_status", "upstream_addr");
    private static final Set<String> PROXIES = Set.of("nginx", "nginx-json");

    private MissingFields() {}

    static List<String> of(Collection<Field> filled, Field.Table table, long resolutionMicros, String formatId) {
        if (table != Field.Table.REQUESTS) {
            return List.of();
        }
        Set<String> there = filled.stream().map(Field::name).collect(Collectors.toSet());
        boolean headers = there.contains("request_headers");
        List<String> missing = new ArrayList<>();
        if (resolutionMicros >= SECOND_MICROS) {
            missing.add(SUB_SECOND_STAMP);
        }
        for (String field : WANTED) {
            if (!there.contains(field) && !(headers && (field.equals("forwarded") || field.equals("api_key")))) {
                missing.add(field);
            }
        }
        if (PROXIES.contains(formatId)) {
            WANTED_OF_A_PROXY.stream().filter(field -> !there.contains(field)).forEach(missing::add);
            if (!there.contains("limit_status")) {
                missing.add("limit_status");
            }
        }
        return List.copyOf(missing);
    }
}
