package dev.why429.analyzers.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds and counts line feeds eight bytes at a time. */
public final class LineFeeds {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long FEEDS = '\n' * ONES;

    private LineFeeds() {}

    /** @return index of the first line feed in {@code [from, to)}, or -1 */
    public static int find(byte[] bytes, int from, int to) {
        int i = from;
        for (; i + 8 <= to; i += 8) {
            long x = (long) LONG.get(bytes, i) ^ FEEDS;
            long zero = (x - ONES) & ~x & HIGHS;
            if (zero != 0) {
                return i + (Long.numberOfTrailingZeros(zero) >>> 3);
            }
        }
        for (; i < to; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    static int last(byte[] bytes, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    static int count(byte[] bytes, int from, int to) {
        int found = 0;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            long x = (long) LONG.get(bytes, i) ^ FEEDS;
            // exact per byte, unlike the test above: a borrow would count a byte too many
            long nonZero = (((x & ~HIGHS) + ~HIGHS) | x) & HIGHS;
            found += 8 - Long.bitCount(nonZero);
        }
        for (; i < to; i++) {
            found += bytes[i] == '\n' ? 1 : 0;
        }
        return found;
    }
}
