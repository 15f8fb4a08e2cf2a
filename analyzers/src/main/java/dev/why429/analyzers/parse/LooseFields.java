package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import dev.why429.rules.KnownNames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Keys and values of one line whose writer decided their names. What a key means depends on what the line is, so they are kept until that is
 * known: {@code limit} beside a status is a quota that the response promised, without one it is what a limiter's decision was measured by.
 * One instance per thread.
 */
final class LooseFields {
    private static final int NODE = LineValues.ordinal("node");
    private static final int ATTEMPT = LineValues.ordinal("attempt");
    private static final int API_KEY = LineValues.ordinal("api_key");
    private static final int TENANT = LineValues.ordinal("tenant");
    private static final int BODY = LineValues.ordinal("response_body");
    private static final int DETAILS = LineValues.ordinal("response_details");
    private static final int UPSTREAM_STATUS = LineValues.ordinal("upstream_status");
    private static final int UPSTREAM_ADDR = LineValues.ordinal("upstream_addr");
    private static final int REQUEST_ID = LineValues.ordinal("request_id");
    private static final int LOGGED_MESSAGE = LineValues.ordinal("logged_message");
    private static final int MESSAGE = LineValues.ordinal("message");
    private static final int LEVEL = LineValues.ordinal("level");
    private static final int KIND = LineValues.ordinal("kind");
    private static final int ZONE = LineValues.ordinal("zone");
    private static final int LIMITER_KEY = LineValues.ordinal("limiter_key");
    private static final int COUNTED = LineValues.ordinal("counted");
    private static final int LIMIT_VALUE = LineValues.ordinal("limit_value");
    private static final int WINDOW = LineValues.ordinal("window_seconds");
    private static final int ALLOWED = LineValues.ordinal("allowed");
    private static final int LONGEST_BODY_BYTES = 512;
    private static final int CACHED = 256;

    /**
     * What is known of a key.
     *
     * @param name in lower case, with nothing that JSON would escape
     * @param quota response header, empty when it is none
     * @param ownHeader whether the key is that header's own name
     * @param column what it means by {@code keys} of names.yaml, empty when nothing
     * @param line by {@code line_keys}
     * @param limiter by {@code limiter_keys}
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Key(
            byte[] written, byte[] name, byte[] quota, boolean ownHeader, String column, String line, String limiter) {}

    private final KnownNames names;
    private final LineValues values;
    private final boolean columnsToo;
    private final Key[] cache = new Key[CACHED];
    private Key[] keys = new Key[32];
    private int[] from = new int[32];
    private int[] to = new int[32];
    private boolean[] nested = new boolean[32];
    private int count;

    /** @param columnsToo whether the columns of requests are among the keys, too; else the caller has taken them out */
    LooseFields(KnownNames names, LineValues values, boolean columnsToo) {
        this.names = names;
        this.values = values;
        this.columnsToo = columnsToo;
    }

    void clear() {
        count = 0;
    }

    /** @param isNested whether the value is a JSON object or array */
    void add(byte[] b, int keyFrom, int keyTo, int valueFrom, int valueTo, boolean isNested) {
        if (count == keys.length) {
            int room = count * 2;
            keys = Arrays.copyOf(keys, room);
            from = Arrays.copyOf(from, room);
            to = Arrays.copyOf(to, room);
            nested = Arrays.copyOf(nested, room);
        }
        keys[count] = key(b, keyFrom, keyTo);
        from[count] = valueFrom;
        to[count] = valueTo;
        nested[count++] = isNested;
    }

    private Key key(byte[] b, int keyFrom, int keyTo) {
        int hash = keyTo - keyFrom;
        for (int i = keyFrom; i < keyTo; i++) {
            hash = hash * 31 + b[i];
        }
        int slot = (hash ^ (hash >>> 15)) & (CACHED - 1);
        Key known = cache[slot];
        if (known != null && Arrays.equals(known.written, 0, known.written.length, b, keyFrom, keyTo)) {
            return known;
        }
        byte[] written = Arrays.copyOfRange(b, keyFrom, keyTo);
        String text = new String(written, StandardCharsets.UTF_8);
        String name = text.toLowerCase(Locale.ROOT).replaceAll("[\\p{Cntrl}\"\\\\]", "");
        Key made = new Key(
                written,
                name.getBytes(StandardCharsets.UTF_8),
                names.quotaHeader(text).orElse("").getBytes(StandardCharsets.UTF_8),
                names.quotaHeader(text)
                        .filter(header -> header.equals(name.replace('_', '-')))
                        .isPresent(),
                columnsToo ? column(text) : "",
                names.lineKey(text).orElse(""),
                names.limiterKey(text).orElse(""));
        cache[slot] = made;
        return made;
    }

    /** Fills the columns that must be known before it can be said what the line is: its time and its status. */
    void putTimeAndStatus(byte[] b, ParsedLine line) {
        for (int i = 0; i < count; i++) {
            if (keys[i] == null || Slices.isMissing(b, from[i], to[i])) {
                continue;
            }
            if (keys[i].column.equals("time") && values.putStampIfOne(b, from[i], to[i])) {
                keys[i] = null;
            } else if (keys[i].column.equals("status") && isStatus(b, from[i], to[i]) && !line.has(LineValues.STATUS)) {
                line.setNumber(LineValues.STATUS, Decimal.whole(b, from[i], to[i]));
                keys[i] = null;
            }
        }
    }

