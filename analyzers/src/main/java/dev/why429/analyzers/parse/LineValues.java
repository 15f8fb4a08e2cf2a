package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Puts the values of one line into its fields, each by its kind, and works out when the request arrived. One instance per thread. Where a line
 * has a field twice, the first one stays; of several stamps the finest counts.
 */
final class LineValues {
    static final int LOGGED_AT = ordinal("logged_at");
    static final int ARRIVED_AT = ordinal("arrived_at");
    static final int UNCERTAINTY = ordinal("arrival_uncertainty_micros");
    static final int DURATION = ordinal("duration_micros");
    static final int METHOD = ordinal("method");
    static final int PATH = ordinal("path");
    static final int HOST = ordinal("host");
    static final int PROTOCOL = ordinal("protocol");
    static final int STATUS = ordinal("status");
    static final int CLIENT_IP = ordinal("client_ip");
    private static final int USER = ordinal("user");
    private static final int REQUEST_HEADERS = ordinal("request_headers");
    private static final int RESPONSE_HEADERS = ordinal("response_headers");
    private static final int OTHER_FIELDS = ordinal("other_fields");
    private static final int REQUEST_ID = ordinal("request_id");
    private static final byte[] REDACTED = "redacted".getBytes(StandardCharsets.US_ASCII);
    private static final boolean[] IDENTITY = identityFields();
    private static final byte[] NO_SERVER = "<NOSRV>".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HTTP = "http://".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HTTPS = "https://".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PROTOCOL_START = "HTTP/".getBytes(StandardCharsets.US_ASCII);

    private static final int LONGEST_OTHER_BYTES = 2_000;

    private final Stamps stamps;
    private final Escaping escaping;
    private final Decimal decimal = new Decimal();
    private final LoggedHeaders requestHeaders = new LoggedHeaders(REQUEST_HEADERS);
    private final LoggedHeaders responseHeaders = new LoggedHeaders(RESPONSE_HEADERS);
    private final LoggedHeaders otherFields = new LoggedHeaders(OTHER_FIELDS);
    private ParsedLine line;
    private boolean escaped;
    private boolean stamped;
    private long stampMicros;
    private long stampResolution;
    private boolean stampAtStart;

    LineValues(ZoneId zone, Escaping escaping) {
        this.stamps = new Stamps(zone);
        this.escaping = escaping;
    }

    private static boolean[] identityFields() {
        boolean[] identity = new boolean[Fields.dictionary().all().size()];
        Fields.dictionary()
                .all()
                .forEach(field -> identity[field.ordinal()] = field.redaction() == Field.Redaction.IDENTITY);
        return identity;
    }

    static int ordinal(String field) {
        return Fields.dictionary().named(field).ordinal();
    }

    /** @param mayEscape whether the line holds an escape at all */
    void begin(ParsedLine next, boolean mayEscape) {
        line = next;
        escaped = mayEscape;
        stamped = false;
        requestHeaders.clear();
        responseHeaders.clear();
        otherFields.clear();
    }

    /** @return false when the value cannot be what it should be: the line is rejected */
    boolean put(Value kind, int field, Unit unit, byte[] b, int from, int to) {
        if (kind == Value.PORT) {
            return isWhole(b, from, to) || line.reject("no_match");
        }
        boolean ownFields = kind == Value.REQUEST_LINE || kind == Value.PATH;
        if (Slices.isMissing(b, from, to) || (field < 0 && !ownFields)) {
            return true;
        }
        switch (kind) {
            case ADDRESS -> {
                if (Slices.findNear(b, from, to, (byte) ' ') >= 0) {
                    return line.reject("no_match"); // api.example.com:443 203.0.113.24: a column too many before it
                }
                putAddress(field, b, from, to);
            }
            case STATUS -> {
                return putStatus(field, b, from, to);
            }
            case INTEGER, MILLI -> {
                return putNumber(kind, field, b, from, to);
            }
            case DURATION, DURATION_LIST -> {
                return putDuration(kind, field, unit, b, from, to);
            }
            case REQUEST_LINE -> putRequestLine(b, from, to);
            case PATH -> putPath(b, from, to, true);
            case RELATIVE_PATH -> putRelativePath(field, b, from, to);
            case DECISION -> Decision.put(line, b, from, to);
            case SERVER -> putServer(field, b, from, to);
            case TEXT -> {
                if (field == USER && to - from > 2 && b[from] == '-' && b[from + 1] == ' ') {
                    return line.reject("no_match"); // "- bob": the dash is a column of its own
                }
                putText(field, b, from, to);
            }
            case LIST -> {
                if (hasSomething(b, from, to)) {
                    putText(field, b, from, to);
                }
            }
            default -> putText(field, b, from, to);
        }
        return true;
    }

