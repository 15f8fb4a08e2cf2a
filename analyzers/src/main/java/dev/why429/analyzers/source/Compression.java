package dev.why429.analyzers.source;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** How a file is packed, told by its first bytes and never by its name. Each is read as a stream, with all its members or frames. */
enum Compression {
    NONE(""),
    GZIP("1f8b08"),
    ZSTD("28b52ffd"),
    /** {@code BZh} */
    BZIP2("425a68"),
    XZ("fd377a585a00");

    /** Bytes that {@link #of} needs to see. */
    static final int MAGIC_BYTES = 6;

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int XZ_MEMORY_KIB = 128 * 1024;

    private final String magic;

    /** @param magic first bytes, hexadecimal */
    Compression(String magic) {
        this.magic = magic;
    }

    static Compression of(byte[] head, int length) {
        String start = HexFormat.of().formatHex(head, 0, length);
        for (Compression compression : values()) {
            if (compression != NONE && start.startsWith(compression.magic)) {
                return compression;
            }
        }
        return NONE;
    }

    InputStream unpack(InputStream packed) throws IOException {
        return switch (this) {
            case NONE -> packed;
            case GZIP -> new GZIPInputStream(new Peeking(packed), BUFFER_BYTES);
            case ZSTD -> new ZstdInputStream(packed);
            case BZIP2 -> new ByteWise(new BZip2CompressorInputStream(packed, true));
            case XZ ->
                XZCompressorInputStream.builder()
                        .setInputStream(packed)
                        .setDecompressConcatenated(true)
                        .setMemoryLimitKiB(XZ_MEMORY_KIB)
                        .get();
        };
    }

    /** The JDK's gzip looks for a further member only where {@code available} says that something follows. */
    private static final class Peeking extends BufferedInputStream {
        Peeking(InputStream in) {
            super(in, BUFFER_BYTES);
        }

        @Override
        public synchronized int available() throws IOException {
            mark(1);
            int next = read();
            reset();
            return next < 0 ? 0 : 1;
        }
    }

    /** Gives what was unpacked before the damage, which the library's own reading of many bytes at once would lose. */
    private static final class ByteWise extends InputStream {
        private final InputStream in;
        private IOException damage;

        ByteWise(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            if (damage != null) {
                throw damage;
            }
            return in.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = 0;
            while (count < length) {
                int one;
                try {
                    one = read();
                } catch (IOException e) {
                    if (count == 0) {
                        throw e;
                    }
                    damage = e;
                    return count;
                }
                if (one < 0) {
                    return count == 0 ? -1 : count;
                }
                buffer[offset + count++] = (byte) one;
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
