package dev.why429.analyzers.source;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
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
            case GZIP ->
                GzipCompressorInputStream.builder()
                        .setInputStream(packed)
                        .setDecompressConcatenated(true)
                        .get();
            case ZSTD -> new ZstdInputStream(packed);
            case BZIP2 -> new BZip2CompressorInputStream(packed, true);
            case XZ ->
                XZCompressorInputStream.builder()
                        .setInputStream(packed)
                        .setDecompressConcatenated(true)
                        .setMemoryLimitKiB(XZ_MEMORY_KIB)
                        .get();
        };
    }
}
