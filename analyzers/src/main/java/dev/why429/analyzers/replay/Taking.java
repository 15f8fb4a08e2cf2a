package dev.why429.analyzers.replay;

/** What a decision does to the state. */
enum Taking {
    /** The cost is taken when the limiter allows. */
    AS_DECIDED,
    /** The cost is taken whatever the limiter says: that is what was observed. */
    ALWAYS,
    /** Nothing is taken whatever the limiter says: that is what was observed. */
    NEVER,
    /** The state stays as it is. */
    LOOK;

    boolean takes(boolean allowed) {
        return this == ALWAYS || (allowed && this == AS_DECIDED);
    }
}
