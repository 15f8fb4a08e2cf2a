package dev.why429.analyzers.reconstruct;

import java.util.Optional;

/**
 * One explanation of the decisions.
 *
 * @param parameter window in seconds, or rate per second
 * @param blockSeconds length of the block; 0 where the family has none
 * @param levels how levels that the server wrote agree with it
 * @param bits code length of the decisions and of the explanation itself
 * @param range what the decisions leave open, where it is known already
 */
record Candidate(
        Grouping key,
        Family family,
        double parameter,
        double blockSeconds,
        Threshold.Fit fit,
        Buckets.Levels levels,
        double bits,
        Optional<Range> range) {
    /** What decisions and written levels cost that it cannot explain. */
    double contradictionBits() {
        return (fit.wrong() + levels.contradicted()) * (double) Threshold.WRONG_BITS;
    }

    /** Whether its parameters are clearly others: by more than a tenth. */
    boolean differs(Candidate other) {
        return Math.abs(Math.log(parameter / other.parameter)) > 0.1
                || Math.abs(Math.log(fit.value(fit.best() + 1) / other.fit.value(other.fit.best() + 1))) > 0.1;
    }

    /** The same with more to name. */
    Candidate costing(double moreBits) {
        return new Candidate(key, family, parameter, blockSeconds, fit, levels, bits + moreBits, range);
    }

    boolean better(Candidate other) {
        return other == null || bits < other.bits;
    }
}
