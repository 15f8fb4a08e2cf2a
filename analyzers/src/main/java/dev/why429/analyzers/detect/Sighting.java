package dev.why429.analyzers.detect;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that a detector saw, before it is worded.
 *
 * @param subject whom it is about, by field
 * @param limiter id of the limiter it hangs on
 * @param numbers the kind's own numbers, in the order in which the detector names them
 * @param evidence line ids, {@code F2:17}
 * @param confidence 0 to 1
 * @param denialsExplained denials that would not be there without it
 * @param severity where this one weighs otherwise than its kind does
 * @param pitfall where another pitfall is behind this one than behind most of its kind
 */
record Sighting(
        Map<String, String> subject,
        Optional<String> limiter,
        Optional<Instant> from,
        Optional<Instant> to,
        Map<String, Object> numbers,
        List<String> because,
        List<String> evidence,
        double confidence,
        long denialsExplained,
        Optional<String> severity,
        Optional<String> pitfall) {
    Sighting(
            Map<String, String> subject,
            Optional<String> limiter,
            Optional<Instant> from,
            Optional<Instant> to,
            Map<String, Object> numbers,
            List<String> because,
            List<String> evidence,
            double confidence,
            long denialsExplained) {
        this(
                subject,
                limiter,
                from,
                to,
                numbers,
                because,
                evidence,
                confidence,
                denialsExplained,
                Optional.empty(),
                Optional.empty());
    }
}
