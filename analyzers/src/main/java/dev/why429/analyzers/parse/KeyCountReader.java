package dev.why429.analyzers.parse;

import dev.why429.rules.Format.Escaping;
import java.time.ZoneId;

/** Reads a dump of counters, a key and its count a line: {@code rl:203.0.113.7 3}. One instance per thread. */
final class KeyCountReader implements LineReader, Seen {
    private static final int LIMITER_KEY = LineValues.ordinal("limiter_key");
    private static final int COUNTED = LineValues.ordinal("counted");
    private static final int MESSAGE = LineValues.ordinal("message");
    private static final int ZONE = LineValues.ordinal("zone");

    private final LineValues values;

    KeyCountReader(ZoneId zone) {
        values = new LineValues(zone, Escaping.NONE);
    }

    @Override
    public Stamps stamps() {
        return values.stamps();
    }

    @Override
    public boolean saw(int field) {
        return field == LIMITER_KEY || field == COUNTED;
    }

    @Override
    public boolean read(byte[] b, int from, int to, ParsedLine line) {
        values.begin(line, false);
        int end = to;
        while (end > from && (b[end - 1] == ' ' || b[end - 1] == ')')) {
            end--;
        }
        int blank = end;
        while (blank > from && Slices.isDigit(b[blank - 1])) {
            blank--;
        }
        int keyEnd = blank;
        while (keyEnd > from
                && (b[keyEnd - 1] == ' ' || b[keyEnd - 1] == '\t' || b[keyEnd - 1] == ',' || b[keyEnd - 1] == '=')) {
            keyEnd--;
        }
        int start = from;
        if (keyEnd - start > 2 && b[start] == '"' && b[keyEnd - 1] == '"') {
            start++;
            keyEnd--;
        }
        long count = Decimal.whole(b, blank, end);
        if (count < 0 || keyEnd <= start || keyEnd == blank || !isKey(b, start, keyEnd)) {
            return line.reject("no_match");
        }
        int prefix = prefixEnd(b, start, keyEnd);
        if (prefix > start) {
            line.setText(ZONE, b, start, prefix - 1);
        }
        line.setText(LIMITER_KEY, b, prefix, keyEnd);
        line.setNumber(COUNTED, count);
        line.setText(MESSAGE, b, from, to);
        LooseFields.kind(line, "key_count");
        return values.finishWithoutTime();
    }

    /** A key has a separator in it or is an address, and is no sentence. */
    private static boolean isKey(byte[] b, int from, int to) {
        boolean separated = false;
        boolean blank = false;
        boolean comma = false;
        for (int i = from; i < to; i++) {
            separated |= (b[i] == ':' || b[i] == '.' || b[i] == '_' || b[i] == '|' || b[i] == '/') && i + 1 < to;
            blank |= b[i] == ' ' && i > from && b[i - 1] != ',';
            comma |= b[i] == ',';
        }
        return separated && (!blank || comma) && !(b[to - 1] == ':');
    }

    /** The words before an address: {@code rl:} of {@code rl:203.0.113.7, 198.51.100.20}; of other keys, what stands before the first colon. */
    private static int prefixEnd(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            int list = Slices.findNear(b, i, to, (byte) ',');
            if ((i == from || b[i - 1] == ':' || b[i - 1] == '/' || b[i - 1] == '|' || b[i - 1] == '_')
                    && Slices.isAddress(b, i, list < 0 ? to : list)) {
                return i;
            }
        }
        int colon = Slices.findNear(b, from, to, (byte) ':');
        return colon > from && colon + 1 < to ? colon + 1 : from;
    }
}
