package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.TextTemplate.Ending;
import dev.why429.analyzers.parse.TextTemplate.Step;
import dev.why429.rules.Field;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import java.time.ZoneId;
import java.util.List;

/** Reads lines by a compiled format string. Values are slices of the line unless they hold an escape. One instance per thread. */
final class TextReader implements LineReader, Seen {
    private static final int CLF_STAMP_LENGTH = 26;
    private static final int MOST_BLANKS_IN_A_STAMP = 5;
    private static final byte[] ANOTHER_QUOTED = {'"', ' ', '"'};
    private static final byte[] PROTOCOL = {' ', 'H', 'T', 'T', 'P', '/'};

    private final LineValues values;
    private final Escaping escaping;
    private final byte escapeSign;
    private final boolean syslogPrefix;
    private final Field.Table table;
    private final byte[] start;
    private final Step[] steps;
    private final byte[][] after;
    private final byte[][] headers;
    private final Unit[] units;
    private int lineStart;

    TextReader(TextTemplate template, ZoneId zone) {
        values = new LineValues(zone, template.escaping());
        escaping = template.escaping();
        escapeSign = Escapes.sign(escaping);
        syslogPrefix = template.syslogPrefix();
        table = template.table();
        start = TextTemplate.bytes(template.start());
        List<Step> all = template.steps();
        steps = all.toArray(Step[]::new);
        after = new byte[steps.length][];
        headers = new byte[steps.length][];
        units = new Unit[steps.length];
        for (int i = 0; i < steps.length; i++) {
            after[i] = TextTemplate.bytes(steps[i].after());
            headers[i] = TextTemplate.bytes(steps[i].header());
            units[i] = steps[i].unit().orElse(Unit.S);
        }
    }

    @Override
    public Stamps stamps() {
        return values.stamps();
    }

