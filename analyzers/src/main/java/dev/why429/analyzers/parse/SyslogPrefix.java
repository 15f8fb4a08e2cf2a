package dev.why429.analyzers.parse;

/**
 * The head that syslog puts before a line: {@code <134>Nov 30 19:40:02 lb1 haproxy[1423]: } (RFC 3164) or
 * {@code <134>1 2026-11-30T19:40:02.117Z lb1 haproxy 1423 - - } (RFC 5424), with or without the priority.
 */
final class SyslogPrefix {
    private static final int LONGEST = 300;

    private SyslogPrefix() {}

    /** @return where the line itself begins: {@code from} when there is no such head */
    static int skip(byte[] b, int from, int to) {
        int at = from;
        if (at < to && b[at] == '<') {
            int close = Slices.findNear(b, at, Math.min(to, at + 6), (byte) '>');
            if (close < 0) {
                return from;
            }
            at = close + 1;
        }
        boolean priority = at > from;
        if (priority && at + 2 < to && b[at] == '1' && b[at + 1] == ' ') {
            // version, stamp, host, app, process, message id: six blanks, then structured data
            int blanks = 0;
            int i = at;
            while (i < to && blanks < 6) {
                if (b[i++] == ' ') {
                    blanks++;
                }
            }
            if (i + 1 < to && b[i] == '-' && b[i + 1] == ' ') {
                return i + 2;
            }
            return from;
        }
        boolean stamp = at + 16 < to
                && b[at] >= 'A'
                && b[at] <= 'Z'
                && b[at + 3] == ' '
                && b[at + 6] == ' '
                && b[at + 9] == ':'
                && b[at + 12] == ':';
        boolean iso = at + 20 < to && b[at + 4] == '-' && b[at + 7] == '-' && b[at + 10] == 'T' && b[at + 13] == ':';
        if (!stamp && !iso) {
            return from;
        }
        int limit = Math.min(to, at + LONGEST);
        for (int i = at + 16; i + 1 < limit; i++) {
            if (b[i] == ':' && b[i + 1] == ' ' && (b[i - 1] == ']' || Character.isLetterOrDigit(b[i - 1]))) {
                return i + 2;
            }
        }
        return from;
    }
}
