package dev.why429.analyzers.redact;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * From a slice of bytes to what it becomes, so that the cost is per distinct value and not per line. Bounded: each slice has one place, and
 * the last one to come holds it. For one thread.
 */
final class SliceCache {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final int maxSlice;
    private final byte[][] keys;
    private final byte[][] values;
    private final UnaryOperator<byte[]> make;

    /**
     * @param places a power of two
     * @param maxSlice longer slices are not kept
     */
    SliceCache(int places, int maxSlice, UnaryOperator<byte[]> make) {
        this.maxSlice = maxSlice;
        this.make = make;
        keys = new byte[places][];
        values = new byte[places][];
    }

    byte[] get(byte[] bytes, int from, int to) {
        if (to - from > maxSlice) {
            return make.apply(Arrays.copyOfRange(bytes, from, to));
        }
        int place = hash(bytes, from, to) & (keys.length - 1);
        byte[] key = keys[place];
        if (key == null || !Arrays.equals(key, 0, key.length, bytes, from, to)) {
            key = Arrays.copyOfRange(bytes, from, to);
            values[place] = make.apply(key);
            keys[place] = key;
        }
        return values[place];
    }

    private static int hash(byte[] bytes, int from, int to) {
        long hash = (long) to - from;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            hash = ((hash ^ (long) LONG.get(bytes, i)) * MIX) ^ (hash >>> 29);
        }
        for (; i < to; i++) {
            hash = (hash ^ bytes[i]) * MIX;
        }
        return (int) (hash ^ (hash >>> 32) ^ (hash >>> 47));
    }
}