    void putAsRequest(byte[] b, ParsedLine line) {
        for (int i = 0; i < count; i++) {
            Key key = keys[i];
            if (key == null || Slices.isMissing(b, from[i], to[i])) {
                continue;
            }
            if (key.line.equals("level")) {
                continue; // requests have no column for it, and it tells nothing that the status does not
            }
            if (key.quota.length > 0 && !nested[i] && (key.ownHeader || hasDigit(b, from[i], to[i]))) {
                values.putResponseHeader(key.quota, b, from[i], to[i]);
            } else if (!column(key, b, from[i], to[i], line) && !ofRequest(key, i, b, line)) {
                values.putOther(key.name, b, from[i], to[i], nested[i]);
            }
        }
    }

    void putAsNotice(byte[] b, ParsedLine line) {
        boolean limiter = ofLimiter();
        for (int i = 0; i < count; i++) {
            Key key = keys[i];
            if (key == null || Slices.isMissing(b, from[i], to[i])) {
                continue;
            }
            boolean namesLimit = key.limiter.equals("limit_value") && key.quota.length > 0; // limit=300 remaining=0
            boolean taken = (limiter || namesLimit) && ofLimiter(key.limiter, b, from[i], to[i], line);
            if (!taken && !noticeColumn(key, b, from[i], to[i], line)) {
                values.putOther(key.name, b, from[i], to[i], nested[i]);
            }
        }
        if (line.isNumber(ALLOWED) && line.number(ALLOWED) == 0) {
            kind(line, "limiter_reject");
        } else if (limiter && (line.has(COUNTED) || line.has(ALLOWED))) {
            kind(line, "limiter_count");
        }
    }

    private static boolean hasDigit(byte[] b, int start, int end) {
        for (int i = start; i < end; i++) {
            if (Slices.isDigit(b[i])) {
                return true;
            }
        }
        return false;
    }

    private String column(String key) {
        return names.key(key.replace('-', '_'))
                .or(() -> names.header(key).map(Field::name))
                .orElse("");
    }

    /** Whether a decision or a count of a limiter is among the keys. */
    private boolean ofLimiter() {
        for (int i = 0; i < count; i++) {
            String meaning = keys[i] == null ? "" : keys[i].limiter;
            if (meaning.equals("counted") || meaning.equals("allowed") || meaning.equals("refused")) {
                return true;
            }
        }
        return false;
    }

    static void kind(ParsedLine line, String kind) {
        line.setText(KIND, kind.getBytes(StandardCharsets.US_ASCII));
    }

    /** A column of requests by the key's usual name. */
    private boolean column(Key key, byte[] b, int start, int end, ParsedLine line) {
        if (key.line.equals("who") || key.line.equals("elapsed") || key.line.equals("upstream_status")) {
            return false; // their values decide
        }
        if (key.column.equals("request_line")) {
            int blank = Slices.findNear(b, start, end, (byte) ' ');
            if (blank > 0 && !line.has(LineValues.METHOD)) {
                values.putRequestLine(b, start, end);
            }
            return blank > 0 && line.has(LineValues.METHOD);
        }
        int field = Fields.dictionary().find(key.column).map(f -> f.ordinal()).orElse(-1);
        if (field < 0 || line.has(field)) {
            return false;
        }
        Value kind = switch (key.column) {
            case "client_ip", "peer_ip" -> Value.ADDRESS;
            case "path" -> Value.PATH;
            case "upstream_addr" -> Value.LIST;
            case "bytes" -> Value.INTEGER;
            case "status" -> Value.SKIP;
            default -> Value.TEXT;
        };
        if (kind == Value.SKIP || (kind == Value.ADDRESS && !Slices.isAddress(b, start, end))) {
            return false;
        }
        if (kind == Value.INTEGER && Decimal.whole(b, start, end) < 0) {
            return false;
        }
        return values.put(kind, field, Unit.S, b, start, end) && line.has(field);
    }

    private boolean ofRequest(Key key, int i, byte[] b, ParsedLine line) {
        int start = from[i];
        int end = to[i];
        switch (key.line) {
            case "node" -> {
                return text(NODE, b, start, end, line);
            }
            case "attempt" -> {
                return whole(ATTEMPT, b, start, end, line);
            }
            case "who" -> {
                boolean address = Slices.isAddress(b, start, end);
                int field = address ? LineValues.CLIENT_IP : API_KEY;
                return !line.has(field)
                        && values.put(address ? Value.ADDRESS : Value.TEXT, field, Unit.S, b, start, end)
                        && line.has(field);
            }
            case "tenant" -> {
                return text(TENANT, b, start, end, line);
            }
            case "response_body" -> {
                return values.putRaw(BODY, b, start, Math.min(end, start + LONGEST_BODY_BYTES), nested[i]);
            }
            case "response_details" -> {
                return text(DETAILS, b, start, end, line);
            }
            case "upstream_status" -> {
                return isStatus(b, start, end) && text(UPSTREAM_STATUS, b, start, end, line);
            }
            case "target" -> {
                return target(b, start, end, line);
            }
            case "elapsed", "elapsed_ms" -> {
                return elapsed(b, start, end, line);
            }
            case "request_id" -> {
                return text(REQUEST_ID, b, start, end, line);
            }
            case "message" -> {
                return text(LOGGED_MESSAGE, b, start, end, line);
            }
            default -> {
                return false;
            }
        }
    }