    boolean putStamp(byte[] b, int from, int to, boolean atStart) {
        return putStamp(b, from, to, atStart, 0);
    }

    /** @param resolutionMicros 0: as the stamp's digits say */
    boolean putStamp(byte[] b, int from, int to, boolean atStart, long resolutionMicros) {
        if (!stamps.read(b, from, to)) {
            return line.reject("bad_time");
        }
        long fine = resolutionMicros > 0 ? resolutionMicros : stamps.resolutionMicros();
        if (stamped && stampAtStart != atStart && fine < 1_000_000L && stampResolution < 1_000_000L) {
            // start and end of one request
            long duration = atStart ? stampMicros - stamps.micros() : stamps.micros() - stampMicros;
            if (duration >= 0 && !line.has(DURATION)) {
                line.setNumber(DURATION, duration);
            }
            if (stampAtStart) {
                return true;
            }
            stamped = false;
        }
        if (!stamped || fine < stampResolution) {
            stamped = true;
            stampMicros = stamps.micros();
            stampResolution = fine;
            stampAtStart = atStart;
        }
        return true;
    }

    /** As {@link #putStamp}, but what is no stamp is nothing bad. */
    boolean putStampIfOne(byte[] b, int from, int to) {
        return to - from >= 9 && stamps.read(b, from, to) && putStamp(b, from, to, false);
    }

    /** Puts a text that may be JSON and then stays as it is. */
    boolean putRaw(int field, byte[] b, int from, int to, boolean nested) {
        if (line.has(field)) {
            return false;
        }
        if (nested) {
            line.setText(field, b, from, to);
        } else {
            putText(field, b, from, to);
        }
        return line.has(field);
    }

    Stamps stamps() {
        return stamps;
    }

    void putRequestHeader(byte[] name, byte[] b, int from, int to) {
        if (!Slices.isMissing(b, from, to)) {
            requestHeaders.add(name, b, from, to, escaped ? escaping : Escaping.NONE);
        }
    }

    void putResponseHeader(byte[] name, byte[] b, int from, int to) {
        if (!Slices.isMissing(b, from, to)) {
            responseHeaders.add(name, b, from, to, escaped ? escaping : Escaping.NONE);
        }
    }

    /** Keeps what no column has; {@code nested} is JSON text that stays as it is. */
    void putOther(byte[] name, byte[] b, int from, int to, boolean nested) {
        if (!Slices.isMissing(b, from, to)) {
            otherFields.add(
                    name,
                    b,
                    from,
                    Math.min(to, from + LONGEST_OTHER_BYTES),
                    escaped && !nested ? escaping : Escaping.NONE);
        }
    }

    /** Of {@code 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01} the trace id, which other layers share. */
    void putTraceParent(byte[] b, int from, int to) {
        if (to - from >= 36 && b[from + 2] == '-' && b[from + 35] == '-') {
            putText(REQUEST_ID, b, from + 3, from + 35);
        }
    }

    /** Writes what a notice has that bears no time. */
    boolean finishWithoutTime() {
        otherFields.write(line);
        line.markNotice();
        return true;
    }

    /** The carrier wrote its time when it got the line: at the end. */
    private boolean takeOuterStamp() {
        if (!line.hasOuterStamp()) {
            return false;
        }
        stamped = true;
        stampMicros = line.outerMicros();
        stampResolution = line.outerResolutionMicros();
        stampAtStart = false;
        return true;
    }

    boolean stamped() {
        return stamped;
    }

