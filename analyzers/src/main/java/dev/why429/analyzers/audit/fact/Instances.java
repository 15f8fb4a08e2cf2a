package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;

/**
 * How many copies of a program run, each with a memory of its own.
 *
 * @param workload name of what is copied; empty when it has none
 * @param least fewest, {@code most} most that the configuration allows
 * @param what in words: {@code replicas: 3}
 */
public record Instances(Kind kind, String workload, int least, int most, String what, Place place) {
    public enum Kind {
        POD,
        PROCESS,
        /** functions: how many there are nobody says */
        SERVERLESS
    }
}
