package dev.why429.analyzers.redact;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * From a slice of bytes to what it becomes, so that the cost is per distinct value and not per line. Bounded: each slice has two places, and
 * the last ones to come hold them. Shared by all threads without a lock: an entry never changes, and one that is overwritten is made again.
 */
final class SliceCache {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final int maxSlice;
    private final Entry[] entries;

    private static final class Entry {
        private final byte[] key;
        private final byte[] value;

        Entry(byte[] key, byte[] value) {
            this.key = key;
            this.value = value;
        }

        boolean is(byte[] bytes, int from, int to) {
            return key.length == to - from && Arrays.equals(key, 0, key.length, bytes, from, to);
        }
    }

    /**
     * @param places a power of two
     * @param maxSlice longer slices are not kept
     */
    SliceCache(int places, int maxSlice) {
        this.maxSlice = maxSlice;
        entries = new Entry[places];
    }

    /** @param make what a slice becomes; the thread's own, since makers are not for several threads at once */
    byte[] get(byte[] bytes, int from, int to, UnaryOperator<byte[]> make) {
        if (to - from > maxSlice) {
            return make.apply(Arrays.copyOfRange(bytes, from, to));
        }
        int place = hash(bytes, from, to) & (entries.length - 1);
        Entry first = entries[place];
        if (first != null && first.is(bytes, from, to)) {
            return first.value;
        }
        Entry second = entries[place ^ 1];
        if (second != null && second.is(bytes, from, to)) {
            return second.value;
        }
        byte[] key = Arrays.copyOfRange(bytes, from, to);
        byte[] value = make.apply(key);
        entries[place] = new Entry(key, value);
        if (first != null) {
            entries[place ^ 1] = first;
        }
        return value;
    }

    /** Eight bytes at a time, the last eight overlapping those before. */
    private static int hash(byte[] bytes, int from, int to) {
        int length = to - from;
        long hash = length;
        if (length >= 8) {
            int last = to - 8;
            for (int i = from; i < last; i += 8) {
                hash = ((hash ^ (long) LONG.get(bytes, i)) * MIX) ^ (hash >>> 29);
            }
            hash = (hash ^ (long) LONG.get(bytes, last)) * MIX;
        } else {
            for (int i = from; i < to; i++) {
                hash = (hash ^ bytes[i]) * MIX;
            }
        }
        return (int) (hash ^ (hash >>> 32) ^ (hash >>> 47));
    }
}
