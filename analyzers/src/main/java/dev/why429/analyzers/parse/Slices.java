package dev.why429.analyzers.parse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Searches in slices of bytes, without making objects. */
final class Slices {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Slices() {}

    static long longAt(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /**
     * Where a byte is first found, eight bytes at a time (a zero byte of x is found by (x − 01…01) &amp; ~x &amp; 80…80).
     *
     * @return −1 when it is not there
     */
    static int find(byte[] bytes, int from, int to, byte wanted) {
        int i = from;
        long pattern = (wanted & 0xffL) * 0x0101010101010101L;
        while (i + 8 <= to) {
            long x = (long) LONGS.get(bytes, i) ^ pattern;
            long hit = (x - 0x0101010101010101L) & ~x & 0x8080808080808080L;
            if (hit != 0) {
                return i + (Long.numberOfTrailingZeros(hit) >>> 3);
            }
            i += 8;
        }
        return findNear(bytes, i, to, wanted);
    }

    /** As {@link #find}, for a byte that is a few bytes away. */
    static int findNear(byte[] bytes, int from, int to, byte wanted) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Where a word is first found; −1 when it is not there. */
    static int find(byte[] bytes, int from, int to, byte[] word) {
        int last = to - word.length;
        byte first = word[0];
        for (int i = from; i <= last; i++) {
            if (bytes[i] == first && startsWith(bytes, i, to, word)) {
                return i;
            }
        }
        return -1;
    }

    static int findLast(byte[] bytes, int from, int to, byte wanted) {
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    static boolean startsWith(byte[] bytes, int from, int to, byte[] word) {
        if (from + word.length > to) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (bytes[from + i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** @param word in lower case */
    static boolean startsWithIgnoringCase(byte[] bytes, int from, int to, byte[] word) {
        if (from + word.length > to) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (lower(bytes[from + i]) != word[i]) {
                return false;
            }
        }
        return true;
    }

    static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    static int hex(byte b) {
        if (isDigit(b)) {
            return b - '0';
        }
        byte c = lower(b);
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }

    /** Whether it looks like an IPv4 or IPv6 address, with or without a port. */
    static boolean isAddress(byte[] bytes, int from, int to) {
        int dots = 0;
        int colons = 0;
        int digits = 0;
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c == '.') {
                dots++;
            } else if (c == ':') {
                colons++;
            } else if (isDigit(c)) {
                digits++;
            } else if (c != '[' && c != ']' && c != '%' && hex(c) < 0) {
                return false;
            } else if (dots > 0 && colons == 0 && hex(c) >= 10) {
                return false;
            }
        }
        return to - from <= 60
                && ((dots == 3 && digits >= 4 && colons != 2)
                        || (dots == 0 && colons >= 2 && !isClock(bytes, from, to)));
    }

    // 10:00:00
    private static boolean isClock(byte[] bytes, int from, int to) {
        return to - from == 8 && bytes[from + 2] == ':' && bytes[from + 5] == ':';
    }

    /** What a log writes when there is nothing to write. */
    static boolean isMissing(byte[] bytes, int from, int to) {
        int length = to - from;
        return length <= 0
                || (length == 1 && bytes[from] == '-')
                || (length == 3 && bytes[from] == 'N' && bytes[from + 1] == '/' && bytes[from + 2] == 'A');
    }
}
