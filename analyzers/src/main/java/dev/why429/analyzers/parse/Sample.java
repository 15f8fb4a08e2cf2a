package dev.why429.analyzers.parse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The first lines of a file, empty ones left out. */
final class Sample {
    private final byte[] bytes;
    private int[] from = new int[64];
    private int[] to = new int[64];
    private int count;
    private boolean outerStamped;

    private Sample(byte[] bytes) {
        this.bytes = bytes;
    }

    static Sample of(byte[] bytes, int from, int to, int most) {
        Sample sample = new Sample(bytes);
        int at = from;
        while (at < to && sample.count < most) {
            int end = Slices.find(bytes, at, to, (byte) '\n');
            if (end < 0) {
                if (sample.count == 0) {
                    sample.add(at, to);
                }
                break;
            }
            sample.add(at, end);
            at = end + 1;
        }
        return sample;
    }

    private void add(int start, int end) {
        int past = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
        boolean blank = true;
        for (int i = start; i < past && blank; i++) {
            blank = bytes[i] == ' ' || bytes[i] == '\t';
        }
        if (blank) {
            return;
        }
        if (count == from.length) {
            from = Arrays.copyOf(from, count * 2);
            to = Arrays.copyOf(to, count * 2);
        }
        from[count] = start;
        to[count++] = past;
    }

    /** Says that each line has a carrier's time beside it. */
    void markOuterStamped() {
        outerStamped = true;
    }

    boolean outerStamped() {
        return outerStamped;
    }

    int count() {
        return count;
    }

    byte[] bytes() {
        return bytes;
    }

    int from(int line) {
        return from[line];
    }

    int to(int line) {
        return to[line];
    }

    /** The line, one character a byte. */
    String text(int line) {
        return new String(bytes, from[line], to[line] - from[line], StandardCharsets.ISO_8859_1);
    }
}
