package dev.why429.analyzers.reconstruct;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/**
 * A stretch in which nobody was denied although many should have been: as when a limiter that lets all pass has lost its store.
 *
 * @param others the decisions outside of it
 * @param words what was left out, as a sentence
 */
@SuppressWarnings("ArrayRecordComponent") // one flag per decision
record Outage(boolean[] others, String words) {
    /** Denials that the rest of the log would lead one to expect in the stretch. */
    private static final double EXPECTED = 25;

    /** The longest stretch between two denials, if it is long enough; the limiter denied before it and after it. */
    static Optional<Outage> of(DecisionLog log) {
        int last = -1;
        int from = 0;
        int to = 0;
        for (int i = 0; i < log.size(); i++) {
            if (log.denied()[i]) {
                if (last >= 0 && i - last > to - from) {
                    from = last + 1;
                    to = i;
                }
                last = i;
            }
        }
        int rest = log.size() - (to - from);
        if (rest == 0 || (to - from) * (log.denials() / (double) rest) < EXPECTED) {
            return Optional.empty();
        }
        boolean[] others = new boolean[log.size()];
        Arrays.fill(others, true);
        Arrays.fill(others, from, to, false);
        return Optional.of(new Outage(
                others,
                (to - from) + " decisions from " + moment(log, from) + " to " + moment(log, to - 1)
                        + " are left out: nobody was denied then, whatever the count"));
    }

    private static Instant moment(DecisionLog log, int decision) {
        return Instant.EPOCH.plus(log.arrivalMicros()[decision], ChronoUnit.MICROS);
    }
}
