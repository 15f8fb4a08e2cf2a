package dev.why429.analyzers.replay;

/** Redis cannot be started, reached or used: one sentence that also says what to do next. */
public final class RedisProblem extends RuntimeException {
    public RedisProblem(String message) {
        super(message);
    }

    public RedisProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