    private boolean target(byte[] b, int start, int end, ParsedLine line) {
        if (b[start] == '/' || Slices.find(b, start, end, SCHEME_END) > 0) {
            return !line.has(LineValues.PATH) && values.put(Value.PATH, LineValues.PATH, Unit.S, b, start, end);
        }
        return text(UPSTREAM_ADDR, b, start, end, line);
    }

    private static final byte[] SCHEME_END = "://".getBytes(StandardCharsets.US_ASCII);

    /** {@code 12ms}, {@code 0.4s}; a bare number is of milliseconds when it is whole, else nobody knows. */
    private boolean elapsed(byte[] b, int start, int end, ParsedLine line) {
        if (line.has(LineValues.DURATION)) {
            return false;
        }
        Optional<Long> micros = Decimal.duration(b, start, end);
        micros.ifPresent(m -> line.setNumber(LineValues.DURATION, m));
        return micros.isPresent();
    }

    private boolean ofLimiter(String meaning, byte[] b, int start, int end, ParsedLine line) {
        switch (meaning) {
            case "limiter_key" -> {
                return text(LIMITER_KEY, b, start, end, line);
            }
            case "zone" -> {
                return text(ZONE, b, start, end, line);
            }
            case "counted" -> {
                return whole(COUNTED, b, start, end, line);
            }
            case "limit_value" -> {
                return whole(LIMIT_VALUE, b, start, end, line);
            }
            case "window_seconds" -> {
                return window(b, start, end, line);
            }
            case "allowed" -> {
                return flag(true, b, start, end, line);
            }
            case "refused" -> {
                return flag(false, b, start, end, line);
            }
            default -> {
                return false;
            }
        }
    }

    private boolean window(byte[] b, int start, int end, ParsedLine line) {
        boolean bare = Slices.isDigit(b[end - 1]);
        Optional<Long> micros = bare
                ? Optional.of(Decimal.whole(b, start, end)).filter(v -> v >= 0).map(v -> v * 1_000_000L)
                : Decimal.duration(b, start, end);
        if (micros.isEmpty() || line.has(WINDOW)) {
            return false;
        }
        line.setNumber(WINDOW, micros.get());
        return true;
    }

    private static boolean flag(boolean meansAllowed, byte[] b, int start, int end, ParsedLine line) {
        String word =
                new String(b, start, Math.min(end - start, 8), StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
        boolean yes = word.equals("true") || word.equals("1") || word.equals("yes");
        boolean no = word.equals("false") || word.equals("0") || word.equals("no");
        if (!(yes || no) || line.has(ALLOWED)) {
            return false;
        }
        line.setNumber(ALLOWED, yes == meansAllowed ? 1 : 0);
        return true;
    }

    private boolean noticeColumn(Key key, byte[] b, int start, int end, ParsedLine line) {
        switch (key.line.equals("level") || key.line.equals("message") || key.line.equals("node")
                ? key.line
                : key.column) {
            case "level" -> {
                return text(LEVEL, b, start, end, line);
            }
            case "message" -> {
                return text(MESSAGE, b, start, end, line);
            }
            case "node" -> {
                return text(NODE, b, start, end, line);
            }
            case "client_ip" -> {
                return Slices.isAddress(b, start, end)
                        && !line.has(LineValues.CLIENT_IP)
                        && values.put(Value.ADDRESS, LineValues.CLIENT_IP, Unit.S, b, start, end)
                        && line.has(LineValues.CLIENT_IP);
            }
            case "path" -> {
                return !line.has(LineValues.PATH)
                        && values.put(Value.PATH, LineValues.PATH, Unit.S, b, start, end)
                        && line.has(LineValues.PATH);
            }
            case "method", "host", "request_id", "forwarded" -> {
                return text(LineValues.ordinal(key.column), b, start, end, line);
            }
            default -> {
                return false;
            }
        }
    }

    private boolean text(int field, byte[] b, int start, int end, ParsedLine line) {
        if (line.has(field)) {
            return false;
        }
        values.putText(field, b, start, end);
        return line.has(field);
    }

    private static boolean whole(int field, byte[] b, int start, int end, ParsedLine line) {
        long value = Decimal.whole(b, start, end);
        if (value < 0 || line.has(field)) {
            return false;
        }
        line.setNumber(field, value);
        return true;
    }

    private static boolean isStatus(byte[] b, int start, int end) {
        return end - start == 3
                && b[start] >= '1'
                && b[start] <= '5'
                && Slices.isDigit(b[start + 1])
                && Slices.isDigit(b[start + 2]);
    }
}
