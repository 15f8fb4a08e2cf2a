package dev.why429.analyzers.parse;

/** What a reader can say about the line that it read last. */
interface Seen {
    /** How the stamp was written. */
    Stamps stamps();

    /** Whether the line has a place for a field, if only to say that it is missing. */
    boolean saw(int field);
}
