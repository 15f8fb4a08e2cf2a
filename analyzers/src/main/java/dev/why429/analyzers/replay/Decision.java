package dev.why429.analyzers.replay;

/**
 * What a limiter answers to one request.
 *
 * @param remaining requests of cost 1 that would still pass at this instant
 * @param retryMicros when denied, how long until the same cost would pass if nobody else asked; when allowed 0, or the time that a queue makes the
 *     caller wait before going on
 * @param resetMicros how long until the key is as if it had never been used
 * @param limit most that passes at once from rest
 */
public record Decision(Outcome outcome, long remaining, long retryMicros, long resetMicros, long limit) {
    public enum Outcome {
        ALLOWED,
        DENIED,
        /** a mistake of the caller, no denial: waiting does not help */
        COST_EXCEEDS_CAPACITY
    }

    static Decision costExceedsCapacity() {
        return new Decision(Outcome.COST_EXCEEDS_CAPACITY, 0, 0, 0, 0);
    }

    public boolean allowed() {
        return outcome == Outcome.ALLOWED;
    }
}
