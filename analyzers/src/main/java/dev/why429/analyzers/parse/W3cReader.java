package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Token;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads logs in the W3C's extended format, whose {@code #Fields:} line says which columns follow; it may come again and say others. Date and
 * time are of UTC. One instance per thread.
 */
final class W3cReader implements LineReader, Seen, HeaderedReader {
    private static final byte[] FIELDS = HEADER.getBytes(StandardCharsets.US_ASCII);
    private static final int MESSAGE = LineValues.ordinal("message");
    private static final int MOST_COLUMNS = 128;

    private final Format format;
    private final LineValues values = new LineValues(java.time.ZoneOffset.UTC, Escaping.NONE);
    private final int[] from = new int[MOST_COLUMNS];
    private final int[] to = new int[MOST_COLUMNS];
    private final byte[] stamp = new byte[64];
    private Token[] columns = new Token[0];
    private byte[][] names = new byte[0][];
    private int date = -1;
    private int time = -1;

    W3cReader(Format format) {
        this.format = format;
    }

    static List<Field> fields(Format format) {
        dev.why429.rules.Fields dictionary = dev.why429.rules.Fields.dictionary();
        Set<Field> fields = new LinkedHashSet<>();
        List.of("logged_at", "arrived_at", "arrival_uncertainty_micros", "other_fields", "response_headers")
                .forEach(name -> fields.add(dictionary.named(name)));
        format.tokens().forEach(token -> token.field().ifPresent(fields::add));
        return fields.stream().sorted(Comparator.comparingInt(Field::ordinal)).toList();
    }

    @Override
    public Stamps stamps() {
        return values.stamps();
    }

    @Override
    public boolean saw(int field) {
        for (Token token : columns) {
            if (token.field().filter(f -> f.ordinal() == field).isPresent()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void header(byte[] b, int start, int end) {
        String[] said = new String(b, start + FIELDS.length, end - start - FIELDS.length, StandardCharsets.UTF_8)
                .strip()
                .split("\\s+", -1);
        int count = Math.min(said.length, MOST_COLUMNS);
        columns = new Token[count];
        names = new byte[count][];
        date = -1;
        time = -1;
        boolean ours = false;
        for (int i = 0; i < count; i++) {
            String name = said[i].toLowerCase(Locale.ROOT);
            names[i] = name.replaceAll("[\\p{Cntrl}\"\\\\]", "").getBytes(StandardCharsets.UTF_8);
            columns[i] = token(name);
            date = name.equals("date") ? i : date;
            time = name.equals("time") ? i : time;
            ours |= columns[i].bracketed();
        }
        if (!ours) {
            columns = new Token[0]; // another server's columns
        }
    }

    private Token token(String name) {
        return format.tokens().stream()
                .filter(token -> token.token().equals(name))
                .findFirst()
                .orElseGet(() -> PatternInference.token(
                        name, Value.OTHER, java.util.Optional.empty(), java.util.Optional.empty()));
    }

    @Override
    public boolean read(byte[] b, int start, int end, ParsedLine line) {
        values.begin(line, false);
        if (start < end && b[start] == '#') {
            if (Slices.startsWith(b, start, end, FIELDS)) {
                header(b, start, end);
                if (columns.length == 0) {
                    return line.reject("no_match");
                }
            }
            line.setText(MESSAGE, b, start, end);
            NoticeWords.judge(line);
            return values.finishWithoutTime();
        }
        if (columns.length == 0) {
            return line.reject("no_fields_line");
        }
        if (split(b, start, end) != columns.length) {
            return line.reject("other_columns");
        }
        if (!putTime(b, line)) {
            return false;
        }
        for (int i = 0; i < columns.length; i++) {
            Token token = columns[i];
            if (i == date || i == time || Slices.isMissing(b, from[i], to[i])) {
                continue;
            }
            if (token.value() == Value.OTHER) {
                values.putOther(names[i], b, from[i], to[i], true);
            } else if (!values.put(
                    token.value(),
                    token.field().map(Field::ordinal).orElse(-1),
                    token.unit().orElse(Unit.S),
                    b,
                    from[i],
                    to[i])) {
                return false;
            }
        }
        return line.isNumber(LineValues.STATUS) ? values.finish(Field.Table.REQUESTS) : line.reject("no_status");
    }

    private int split(byte[] b, int start, int end) {
        byte gap = Slices.find(b, start, end, (byte) '\t') >= 0 ? (byte) '\t' : (byte) ' ';
        int count = 0;
        int at = start;
        while (at <= end && count < MOST_COLUMNS) {
            int next = Slices.findNear(b, at, end, gap);
            from[count] = at;
            to[count++] = next < 0 ? end : next;
            at = (next < 0 ? end : next) + 1;
        }
        return count;
    }

    private boolean putTime(byte[] b, ParsedLine line) {
        if (date < 0 || time < 0 || to[date] - from[date] + to[time] - from[time] + 2 > stamp.length) {
            return line.reject("no_time");
        }
        int day = to[date] - from[date];
        int clock = to[time] - from[time];
        System.arraycopy(b, from[date], stamp, 0, day);
        stamp[day] = ' ';
        System.arraycopy(b, from[time], stamp, day + 1, clock);
        stamp[day + 1 + clock] = 'Z';
        return values.putStamp(stamp, 0, day + clock + 2, format.stampAtStart());
    }
}
