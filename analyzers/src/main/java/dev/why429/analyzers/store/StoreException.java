package dev.why429.analyzers.store;

/** The case's database cannot be made, read or written. */
public final class StoreException extends RuntimeException {
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