    /** Writes what follows from the whole line. */
    boolean finish(Field.Table table) {
        if (!stamped() && !takeOuterStamp()) {
            return line.reject("no_time");
        }
        line.setNumber(LOGGED_AT, stampMicros);
        otherFields.write(line);
        if (table == Field.Table.NOTICES) {
            line.remove(PROTOCOL);
            return true;
        }
        if (stampAtStart) {
            line.setNumber(ARRIVED_AT, stampMicros);
            line.setNumber(UNCERTAINTY, stampResolution);
        } else if (line.isNumber(DURATION)) {
            line.setNumber(ARRIVED_AT, stampMicros - line.number(DURATION));
            line.setNumber(UNCERTAINTY, stampResolution);
        } else {
            line.setNumber(ARRIVED_AT, stampMicros);
        }
        requestHeaders.write(line);
        responseHeaders.write(line);
        return true;
    }

    void putText(int field, byte[] b, int from, int to) {
        if (line.has(field) || (IDENTITY[field] && isBlackedOut(b, from, to))) {
            return;
        }
        if (escaped) {
            Escapes.putText(line, field, b, from, to, escaping);
        } else {
            line.setText(field, b, from, to);
        }
    }

    /** {@code REDACTED}, {@code [Redacted]}, {@code ****}: who it was cannot be told, and not everybody is the same client. */
    private static boolean isBlackedOut(byte[] b, int from, int to) {
        int start = b[from] == '[' || b[from] == '<' ? from + 1 : from;
        if (Slices.startsWithIgnoringCase(b, start, to, REDACTED) && to - start <= REDACTED.length + 1) {
            return true;
        }
        for (int i = from; i < to; i++) {
            if (b[i] != '*') {
                return false;
            }
        }
        return true;
    }

    /** Port and brackets go, and the IPv6 form of an IPv4 address. */
    private void putAddress(int field, byte[] b, int from, int to) {
        int start = from;
        int end = to;
        if (b[start] == '[') {
            int close = Slices.findNear(b, start, end, (byte) ']');
            if (close > 0) {
                start++;
                end = close;
            }
        } else {
            int colon = Slices.findLast(b, start, end, (byte) ':');
            if (colon >= 0 && Slices.findNear(b, start, colon, (byte) ':') < 0) {
                end = colon;
            } else if (colon >= 0 && Slices.findNear(b, start, colon, (byte) '.') >= 0) {
                end = colon; // ::ffff:192.0.2.1:51884
            }
        }
        if (end - start > 7
                && b[start] == ':'
                && b[start + 1] == ':'
                && Slices.lower(b[start + 2]) == 'f'
                && b[start + 6] == ':'
                && Slices.findNear(b, start, end, (byte) '.') > 0) {
            start += 7;
        }
        boolean socket = end - start == 4 && b[start] == 'u' && b[start + 1] == 'n' && b[start + 2] == 'i';
        if (start < end && !socket) {
            putText(field, b, start, end);
        }
    }

    private static boolean isWhole(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Slices.isDigit(b[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean putStatus(int field, byte[] b, int from, int to) {
        if (b[from] == '-') {
            return true; // HAProxy writes -1 when no status was sent
        }
        if (to - from != 3
                || !Slices.isDigit(b[from])
                || !Slices.isDigit(b[from + 1])
                || !Slices.isDigit(b[from + 2])) {
            return line.reject("bad_status");
        }
        int status = (b[from] - '0') * 100 + (b[from + 1] - '0') * 10 + b[from + 2] - '0';
        if (status > 0 && !line.has(field)) {
            line.setNumber(field, status);
        }
        return true;
    }

    private boolean putNumber(Value kind, int field, byte[] b, int from, int to) {
        int start = b[from] == '+' ? from + 1 : from;
        if (!decimal.read(b, start, to)) {
            return line.reject("bad_number");
        }
        if (decimal.negative() || line.has(field)) {
            return true;
        }
        line.setNumber(field, kind == Value.MILLI ? decimal.times(1_000) : decimal.times(1));
        return true;
    }

    private boolean putDuration(Value kind, int field, Unit unit, byte[] b, int from, int to) {
        if (kind == Value.DURATION) {
            int start = b[from] == '+' ? from + 1 : from;
            if (!decimal.read(b, start, to)) {
                // 0.002s
                Optional<Long> micros = Slices.isDigit(b[to - 1]) ? Optional.empty() : Decimal.duration(b, start, to);
                if (micros.isEmpty()) {
                    return line.reject("bad_number");
                }
                if (!line.has(field)) {
                    line.setNumber(field, micros.get());
                }
                return true;
            }
            if (!decimal.negative() && !line.has(field)) {
                line.setNumber(field, decimal.micros(unit));
            }
            return true;
        }
        long sum = 0;
        boolean any = false;
        int at = from;
        while (at < to) {
            int start = at;
            while (at < to && b[at] != ',' && b[at] != ' ' && b[at] != ':') {
                at++;
            }
            if (!Slices.isMissing(b, start, at)) {
                if (!decimal.read(b, start, at)) {
                    return line.reject("bad_number");
                }
                sum += decimal.micros(unit);
                any = true;
            }
            at++;
        }
        if (any) {
            line.setNumber(field, sum);
        }
        return true;
    }

    private static boolean hasSomething(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] != '-' && b[i] != ',' && b[i] != ' ' && b[i] != ':') {
                return true;
            }
        }
        return false;
    }

