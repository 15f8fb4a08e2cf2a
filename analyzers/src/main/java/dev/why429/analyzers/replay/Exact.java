package dev.why429.analyzers.replay;

/** The arithmetic that the scripts and their twins share: whole numbers that a Lua number holds exactly. */
final class Exact {
    /** largest whole number up to which every one is exact as a double: 2^53 - 1 */
    static final long MAX = (1L << 53) - 1;
    /** latest instant that a limiter takes, in microseconds: the year 2112 */
    static final long LATEST = 1L << 52;

    private Exact() {}

    /** a / b rounded up, for a from 0 and b from 1 */
    static long up(long a, long b) {
        return (a + b - 1) / b;
    }

    static void parameters(boolean fit, String expected) {
        if (!fit) {
            throw new LimiterProblem("BAD_PARAMETERS", expected);
        }
    }

    static void range(boolean fits, String expected) {
        if (!fits) {
            throw new LimiterProblem("OUT_OF_RANGE", expected);
        }
    }

    static void request(long nowMicros, long cost) {
        if (nowMicros < 0 || nowMicros > LATEST) {
            throw new LimiterProblem("BAD_NOW", "\"" + nowMicros + "\" is not from 0 to 2^52 microseconds");
        }
        if (cost < 0 || cost > MAX) {
            throw new LimiterProblem("BAD_COST", "\"" + cost + "\" is no cost: a whole number from 0 is expected");
        }
    }

    static Decision decision(boolean allowed, long remaining, long retryMicros, long resetMicros, long limit) {
        return new Decision(
                allowed ? Decision.Outcome.ALLOWED : Decision.Outcome.DENIED,
                remaining,
                retryMicros,
                resetMicros,
                limit);
    }
}
