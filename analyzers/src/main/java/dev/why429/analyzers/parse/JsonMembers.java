package dev.why429.analyzers.parse;

/** Goes through the members of one JSON object, one after the other, nested values as slices. */
final class JsonMembers {
    private final byte[] b;
    private final int to;
    private int at;
    private boolean whole;
    private int keyFrom;
    private int keyTo;
    private int valueFrom;
    private int valueTo;
    private boolean text;

    JsonMembers(byte[] bytes, int from, int to) {
        this.b = bytes;
        this.at = from;
        this.to = to;
    }

    /** @return false when there is no object */
    boolean begin() {
        at = blank(at);
        if (at >= to || b[at] != '{') {
            return false;
        }
        at = blank(at + 1);
        return true;
    }

    /** @return false at the object's end, and where it is broken: see {@link #whole} */
    boolean next() {
        if (at < to && b[at] == '}') {
            whole = blank(at + 1) == to;
            return false;
        }
        if (at >= to || b[at] != '"') {
            return false;
        }
        keyFrom = at + 1;
        keyTo = stringEnd(b, keyFrom, to);
        int colon = keyTo < 0 ? to : blank(keyTo + 1);
        if (colon >= to || b[colon] != ':') {
            return false;
        }
        valueFrom = blank(colon + 1);
        int end = skip(valueFrom);
        if (end < 0) {
            return false;
        }
        text = b[valueFrom] == '"';
        valueTo = text ? end - 1 : end;
        valueFrom += text ? 1 : 0;
        at = blank(end);
        if (at < to && b[at] == ',') {
            at = blank(at + 1);
            return true;
        }
        return at < to && b[at] == '}';
    }

    /** Whether the object was gone through to its end and nothing follows. */
    boolean whole() {
        return whole;
    }

    boolean is(String key) {
        return matches(key, keyFrom, keyTo);
    }

    boolean valueIs(String value) {
        return matches(value, valueFrom, valueTo);
    }

    private boolean matches(String word, int from, int end) {
        if (word.isEmpty() || word.length() != end - from) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (b[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    boolean isText() {
        return text;
    }

    /** First byte of the value, quotes left out. */
    int valueFrom() {
        return valueFrom;
    }

    int valueTo() {
        return valueTo;
    }

    private int blank(int from) {
        int i = from;
        while (i < to && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r')) {
            i++;
        }
        return i;
    }

    /** @return where the closing quote is, −1 when there is none */
    static int stringEnd(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] == '\\') {
                i++;
            } else if (b[i] == '"') {
                return i;
            }
        }
        return -1;
    }

    private int skip(int from) {
        if (from >= to) {
            return -1;
        }
        if (b[from] == '"') {
            int end = stringEnd(b, from + 1, to);
            return end < 0 ? -1 : end + 1;
        }
        int depth = 0;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '"') {
                i = stringEnd(b, i + 1, to);
                if (i < 0) {
                    return -1;
                }
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                if (depth == 0) {
                    return i;
                }
                depth--;
                if (depth == 0) {
                    return i + 1;
                }
            } else if (c == ',' && depth == 0) {
                return i;
            }
        }
        return -1;
    }
}
