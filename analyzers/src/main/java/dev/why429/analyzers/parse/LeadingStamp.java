package dev.why429.analyzers.parse;

/** The time that a line begins with, with or without brackets, in one to four words. */
final class LeadingStamp {
    private static final int MOST_WORDS = 4;
    private static final int LONGEST = 40;

    private LeadingStamp() {}

    /** @return one past the stamp and the blanks after it; {@code from} when the line begins with none */
    static int read(byte[] b, int from, int to, LineValues values) {
        boolean bracket = from < to && b[from] == '[';
        int start = bracket ? from + 1 : from;
        if (bracket) {
            int close = Slices.findNear(b, start, Math.min(to, start + LONGEST), (byte) ']');
            return close > 0 && values.putStampIfOne(b, start, close) ? blanks(b, close + 1, to) : from;
        }
        int best = -1;
        int end = start;
        for (int i = 0; i < MOST_WORDS && end < to && end - start < LONGEST; i++) {
            end = i == 0 ? start : end + 1;
            while (end < to && b[end] != ' ' && b[end] != '\t') {
                end++;
            }
            int past = end > start && (b[end - 1] == ',' || b[end - 1] == ':') ? end - 1 : end;
            if (past - start >= 10 && past - start <= LONGEST && values.stamps().read(b, start, past)) {
                best = past;
            }
        }
        if (best < 0 || !values.putStampIfOne(b, start, best)) {
            return from;
        }
        int past = best < to && (b[best] == ',' || b[best] == ':') ? best + 1 : best;
        return blanks(b, past, to);
    }

    private static int blanks(byte[] b, int from, int to) {
        int at = from;
        while (at < to && (b[at] == ' ' || b[at] == '\t')) {
            at++;
        }
        return at;
    }
}
