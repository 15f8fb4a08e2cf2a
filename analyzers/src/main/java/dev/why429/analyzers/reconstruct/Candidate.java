package dev.why429.analyzers.reconstruct;

/**
 * One explanation of the decisions.
 *
 * @param parameter window in seconds, or rate per second
 * @param blockSeconds length of the block; 0 where the family has none
 * @param levelBits what levels cost that the server wrote
 * @param bits code length of the decisions and of the explanation itself
 */
record Candidate(
        Grouping key,
        Family family,
        double parameter,
        double blockSeconds,
        Threshold.Fit fit,
        double levelBits,
        double bits) {
    /** What decisions and written levels cost that it cannot explain. */
    double contradictionBits() {
        return fit.wrong() * (double) Threshold.WRONG_BITS + levelBits;
    }

    /** Whether its parameters are clearly others: by more than a tenth. */
    boolean differs(Candidate other) {
        return Math.abs(Math.log(parameter / other.parameter)) > 0.1
                || Math.abs(Math.log(fit.value(fit.best() + 1) / other.fit.value(other.fit.best() + 1))) > 0.1;
    }

    boolean better(Candidate other) {
        return other == null || bits < other.bits;
    }
}