    private void putServer(int field, byte[] b, int from, int to) {
        int slash = Slices.findLast(b, from, to, (byte) '/');
        if (!Slices.startsWith(b, slash + 1 > from ? slash + 1 : from, to, NO_SERVER)) {
            putText(field, b, from, to);
        }
    }

    /** {@code GET /v1/orders HTTP/1.1}; what does not begin with a method and a target is nobody's request and stays in the line. */
    void putRequestLine(byte[] b, int from, int to) {
        int blank = Slices.findNear(b, from, to, (byte) ' ');
        if (blank <= from || !isMethod(b, from, blank)) {
            return;
        }
        int end = to;
        int last = Slices.findLast(b, blank + 1, to, (byte) ' ');
        if (last > blank && Slices.startsWith(b, last + 1, to, PROTOCOL_START)) {
            putText(PROTOCOL, b, last + 1, to);
            end = last;
        } else if (Slices.startsWith(b, blank + 1, to, PROTOCOL_START)) {
            putText(PROTOCOL, b, blank + 1, to);
            end = blank;
        }
        putText(METHOD, b, from, blank);
        if (blank + 1 < end) {
            putPath(b, blank + 1, end, true);
        }
    }

    private static boolean isMethod(byte[] b, int from, int to) {
        if (to - from > 24 || b[from] == '-') {
            return false;
        }
        for (int i = from; i < to; i++) {
            byte c = Slices.lower(b[i]);
            if ((c < 'a' || c > 'z') && c != '-' && c != '_') {
                return false;
            }
        }
        return true;
    }

    private void putPath(byte[] b, int from, int to, boolean hostToo) {
        int scheme = Slices.startsWithIgnoringCase(b, from, to, HTTP)
                ? HTTP.length
                : Slices.startsWithIgnoringCase(b, from, to, HTTPS) ? HTTPS.length : 0;
        if (scheme == 0) {
            putText(PATH, b, from, to);
            return;
        }
        int start = from + scheme;
        int end = start;
        while (end < to && b[end] != '/' && b[end] != '?' && b[end] != '#') {
            end++;
        }
        int at = Slices.findLast(b, start, end, (byte) '@');
        if (hostToo && end > at + 1) {
            putText(HOST, b, Math.max(start, at + 1), withoutUsualPort(b, start, end, scheme == HTTPS.length));
        }
        if (end == to) {
            line.setText(PATH, ROOT, 0, 1);
        } else {
            putText(PATH, b, end, to);
        }
    }

    private static int withoutUsualPort(byte[] b, int from, int end, boolean secure) {
        if (secure) {
            return end - from > 4 && b[end - 4] == ':' && b[end - 3] == '4' && b[end - 2] == '4' && b[end - 1] == '3'
                    ? end - 4
                    : end;
        }
        return end - from > 3 && b[end - 3] == ':' && b[end - 2] == '8' && b[end - 1] == '0' ? end - 3 : end;
    }

    private static final byte[] ROOT = {'/'};

    private void putRelativePath(int field, byte[] b, int from, int to) {
        if (b[from] == '/' || line.has(field)) {
            putPath(b, from, to, true);
            return;
        }
        int start = line.reserve(to - from + 1);
        byte[] out = line.scratch();
        out[start] = '/';
        System.arraycopy(b, from, out, start + 1, to - from);
        line.setText(field, out, start, start + 1 + to - from);
    }
}
