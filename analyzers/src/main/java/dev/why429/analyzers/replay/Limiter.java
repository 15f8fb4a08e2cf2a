package dev.why429.analyzers.replay;

/**
 * The state of one key under one reference limiter: the Java twin of a script in {@code rules/limiters}, with the same integer arithmetic.
 * Not safe for use by several threads.
 */
public interface Limiter {
    /**
     * Decides one request and takes its cost when it is allowed.
     *
     * @param nowMicros microseconds since 1970-01-01T00:00:00Z, from 0 to 2^52; an older stamp than the newest seen is taken for that one
     * @param cost whole and not negative; 0 asks whether a cost of 1 would pass, and takes nothing
     */
    Decision decide(long nowMicros, long cost);

    /** What it would decide; the state stays as it is. Unlike {@link #decide} with cost 0 it asks for the cost itself. */
    Decision look(long nowMicros, long cost);

    /**
     * Says what it would decide, and takes the cost if the request was in fact allowed: a limiter that is led by what was observed, so that one
     * difference does not bring forth others.
     *
     * @param allowed what was observed
     * @return what it decides itself
     */
    Decision follow(long nowMicros, long cost, boolean allowed);

    /** The same state, to go on from in another way. */
    Limiter copy();

    /**
     * Other parameters from the next decision on, as when a deployment changes a limit while keys live.
     *
     * @param parameters in the order of {@code limiter.yaml}
     * @throws LimiterProblem when they are out of range, with the code that the script gives
     */
    void change(long... parameters);
}
