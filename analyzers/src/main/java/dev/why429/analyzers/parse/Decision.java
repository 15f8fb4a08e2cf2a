package dev.why429.analyzers.parse;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** What the words of firewalls and limiters for their decisions mean. */
final class Decision {
    private static final int ALLOWED = LineValues.ordinal("allowed");
    private static final Set<String> REFUSED = Set.of(
            "block",
            "blocked",
            "deny",
            "denied",
            "drop",
            "reject",
            "rejected",
            "throttle",
            "throttled",
            "challenge",
            "managed_challenge",
            "managedchallenge",
            "jschallenge",
            "js_challenge",
            "captcha",
            "connectionclose",
            "rate_limit");
    private static final Set<String> PASSED = Set.of(
            "allow", "allowed", "pass", "accept", "log", "skip", "count", "bypass", "simulate", "detected", "matched");

    private Decision() {}

    /** Says in the line whether it was let pass, and so which kind of notice it is; of other words nothing. */
    static void put(ParsedLine line, byte[] b, int from, int to) {
        String word =
                new String(b, from, Math.min(to - from, 20), StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        if (REFUSED.contains(word)) {
            line.setNumber(ALLOWED, 0);
            LooseFields.kind(line, "limiter_reject");
        } else if (PASSED.contains(word)) {
            line.setNumber(ALLOWED, 1);
            LooseFields.kind(line, "message");
        }
    }
}