    @Override
    public boolean saw(int field) {
        for (Step step : steps) {
            if (step.field() == field) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean read(byte[] bytes, int from, int to, ParsedLine line) {
        int at = syslogPrefix ? SyslogPrefix.skip(bytes, from, to) : from;
        lineStart = from;
        boolean escaped = escaping != Escaping.NONE && Slices.find(bytes, at, to, escapeSign) >= 0;
        values.begin(line, escaped);
        if (!Slices.startsWith(bytes, at, to, start)) {
            return line.reject("no_match");
        }
        at += start.length;
        for (int i = 0; i < steps.length; i++) {
            Step step = steps[i];
            if (step.ending() == Ending.CAPTURES) {
                at = afterCaptures(bytes, at, to);
                if (at < 0 || !Slices.startsWith(bytes, at, to, after[i])) {
                    return line.reject("no_match");
                }
                at += after[i].length;
                continue;
            }
            int end = end(i, bytes, at, to, escaped);
            boolean cut = end < 0 && step.mayBeCut();
            if (cut) {
                end = to;
            }
            if (end < 0) {
                return line.reject("no_match");
            }
            if (!store(i, bytes, at, end)) {
                return line.rejectReason().isEmpty() ? line.reject("no_match") : false;
            }
            at = cut ? to : end + after[i].length;
        }
        return trimmed(bytes, at, to) == at ? values.finish(table) : line.reject("no_match");
    }

    private boolean store(int i, byte[] bytes, int from, int end) {
        Step step = steps[i];
        if (step.ending() == Ending.LINE && !step.blanks() && Slices.findNear(bytes, from, end, (byte) ' ') >= 0) {
            return false; // more columns than the pattern has
        }
        switch (step.value()) {
            case STAMP -> {
                return values.putStamp(bytes, from, end, step.atStart());
            }
            case REQUEST_HEADER -> {
                if (step.header().equals("traceparent")) {
                    values.putTraceParent(bytes, from, end);
                } else {
                    values.putRequestHeader(headers[i], bytes, from, end);
                }
                return true;
            }
            case RESPONSE_HEADER -> {
                values.putResponseHeader(headers[i], bytes, from, end);
                return true;
            }
            case OTHER -> {
                values.putOther(headers[i], bytes, from, end, false);
                return true;
            }
            case HTTP_VERSION -> {
                boolean whole = from >= lineStart + 5 && end > from && bytes[from - 1] == '/' && bytes[from - 2] == 'P';
                return values.put(step.value(), step.field(), units[i], bytes, whole ? from - 5 : from, end);
            }
            case ADDRESS -> {
                int colon = step.port() ? Slices.findLast(bytes, from, end, (byte) ':') : end;
                return colon >= from && values.put(Value.ADDRESS, step.field(), units[i], bytes, from, colon);
            }
            default -> {
                return (step.field() < 0 && step.value() == Value.TEXT)
                        || values.put(step.value(), step.field(), units[i], bytes, from, end);
            }
        }
    }

    private int end(int i, byte[] bytes, int at, int to, boolean escaped) {
        byte[] literal = after[i];
        return switch (steps[i].ending()) {
            case LITERAL ->
                literal.length == 0
                        ? Slices.findNear(bytes, at, to, (byte) ' ')
                        : literal.length == 1
                                ? Slices.findNear(bytes, at, to, literal[0])
                                : Slices.find(bytes, at, to, literal);
            case QUOTE -> quote(i, bytes, at, to, escaped);
            case LIST -> list(bytes, at, to, literal);
            case STAMP -> stamp(bytes, at, to, literal);
            case REQUEST -> request(bytes, at, to, literal);
            case SLASH -> slash(bytes, at, to);
            case CAPTURES -> -1;
            case LINE -> trimmed(bytes, at, to);
        };
    }

    private int quote(int i, byte[] bytes, int at, int to, boolean escaped) {
        byte[] literal = after[i];
        if (escaping == Escaping.NONE) {
            if (literal.length == 1 && i == steps.length - 1) {
                int end = trimmed(bytes, at, to) - 1;
                boolean one = end >= at && bytes[end] == '"' && !anotherFollows(bytes, at, end);
                return one ? end : -1;
            }
            return Slices.find(bytes, at, to, literal);
        }
        int end = Slices.find(bytes, at, to, (byte) '"');
        if (escaped && escaping == Escaping.BACKSLASH) {
            end = at;
            while (end < to && bytes[end] != '"') {
                end += bytes[end] == '\\' ? 2 : 1;
            }
            if (end >= to) {
                return -1;
            }
        }
        return end >= 0 && Slices.startsWith(bytes, end, to, literal) ? end : -1;
    }

    /** Whether a value that escapes nothing ends within, for another follows: {@code " "} or {@code " id: "}. */
    private static boolean anotherFollows(byte[] bytes, int at, int end) {
        int quote = Slices.find(bytes, at, end, (byte) '"');
        if (quote < 0) {
            return false;
        }
        if (Slices.find(bytes, quote, end, ANOTHER_QUOTED) >= 0) {
            return true;
        }
        int open = Slices.findLast(bytes, quote + 1, end, (byte) '"');
        return open > quote + 2
                && bytes[quote + 1] == ' '
                && (bytes[open - 1] == '=' || (bytes[open - 1] == ' ' && bytes[open - 2] == ':'));
    }

    // 502, 200 and a : b
    private static int list(byte[] bytes, int from, int to, byte[] literal) {
        int at = from;
        while (at < to) {
            if (bytes[at] == ' ') {
                if (at > from && bytes[at - 1] == ',') {
                    at++;
                    continue;
                }
                if (at + 2 < to && bytes[at + 1] == ':' && bytes[at + 2] == ' ') {
                    at += 3;
                    continue;
                }
                return Slices.startsWith(bytes, at, to, literal) ? at : -1;
            }
            at++;
        }
        return -1;
    }

    private int stamp(byte[] bytes, int at, int to, byte[] literal) {
        if (Slices.startsWith(bytes, at + CLF_STAMP_LENGTH, to, literal) && bytes[at + 2] == '/') {
            return at + CLF_STAMP_LENGTH;
        }
        int end = at;
        for (int i = 0; i < MOST_BLANKS_IN_A_STAMP; i++) {
            end = Slices.find(bytes, end, to, literal);
            if (end < 0 || literal[0] != ' ' || values.stamps().read(bytes, at, end)) {
                // 2026-11-30 20:03:11 +0000: the zone may be one blank further
                int further = end < 0 || literal[0] != ' ' ? -1 : Slices.find(bytes, end + 1, to, literal);
                boolean zone = further - end == 6 && (bytes[end + 1] == '+' || bytes[end + 1] == '-');
                return zone && values.stamps().read(bytes, at, further) ? further : end;
            }
            end++;
        }
        return -1;
    }

    private static int request(byte[] bytes, int at, int to, byte[] literal) {
        int protocol = Slices.find(bytes, at, to, PROTOCOL);
        return protocol < 0 ? Slices.find(bytes, at, to, literal) : Slices.find(bytes, protocol + 1, to, literal);
    }

    private static int slash(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '/' || bytes[at] == '*' || bytes[at] == '?') {
                return at;
            }
            if (bytes[at] == ' ' || bytes[at] == '"') {
                return -1;
            }
        }
        return -1;
    }

    private static int afterCaptures(byte[] bytes, int at, int to) {
        if (at + 1 >= to || bytes[at] != ' ' || bytes[at + 1] != '{') {
            return at;
        }
        int close = Slices.findNear(bytes, at, to, (byte) '}');
        return close < 0 ? -1 : close + 1;
    }

    private static int trimmed(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && (bytes[end - 1] == ' ' || bytes[end - 1] == '\r' || bytes[end - 1] == '\t')) {
            end--;
        }
        return end;
    }
}
