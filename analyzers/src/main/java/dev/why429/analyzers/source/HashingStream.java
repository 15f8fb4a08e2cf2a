package dev.why429.analyzers.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes and counts the bytes as they lie on the disk, while something else reads them. */
final class HashingStream extends FilterInputStream {
    private final MessageDigest digest;
    private long bytes;
    private boolean ended;

    HashingStream(InputStream in) {
        super(in);
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        // whoever reads to the end may close this, and somebody else may ask again
        int count = ended ? -1 : super.read(buffer, offset, length);
        ended |= count < 0;
        if (count > 0) {
            digest.update(buffer, offset, count);
            bytes += count;
        }
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        byte[] buffer = new byte[(int) Math.min(8192, Math.max(0, count))];
        return Math.max(0, read(buffer, 0, buffer.length));
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    long bytes() {
        return bytes;
    }

    /** Reads what nobody asked for, so that the hash is that of the whole file. */
    void drain() throws IOException {
        byte[] buffer = new byte[1 << 16];
        while (read(buffer, 0, buffer.length) >= 0) {
            // the reading is the purpose
        }
    }

    /** To be asked once, at the end. */
    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
