package dev.why429.analyzers.capture;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Collects headers: names in lower case, repeated ones kept in order, sizes capped. */
final class Headers {
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private int count;

    void add(String name, String value) {
        if (name.isBlank() || ++count > CaptureReader.MAX_HEADERS) {
            return;
        }
        values.computeIfAbsent(name.strip().toLowerCase(Locale.ROOT), n -> new ArrayList<>())
                .add(CaptureReader.capped(value.strip(), CaptureReader.MAX_HEADER_CHARS));
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    Map<String, List<String>> map() {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, list) -> copy.put(name, List.copyOf(list)));
        return copy;
    }

    static Optional<Instant> date(Map<String, List<String>> headers) {
        List<String> dates = headers.getOrDefault("date", List.of());
        if (dates.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ZonedDateTime.parse(dates.get(0), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
