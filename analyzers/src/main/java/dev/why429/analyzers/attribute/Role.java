package dev.why429.analyzers.attribute;

import java.util.Locale;

/**
 * What the log of the place where the trail of a denial ends says about it: the algebra of attribution. A log may name what it sent and what the
 * next hop answered; sent 429 and nobody asked is generated here; sent 429 and received 429 is passed on; and so on.
 */
enum Role {
    /** sent 429 (or a limiter's mark), the next hop was not asked */
    GENERATED(0.95, "the next hop was not asked: the denial was made here"),
    /** sent 429, the next hop answered 429, and the log behind has no line of it */
    PASSED_ON(0.8, "the next hop answered 429: the denial was made further in"),
    /** sent 429, the next hop answered 5xx */
    REWRITTEN_5XX(0.93, "the next hop failed, and 429 was sent in its place"),
    /** sent 429, the next hop answered something else */
    REWRITTEN(0.8, "the next hop answered something else, and 429 was sent in its place"),
    /** sent 429; the log does not name the next hop, and the log behind has no line of it though it has those of other requests */
    UNSEEN_BELOW(0.92, "the log behind has no line of this request: it was denied here or on the way"),
    /** as before, but the log behind lacks many other requests too */
    UNSEEN_BELOW_IN_A_SPARSE_LOG(0.5, "the log behind has no line of this request, but lacks many others too"),
    /** the innermost log that there is, of an application */
    ANSWERED(0.9, "the innermost log says 429"),
    /** the log does not name the next hop, and nothing behind it was logged */
    UNKNOWN_ORIGIN(0.5, "the log does not say whether the next hop was asked, and no log behind it was given");

    private final double confidence;
    private final String text;

    Role(double confidence, String text) {
        this.confidence = confidence;
        this.text = text;
    }

    /** How sure the layer is by this alone. */
    double confidence() {
        return confidence;
    }

    String text() {
        return text;
    }

    /** Name of the fact that fingerprints refer to. */
    String fact() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean madeHere() {
        return this == GENERATED
                || this == REWRITTEN_5XX
                || this == REWRITTEN
                || this == UNSEEN_BELOW
                || this == UNSEEN_BELOW_IN_A_SPARSE_LOG;
    }
}
