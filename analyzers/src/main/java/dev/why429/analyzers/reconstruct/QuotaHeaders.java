package dev.why429.analyzers.reconstruct;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/**
 * What logged quota headers promise, in the forms of X-RateLimit-*, and of the IETF draft (RateLimit-*, and its structured fields).
 *
 * @param limit -1 where it is not said
 * @param remaining -1 where it is not said
 * @param windowSeconds 0 where it is not said
 */
record QuotaHeaders(int limit, int remaining, double windowSeconds) {
    private static final QuotaHeaders NONE = new QuotaHeaders(-1, -1, 0);
    private static final Pattern LIMIT =
            Pattern.compile("(?i)ratelimit-limit\":\\s*\"?(\\d{1,9})|limit=(\\d{1,9})|\\bq=(\\d{1,9})");
    private static final Pattern REMAINING =
            Pattern.compile("(?i)ratelimit-remaining\":\\s*\"?(\\d{1,9})|remaining=(\\d{1,9})|\\br=(\\d{1,9})");
    private static final Pattern WINDOW = Pattern.compile("(?i)\\bw=(\\d{1,9})");

    static QuotaHeaders read(String headers) {
        if (headers.isEmpty()) {
            return NONE;
        }
        int window = first(WINDOW, headers);
        return new QuotaHeaders(first(LIMIT, headers), first(REMAINING, headers), Math.max(0, window));
    }

    private static int first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (matcher.find()) {
            for (int g = 1; g <= matcher.groupCount(); g++) {
                if (matcher.group(g) != null) {
                    return Integer.parseInt(matcher.group(g));
                }
            }
        }
        return -1;
    }
}
