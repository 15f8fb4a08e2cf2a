package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;

/** A file, or the rest of it, is not what its name says, or is larger or deeper than what is read. */
public final class UnreadableException extends Exception {
    private final transient Place place;

    public UnreadableException(Place place, String reason) {
        super(reason);
        this.place = place;
    }

    public Place place() {
        return place;
    }
}
