package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.JsonPaths.Leaf;
import dev.why429.analyzers.parse.JsonPaths.Node;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Escaping;
import dev.why429.rules.Format.Value;
import dev.why429.rules.KnownNames;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Reads lines that are one JSON object each: a single pass over the bytes that follows known keys only and skips the rest. It goes no deeper
 * than the known paths, so that nesting cannot exhaust the stack. One instance per thread.
 */
final class JsonLineReader implements LineReader, Seen {
    private static final int MESSAGE = LineValues.ordinal("message");

    private final JsonPaths paths;
    private final LineValues values;
    private final Field.Table table;
    /** Any object is read: what bears a status as a request, what bears none as a notice. */
    private final boolean generic;

    private final boolean keepsUnknown;
    private final LooseFields loose;
    private final int[] rank = new int[Fields.dictionary().all().size()];
    private final boolean[] seen = new boolean[rank.length];
    private ParsedLine line;
    private byte[] b;
    private int to;
    private int markers;
    private int stampRank;
    private int stampFrom;
    private int stampTo;
    private Leaf stampLeaf;
    private int requestFrom;
    private int requestTo;
    private boolean badValue;
    private boolean used;

    JsonLineReader(JsonPaths paths, ZoneId zone, Format format, KnownNames names) {
        this.paths = paths;
        this.values = new LineValues(zone, Escaping.BACKSLASH);
        this.table = format.table();
        this.generic = format.generic();
        this.keepsUnknown = generic || format.keepsUnknown();
        this.loose = new LooseFields(names, values, true);
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
    public boolean read(byte[] bytes, int from, int end, ParsedLine into) {
        line = into;
        b = bytes;
        to = end;
        markers = 0;
        stampRank = Integer.MAX_VALUE;
        requestFrom = -1;
        badValue = false;
        loose.clear();
        Arrays.fill(rank, Integer.MAX_VALUE);
        Arrays.fill(seen, false);
        values.begin(into, Slices.find(bytes, from, end, (byte) '\\') >= 0);
        int at = blank(from);
        if (at >= to || b[at] != '{') {
            return into.reject("not_json");
        }
        at = object(at, paths.root());
        if (at < 0 || blank(at) != to) {
            return into.reject("not_json");
        }
        boolean timed = stampRank < Integer.MAX_VALUE || into.hasOuterStamp();
        if (generic && into.isNumber(LineValues.STATUS) != timed) {
            return notice(from, end);
        }
        if (badValue) {
            return into.reject("bad_number");
        }
        if (!into.isNumber(LineValues.STATUS) && table != Field.Table.NOTICES) {
            return into.reject("no_status");
        }
        if ((markers & (paths.wantedMarkers() | JsonPaths.FOREIGN)) != paths.wantedMarkers()) {
            return into.reject("no_match");
        }
        if (!timed) {
            return into.reject("no_time");
        }
        if (stampRank < Integer.MAX_VALUE
                && !values.putStamp(b, stampFrom, stampTo, stampLeaf.atStart(), stampLeaf.resolutionMicros())) {
            return false;
        }
        if (requestFrom >= 0) {
            values.putRequestLine(b, requestFrom, requestTo);
        }
        if (table == Field.Table.NOTICES) {
            NoticeWords.fromRequest(into, values);
            loose.putAsNotice(b, into);
            NoticeWords.judge(into);
        } else {
            loose.putAsRequest(b, into);
        }
        return values.finish(table);
    }

    /** An object without a status, or without a time. */
    private boolean notice(int from, int end) {
        line.markNotice();
        boolean timed = stampRank == Integer.MAX_VALUE
                ? line.hasOuterStamp()
                : values.putStamp(b, stampFrom, stampTo, stampLeaf.atStart(), stampLeaf.resolutionMicros());
        NoticeWords.fromRequest(line, values);
        loose.putAsNotice(b, line);
        if (!line.has(MESSAGE)) {
            line.setText(MESSAGE, b, from, end);
        }
        NoticeWords.judge(line);
        return timed ? values.finish(Field.Table.NOTICES) : values.finishWithoutTime();
    }

    /** @return one past the closing brace, −1 when the object is broken */
    private int object(int open, Node node) {
        int at = blank(open + 1);
        if (at < to && b[at] == '}') {
            return at + 1;
        }
        while (at < to && b[at] == '"') {
            int keyFrom = at + 1;
            int keyEnd = stringEnd(keyFrom);
            if (keyEnd < 0) {
                return -1;
            }
            Node child = node.child(b, keyFrom, keyEnd);
            at = blank(keyEnd + 1);
            if (at >= to || b[at] != ':') {
                return -1;
            }
            at = blank(at + 1);
            int valueFrom = at;
            used = true;
            at = child == null ? skip(at) : value(at, child);
            if (at < 0) {
                return -1;
            }
            if (keepsUnknown && node == paths.root() && (child == null || !used)) {
                rest(keyFrom, keyEnd, valueFrom, at);
            }
            at = blank(at);
            if (at < to && b[at] == '}') {
                return at + 1;
            }
            if (at >= to || b[at] != ',') {
                return -1;
            }
            at = blank(at + 1);
        }
        return -1;
    }

    /** A key that no path knows. */
    private void rest(int keyFrom, int keyTo, int valueFrom, int valueTo) {
        byte first = b[valueFrom];
        if (first == '"') {
            loose.add(b, keyFrom, keyTo, valueFrom + 1, valueTo - 1, false);
        } else if (first != 'n') {
            loose.add(b, keyFrom, keyTo, valueFrom, valueTo, first == '{' || first == '[');
        }
    }

    private int value(int at, Node node) {
        if (at >= to) {
            return -1;
        }
        if (b[at] == '{') {
            int end = node.hasChildren() ? object(at, node) : skip(at);
            if (end < 0) {
                return -1;
            }
            markers |= node.markers();
            for (Leaf leaf : node.leaves()) {
                if (leaf.value() == Value.REQUEST_HEADER || leaf.value() == Value.RESPONSE_HEADER) {
                    headers(leaf, at, end);
                }
            }
            used = node.hasChildren() || node.leaves().length > 0;
            return end;
        }
        int end = skip(at);
        if (end < 0) {
            return -1;
        }
        if (b[at] == '[' && node.hasChildren()) {
            int first = blank(at + 1);
            used = first < end && b[first] == '{' && object(first, node) > 0; // of several objects the first speaks
            return end;
        }
        for (Leaf leaf : node.leaves()) {
            if (leaf.field() >= 0) {
                seen[leaf.field()] = true;
            }
        }
        int from = at;
        int past = end;
        if (b[at] == '[') {
            // headers as ["one value"]: the first
            from = blank(at + 1);
            past = from < end && b[from] == '"' ? skip(from) : from;
        }
        if (past <= from || b[from] == 'n') {
            return end; // null, []
        }
        markers |= node.markers();
        if (b[from] == '"') {
            from++;
            past--;
        }
        boolean any = false;
        for (Leaf leaf : node.leaves()) {
            any |= leaf(leaf, from, past);
        }
        used = any || Slices.isMissing(b, from, past);
        return end;
    }

    /** @return false when the value is not what the path's values are */
    private boolean leaf(Leaf leaf, int from, int past) {
        switch (leaf.value()) {
            case STAMP -> {
                if (leaf.rank() < stampRank && past > from) {
                    stampRank = leaf.rank();
                    stampFrom = from;
                    stampTo = past;
                    stampLeaf = leaf;
                }
                return true;
            }
            case REQUEST_LINE -> {
                requestFrom = from;
                requestTo = past;
                return true;
            }
            case RESPONSE_HEADER -> {
                return false; // an object is wanted
            }
            case OTHER, REQUEST_HEADER -> {
                return false;
            }
            case SKIP -> {
                return true;
            }
            default -> {
                if (leaf.rank() >= rank[leaf.field()] || Slices.isMissing(b, from, past)) {
                    return true;
                }
                if (leaf.value() == Value.STATUS && !isStatus(from, past)) {
                    return b[from] == '0'; // else an application's own code, say
                }
                if (generic && leaf.value() == Value.ADDRESS && !Slices.isAddress(b, from, past)) {
                    return false; // a partner's name, say
                }
                line.remove(leaf.field());
                boolean good = values.put(leaf.value(), leaf.field(), leaf.unit(), b, from, past);
                badValue |= !good && !generic;
                if (good && line.has(leaf.field())) {
                    rank[leaf.field()] = leaf.rank();
                }
                return good;
            }
        }
    }

    private boolean isStatus(int from, int past) {
        return past - from == 3
                && b[from] >= '1'
                && b[from] <= '5'
                && Slices.isDigit(b[from + 1])
                && Slices.isDigit(b[from + 2]);
    }

    /** The object as it stands, names put into lower case where they are not. */
    private void headers(Leaf leaf, int from, int end) {
        if (line.has(leaf.field()) || end - from <= 2) {
            return;
        }
        boolean upper = false;
        boolean key = true;
        int at = from + 1;
        while (at >= 0 && at < end && !upper) {
            if (b[at] == '"') {
                int close = stringEnd(at + 1);
                if (close < 0) {
                    break;
                }
                for (int i = at + 1; key && i < close; i++) {
                    upper |= b[i] >= 'A' && b[i] <= 'Z';
                }
                at = close + 1;
            } else {
                key = b[at] == ',' || (key && b[at] != ':');
                if (b[at] == '[' || b[at] == '{') {
                    at = skip(at);
                } else {
                    at++;
                }
            }
        }
        if (upper) {
            lowered(leaf.field(), from, end);
        } else {
            line.setText(leaf.field(), b, from, end);
        }
    }

    private void lowered(int field, int from, int end) {
        int start = line.reserve(end - from);
        byte[] out = line.scratch();
        System.arraycopy(b, from, out, start, end - from);
        boolean key = true;
        int at = from + 1;
        while (at >= 0 && at < end) {
            if (b[at] == '"') {
                int close = stringEnd(at + 1);
                if (close < 0 || close >= end) {
                    break;
                }
                for (int i = at + 1; key && i < close; i++) {
                    out[start + i - from] = Slices.lower(b[i]);
                }
                at = close + 1;
            } else {
                key = b[at] == ',' || (key && b[at] != ':');
                at = b[at] == '[' || b[at] == '{' ? skip(at) : at + 1;
            }
        }
        line.setText(field, out, start, start + end - from);
    }

    private int blank(int from) {
        int at = from;
        while (at < to && (b[at] == ' ' || b[at] == '\t' || b[at] == '\r' || b[at] == '\n')) {
            at++;
        }
        return at;
    }

    /** @return where the closing quote is, −1 when there is none */
    private int stringEnd(int from) {
        int at = from;
        while (true) {
            int quote = Slices.find(b, at, to, (byte) '"');
            if (quote < 0) {
                return -1;
            }
            int slashes = 0;
            while (quote - slashes > from && b[quote - slashes - 1] == '\\') {
                slashes++;
            }
            if ((slashes & 1) == 0) {
                return quote;
            }
            at = quote + 1;
        }
    }

    /** @return one past the value, −1 when it is broken */
    private int skip(int from) {
        if (from >= to) {
            return -1;
        }
        byte first = b[from];
        if (first == '"') {
            int end = stringEnd(from + 1);
            return end < 0 ? -1 : end + 1;
        }
        if (first != '{' && first != '[') {
            int at = from;
            while (at < to && isBare(b[at])) {
                at++;
            }
            return at > from ? at : -1;
        }
        int depth = 0;
        int at = from;
        while (at < to) {
            byte c = b[at];
            if (c == '"') {
                at = stringEnd(at + 1);
                if (at < 0) {
                    return -1;
                }
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
                if (depth == 0) {
                    return at + 1;
                }
            }
            at++;
        }
        return -1;
    }

    private static boolean isBare(byte c) {
        return Slices.isDigit(c) || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '+' || c == 'E';
    }
}
