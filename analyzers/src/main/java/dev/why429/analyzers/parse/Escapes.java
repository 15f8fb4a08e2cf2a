package dev.why429.analyzers.parse;

import dev.why429.rules.Format.Escaping;

/** Takes escapes back: those with a backslash (also surrogate pairs) and HAProxy's {@code #22}. */
final class Escapes {
    private Escapes() {}

    /** Sets the field to the slice itself, or, when it holds an escape, to its unescaped form in the line's scratch space. */
    static void putText(ParsedLine line, int field, byte[] b, int from, int to, Escaping escaping) {
        byte sign = sign(escaping);
        if (escaping == Escaping.NONE || Slices.findNear(b, from, to, sign) < 0) {
            line.setText(field, b, from, to);
            return;
        }
        int start = line.reserve(to - from);
        byte[] out = line.scratch();
        line.setText(field, out, start, unescape(b, from, to, escaping, out, start));
    }

    static byte sign(Escaping escaping) {
        return (byte) (escaping == Escaping.HASH ? '#' : '\\');
    }

    /**
     * @param out has room for as many bytes as go in: no unescaped form is longer
     * @return one past the last byte written
     */
    static int unescape(byte[] b, int from, int to, Escaping escaping, byte[] out, int start) {
        byte sign = sign(escaping);
        int at = from;
        int end = start;
        while (at < to) {
            byte c = b[at++];
            if (c != sign || escaping == Escaping.NONE || at >= to) {
                out[end++] = c;
                continue;
            }
            if (escaping == Escaping.HASH) {
                int value = at + 1 < to ? hex(b, at, 2) : -1;
                if (value >= 0) {
                    out[end++] = (byte) value;
                    at += 2;
                } else {
                    out[end++] = c;
                }
                continue;
            }
            byte what = b[at++];
            if (what == 'x' && at + 1 < to && hex(b, at, 2) >= 0) {
                out[end++] = (byte) hex(b, at, 2);
                at += 2;
            } else if (what == 'u' && at + 3 < to && hex(b, at, 4) >= 0) {
                int point = hex(b, at, 4);
                at += 4;
                if (Character.isHighSurrogate((char) point) && at + 5 < to && b[at] == '\\' && b[at + 1] == 'u') {
                    int low = hex(b, at + 2, 4);
                    if (low >= 0 && Character.isLowSurrogate((char) low)) {
                        point = Character.toCodePoint((char) point, (char) low);
                        at += 6;
                    }
                }
                end = utf8(point, out, end);
            } else {
                out[end++] = plain(what);
            }
        }
        return end;
    }

    private static byte plain(byte what) {
        return switch (what) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'v' -> 0x0b;
            default -> what;
        };
    }

    private static int hex(byte[] b, int at, int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = Slices.hex(b[at + i]);
            if (digit < 0) {
                return -1;
            }
            value = (value << 4) | digit;
        }
        return value;
    }

    private static int utf8(int point, byte[] out, int start) {
        int end = start;
        if (point < 0x80) {
            out[end++] = (byte) point;
        } else if (point < 0x800) {
            out[end++] = (byte) (0xc0 | (point >> 6));
            out[end++] = (byte) (0x80 | (point & 0x3f));
        } else if (point >= 0xd800 && point <= 0xdfff) {
            out[end++] = '?'; // half of a surrogate pair is no character
        } else if (point < 0x10000) {
            out[end++] = (byte) (0xe0 | (point >> 12));
            out[end++] = (byte) (0x80 | ((point >> 6) & 0x3f));
            out[end++] = (byte) (0x80 | (point & 0x3f));
        } else {
            out[end++] = (byte) (0xf0 | (point >> 18));
            out[end++] = (byte) (0x80 | ((point >> 12) & 0x3f));
            out[end++] = (byte) (0x80 | ((point >> 6) & 0x3f));
            out[end++] = (byte) (0x80 | (point & 0x3f));
        }
        return end;
    }
}
