package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import dev.why429.rules.KnownNames;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Set;

/**
 * Reads lines of words and {@code key=value} pairs in any order after a time and a level. A line that says which status was answered is a
 * request, any other a notice. One instance per thread.
 *
 * <pre>
 * 2026-03-02T10:00:00.004Z INFO limiter key=198.51.100.143 count=297 limit=300 allowed=true
 * 2026-03-02 12:46:40,000 INFO ::ffff:10.42.0.1 - GET /health HTTP/1.1 429 - probe/1.29 remaining=0
 * time="2026-03-02T10:00:00Z" level=info msg="GET /orders" status=429
 * </pre>
 */
final class WordsReader implements LineReader, Seen {
    private static final Set<String> LEVELS = Set.of(
            "trace",
            "debug",
            "info",
            "information",
            "notice",
            "warn",
            "warning",
            "error",
            "err",
            "fatal",
            "critical",
            "crit",
            "severe",
            "emerg",
            "alert");
    private static final Set<String> METHODS = Set.of(
            "GET",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "HEAD",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "PROPFIND",
            "QUERY",
            "PURGE");
    private static final int LEVEL = LineValues.ordinal("level");
    private static final int MESSAGE = LineValues.ordinal("message");
    private static final int LOGGED_MESSAGE = LineValues.ordinal("logged_message");
    private static final int USER_AGENT = LineValues.ordinal("user_agent");
    private static final byte[] HTTP = "HTTP/".getBytes(StandardCharsets.US_ASCII);
    private static final int LOOK_FOR_LEVEL_IN = 2;
    private static final int MOST_WORDS = 400;

    private final LineValues values;
    private final LooseFields loose;
    private final boolean[] seen =
            new boolean[dev.why429.rules.Fields.dictionary().all().size()];
    private final int[] wordFrom = new int[MOST_WORDS];
    private final int[] wordTo = new int[MOST_WORDS];
    private int words;

    WordsReader(ZoneId zone, KnownNames names) {
        values = new LineValues(zone, Escaping.BACKSLASH);
        loose = new LooseFields(names, values, true);
    }

    @Override
    public Stamps stamps() {
        return values.stamps();
    }

    @Override
    public boolean saw(int field) {
        return seen[field];
    }

    @Override
    public boolean read(byte[] b, int from, int to, ParsedLine line) {
        values.begin(line, Slices.find(b, from, to, (byte) '\\') >= 0);
        loose.clear();
        words = 0;
        int at = LeadingStamp.read(b, from, to, values);
        int text = split(b, at, to, line);
        loose.putTimeAndStatus(b, line);
        if (!values.stamped() && !line.hasOuterStamp()) {
            return line.reject("no_time");
        }
        request(b, line);
        if (line.isNumber(LineValues.STATUS)) {
            line.remove(LEVEL);
            loose.putAsRequest(b, line);
            if (!line.has(LOGGED_MESSAGE)) {
                values.putText(LOGGED_MESSAGE, b, text, to);
            }
            return values.finish(Field.Table.REQUESTS);
        }
        line.markNotice();
        NoticeWords.fromRequest(line, values);
        loose.putAsNotice(b, line);
        if (!line.has(MESSAGE) && text < to) {
            values.putText(MESSAGE, b, text, to);
        }
        NoticeWords.judge(line);
        return values.finish(Field.Table.NOTICES);
    }

    /**
     * Takes the rest of the line into words and pairs.
     *
     * @return where the text after the level begins
     */
    private int split(byte[] b, int from, int to, ParsedLine line) {
        int at = blanks(b, from, to);
        int text = at;
        int seenWords = 0;
        while (at < to && words < MOST_WORDS) {
            int equals = keyEnd(b, at, to);
            if (equals > 0) {
                at = pair(b, at, equals, to);
            } else {
                int end = wordEnd(b, at, to);
                if (seenWords++ < LOOK_FOR_LEVEL_IN && !line.has(LEVEL) && isLevel(b, at, end)) {
                    int start = b[at] == '[' ? at + 1 : at;
                    int past = b[end - 1] == ']' || b[end - 1] == ':' ? end - 1 : end;
                    line.setText(LEVEL, b, start, past);
                    text = seenWords == 1 ? blanks(b, end, to) : text;
                } else {
                    wordFrom[words] = at;
                    wordTo[words++] = end;
                }
                at = end;
            }
            at = blanks(b, at, to);
        }
        return text;
    }

    private static int blanks(byte[] b, int from, int to) {
        int at = from;
        while (at < to && (b[at] == ' ' || b[at] == '\t')) {
            at++;
        }
        return at;
    }

    private static int wordEnd(byte[] b, int from, int to) {
        if (b[from] == '"') {
            int close = quoteEnd(b, from + 1, to, (byte) '"');
            if (close > 0) {
                return close + 1;
            }
        }
        int at = from;
        while (at < to && b[at] != ' ' && b[at] != '\t') {
            at++;
        }
        return at;
    }

    /** @return where the equals sign is, −1 when no pair begins here */
    private static int keyEnd(byte[] b, int from, int to) {
        int at = from;
        while (at < to
                && (isLetter(b[at])
                        || Slices.isDigit(b[at])
                        || b[at] == '_'
                        || b[at] == '-'
                        || b[at] == '.'
                        || b[at] == '@')) {
            at++;
        }
        return at > from && at < to && b[at] == '=' && (isLetter(b[from]) || b[from] == '_' || b[from] == '@')
                ? at
                : -1;
    }

