package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Format.Escaping;
import java.time.ZoneId;

/** Keeps a line of free text as a notice, with the time that it begins with, if any. One instance per thread. */
final class NoteReader implements LineReader, Seen {
    private static final int MESSAGE = LineValues.ordinal("message");
    private static final int COUNTED = LineValues.ordinal("counted");

    private final LineValues values;

    NoteReader(ZoneId zone) {
        values = new LineValues(zone, Escaping.NONE);
    }

    @Override
    public Stamps stamps() {
        return values.stamps();
    }

    @Override
    public boolean saw(int field) {
        return field == MESSAGE;
    }

    @Override
    public boolean read(byte[] b, int from, int to, ParsedLine line) {
        for (int i = from; i < to; i++) {
            if (b[i] >= 0 && b[i] < 0x20 && b[i] != '\t') {
                return line.reject("not_text");
            }
        }
        values.begin(line, false);
        int at = LeadingStamp.read(b, from, to, values);
        line.setText(MESSAGE, b, at < to ? at : from, to);
        statistic(b, at, to, line);
        NoticeWords.judge(line);
        return (values.stamped() || line.hasOuterStamp())
                ? values.finish(Field.Table.NOTICES)
                : values.finishWithoutTime();
    }

    // cluster.app.ratelimit.error: 6
    private static void statistic(byte[] b, int from, int to, ParsedLine line) {
        int colon = Slices.findNear(b, from, to, (byte) ':');
        boolean name = colon > from
                && Slices.findNear(b, from, colon, (byte) '.') > from
                && Slices.findNear(b, from, colon, (byte) ' ') < 0;
        int start = colon + 1;
        while (start < to && b[start] == ' ') {
            start++;
        }
        long value = name ? Decimal.whole(b, start, to) : -1;
        if (value >= 0) {
            line.setNumber(COUNTED, value);
            LooseFields.kind(line, "statistic");
        }
    }
}
