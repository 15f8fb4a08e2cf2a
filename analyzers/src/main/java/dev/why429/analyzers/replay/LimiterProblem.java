package dev.why429.analyzers.replay;

/** A limiter refuses to decide: a parameter or an argument is out of range. */
public final class LimiterProblem extends RuntimeException {
    private final String code;

    /** @param code as in {@code limiter.yaml}: {@code BAD_PARAMETERS}, {@code OUT_OF_RANGE} */
    public LimiterProblem(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }
}