    private static boolean isLetter(byte c) {
        byte lower = Slices.lower(c);
        return lower >= 'a' && lower <= 'z';
    }

    private int pair(byte[] b, int from, int equals, int to) {
        int start = equals + 1;
        int end;
        int past;
        byte quote = start < to ? b[start] : 0;
        int close = quote == '"' || quote == '\'' ? quoteEnd(b, start + 1, to, quote) : -1;
        if (close > 0) {
            start++;
            end = close;
            past = close + 1;
        } else {
            end = start;
            while (end < to && b[end] != ' ' && b[end] != '\t') {
                end++;
            }
            past = end;
            while (end > start && (b[end - 1] == ',' || b[end - 1] == ';')) {
                end--;
            }
        }
        boolean nested = end > start && (b[start] == '{' || b[start] == '[');
        loose.add(b, from, equals, start, end, nested);
        return past;
    }

    private static int quoteEnd(byte[] b, int from, int to, byte quote) {
        for (int i = from; i < to; i++) {
            if (b[i] == '\\') {
                i++;
            } else if (b[i] == quote) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isLevel(byte[] b, int from, int to) {
        int start = b[from] == '[' ? from + 1 : from;
        int end = to;
        while (end > start && (b[end - 1] == ']' || b[end - 1] == ':')) {
            end--;
        }
        return end - start >= 3
                && end - start <= 11
                && LEVELS.contains(
                        new String(b, start, end - start, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT));
    }

    /** {@code 203.0.113.7 - GET /orders HTTP/1.1 429} among the words. */
    private void request(byte[] b, ParsedLine line) {
        for (int i = 0; i < words; i++) {
            int from = wordFrom[i];
            int to = wordTo[i];
            if (to - from > 2 && b[from] == '"' && b[to - 1] == '"' && quotedRequest(b, from + 1, to - 1)) {
                values.putRequestLine(b, from + 1, to - 1);
                after(b, i + 1, i, line);
                return;
            }
            if (i + 1 < words && isMethod(b, from, to) && isTarget(b, wordFrom[i + 1], wordTo[i + 1])) {
                values.putText(LineValues.METHOD, b, from, to);
                values.put(Value.PATH, LineValues.PATH, Unit.S, b, wordFrom[i + 1], wordTo[i + 1]);
                after(b, i + 2, i, line);
                return;
            }
        }
    }

    private static boolean quotedRequest(byte[] b, int from, int to) {
        int blank = Slices.findNear(b, from, Math.min(to, from + 12), (byte) ' ');
        return blank > 0 && isMethod(b, from, blank);
    }

    private static boolean isMethod(byte[] b, int from, int to) {
        return to - from >= 3
                && to - from <= 8
                && METHODS.contains(new String(b, from, to - from, StandardCharsets.ISO_8859_1));
    }

    private static boolean isTarget(byte[] b, int from, int to) {
        return b[from] == '/' || (to - from > 8 && b[from] == 'h' && b[from + 1] == 't');
    }

    /** What stands around a request: the client before it, protocol, status, agent and duration after it. */
    private void after(byte[] b, int start, int method, ParsedLine line) {
        for (int i = 0; i < method; i++) {
            if (!line.has(LineValues.CLIENT_IP) && Slices.isAddress(b, wordFrom[i], wordTo[i])) {
                values.put(Value.ADDRESS, LineValues.CLIENT_IP, Unit.S, b, wordFrom[i], wordTo[i]);
            }
        }
        for (int i = start; i < words; i++) {
            int from = wordFrom[i];
            int to = wordTo[i];
            if (Slices.startsWith(b, from, to, HTTP)) {
                values.putText(LineValues.PROTOCOL, b, from, to);
            } else if (!line.has(LineValues.STATUS) && i < start + 4 && isStatus(b, from, to)) {
                line.setNumber(LineValues.STATUS, Decimal.whole(b, from, from + 3));
            } else if (line.has(LineValues.STATUS)) {
                tail(b, from, to, line);
            }
        }
    }

    private void tail(byte[] b, int from, int to, ParsedLine line) {
        boolean unit = to - from > 1 && Slices.isDigit(b[from]) && b[to - 1] == 's';
        if (unit && !line.has(LineValues.DURATION)) {
            Decimal.duration(b, from, to).ifPresent(micros -> line.setNumber(LineValues.DURATION, micros));
        } else if (!line.has(USER_AGENT) && isAgent(b, from, to)) {
            boolean quoted = b[from] == '"' && b[to - 1] == '"';
            values.putText(USER_AGENT, b, quoted ? from + 1 : from, quoted ? to - 1 : to);
        }
    }

    // kube-probe/1.29
    private static boolean isAgent(byte[] b, int from, int to) {
        int start = b[from] == '"' ? from + 1 : from;
        int slash = Slices.findNear(b, start, to, (byte) '/');
        return slash > start + 1 && slash + 1 < to && isLetter(b[start]) && Slices.isDigit(b[slash + 1]);
    }

    private static boolean isStatus(byte[] b, int from, int to) {
        int end = to > from && (b[to - 1] == ',' || b[to - 1] == ';') ? to - 1 : to;
        return end - from == 3
                && b[from] >= '1'
                && b[from] <= '5'
                && Slices.isDigit(b[from + 1])
                && Slices.isDigit(b[from + 2]);
    }
}
