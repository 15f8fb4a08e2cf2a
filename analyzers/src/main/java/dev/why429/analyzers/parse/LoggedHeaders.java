package dev.why429.analyzers.parse;

import dev.why429.rules.Format.Escaping;
import java.util.Arrays;

/** Headers logged one by one, written together as a JSON object. One instance per thread. */
final class LoggedHeaders {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private final int field;
    private int count;
    private byte[][] names = new byte[4][];
    private byte[][] sources = new byte[4][];
    private int[] from = new int[4];
    private int[] to = new int[4];
    private Escaping[] escapings = new Escaping[4];

    LoggedHeaders(int field) {
        this.field = field;
    }

    void clear() {
        count = 0;
    }

    /** @param name in lower case, with nothing that JSON would escape */
    void add(byte[] name, byte[] bytes, int start, int end, Escaping escaping) {
        if (count == names.length) {
            int room = count * 2;
            names = Arrays.copyOf(names, room);
            sources = Arrays.copyOf(sources, room);
            from = Arrays.copyOf(from, room);
            to = Arrays.copyOf(to, room);
            escapings = Arrays.copyOf(escapings, room);
        }
        names[count] = name;
        sources[count] = bytes;
        from[count] = start;
        to[count] = end;
        escapings[count++] = escaping;
    }

    void write(ParsedLine line) {
        if (count == 0 || line.has(field)) {
            return;
        }
        int room = 2;
        for (int i = 0; i < count; i++) {
            room += names[i].length + 6 + 6 * (to[i] - from[i]) + (to[i] - from[i]);
        }
        int start = line.reserve(room);
        byte[] out = line.scratch();
        int at = start;
        out[at++] = '{';
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                out[at++] = ',';
            }
            out[at++] = '"';
            System.arraycopy(names[i], 0, out, at, names[i].length);
            at += names[i].length;
            out[at++] = '"';
            out[at++] = ':';
            out[at++] = '"';
            // unescaped behind the place where it is written to: the room counted for it is never reached before it is
            // read
            int plain = start + room - (to[i] - from[i]);
            int plainEnd = Escapes.unescape(sources[i], from[i], to[i], escapings[i], out, plain);
            for (int j = plain; j < plainEnd; j++) {
                at = writeByte(out[j], out, at);
            }
            out[at++] = '"';
        }
        out[at++] = '}';
        line.setText(field, out, start, at);
    }

    private static int writeByte(byte c, byte[] out, int start) {
        int at = start;
        if (c == '"' || c == '\\') {
            out[at++] = '\\';
            out[at++] = c;
        } else if (c >= 0 && c < 0x20) {
            out[at++] = '\\';
            out[at++] = 'u';
            out[at++] = '0';
            out[at++] = '0';
            out[at++] = HEX[c >> 4];
            out[at++] = HEX[c & 15];
        } else {
            out[at++] = c;
        }
        return at;
    }
}
