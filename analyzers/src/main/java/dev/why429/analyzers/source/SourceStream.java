package dev.why429.analyzers.source;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of one source as a stream of UTF-8 bytes: unpacked, without a byte order mark, UTF-16 turned into UTF-8. Damage (a truncated
 * archive, a decompression bomb) ends the stream where it begins and becomes a warning; nothing that could be read before it is lost.
 */
public final class SourceStream extends InputStream {
    /** A stream that unpacks to more than this many times its size is not believed … */
    static final int MAX_RATIO = 200;
    /** … once it has given this many bytes. A log of one repeated line stays far below the ratio. */
    static final long RATIO_FREE_BYTES = 64L << 20;

    private static final int HEAD_BYTES = 4096;

    private final String path;
    private final HashingStream raw;
    private final Compression compression;
    private final InputStream unpacked;
    private final InputStream text;
    private final int markBytes;
    private final List<String> warnings = new ArrayList<>();
    private long unpackedBytes;
    private boolean ended;
    private String sha256 = "";

    private SourceStream(String path, InputStream in) throws IOException {
        this.path = path;
        raw = new HashingStream(in);
        byte[] magic = raw.readNBytes(Compression.MAGIC_BYTES);
        compression = Compression.of(magic, magic.length);
        InputStream packed = new SequenceInputStream(new ByteArrayInputStream(magic), raw);
        unpacked = compression == Compression.NONE ? packed : open(packed);
        byte[] head = readHead();
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), new Guarded());
        Charset wide = Utf16.detect(head);
        if (wide != null) {
            Reader reader = new java.io.InputStreamReader(whole, wide);
            text = new Utf8Stream(reader);
            markBytes = 0;
        } else {
            markBytes = startsWithMark(head) ? 3 : 0;
            whole.skipNBytes(markBytes);
            text = whole;
        }
    }

    static SourceStream open(String path, InputStream in) throws IOException {
        return new SourceStream(path, in);
    }

    private InputStream open(InputStream packed) {
        try {
            return compression.unpack(packed);
        } catch (IOException | RuntimeException e) {
            damaged(e);
            return InputStream.nullInputStream();
        }
    }

    private byte[] readHead() throws IOException {
        byte[] head = new byte[HEAD_BYTES];
        int length = 0;
        InputStream guarded = new Guarded();
        while (length < head.length) {
            int count = guarded.read(head, length, head.length - length);
            if (count < 0) {
                break;
            }
            length += count;
        }
        return java.util.Arrays.copyOf(head, length);
    }

    private static boolean startsWithMark(byte[] head) {
        return head.length >= 3 && (head[0] & 0xff) == 0xef && (head[1] & 0xff) == 0xbb && (head[2] & 0xff) == 0xbf;
    }

    private void damaged(Throwable cause) {
        ended = true;
        String kind = compression == Compression.NONE ? "file" : compression + " data";
        warnings.add("\"" + path + "\": the " + kind + " ends or is damaged after " + unpackedBytes + " bytes of text ("
                + cause.getMessage() + "); what came before was read");
    }

    /** What {@link #unpacked} gives, with damage and bombs ending it. */
    private final class Guarded extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (ended) {
                return -1;
            }
            try {
                int count = unpacked.read(buffer, offset, length);
                if (count < 0) {
                    ended = true;
                    return -1;
                }
                unpackedBytes += count;
                if (compression != Compression.NONE
                        && unpackedBytes > RATIO_FREE_BYTES
                        && unpackedBytes / MAX_RATIO > raw.bytes()) {
                    ended = true;
                    warnings.add("\"" + path + "\": unpacks to more than " + MAX_RATIO
                            + " times its size; only the first " + unpackedBytes
                            + " bytes were read; unpack it yourself if it is what it should be");
                }
                return count;
            } catch (IOException | RuntimeException e) {
                damaged(e);
                return -1;
            }
        }
    }

    @Override
    public int read() throws IOException {
        return text.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        return text.read(buffer, offset, length);
    }

    /** Bytes of a byte order mark that was left out: where the first line starts. */
    long firstOffset() {
        return markBytes;
    }

    /** Bytes read from the disk so far. */
    public long bytesRead() {
        return raw.bytes();
    }

    /** Reads the rest of the file, so that {@link #sha256} is known, and closes it. */
    public void finish() throws IOException {
        if (sha256.isEmpty()) {
            raw.drain();
            sha256 = raw.sha256();
        }
        close();
    }

    /** SHA-256 of the bytes as they lie on the disk, packed ones packed; empty before {@link #finish}. */
    public String sha256() {
        return sha256;
    }

    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public void close() throws IOException {
        unpacked.close();
        raw.close();
    }

    /** UTF-16 by its byte order mark, or by every second byte of the first ones being NUL. */
    private static final class Utf16 {
        private static final int LOOK_AT_BYTES = 256;

        private Utf16() {}

        static Charset detect(byte[] head) {
            if (head.length < 2) {
                return null;
            }
            int mark = ((head[0] & 0xff) << 8) | (head[1] & 0xff);
            if (mark == 0xfeff || mark == 0xfffe) {
                return StandardCharsets.UTF_16;
            }
            int length = Math.min(LOOK_AT_BYTES, head.length) & ~1;
            int evenNuls = 0;
            int oddNuls = 0;
            for (int i = 0; i < length; i += 2) {
                evenNuls += head[i] == 0 ? 1 : 0;
                oddNuls += head[i + 1] == 0 ? 1 : 0;
            }
            int most = length / 2 * 9 / 10;
            if (length < 16 || Math.min(evenNuls, oddNuls) > 0) {
                return null;
            }
            return oddNuls >= most ? StandardCharsets.UTF_16LE : evenNuls >= most ? StandardCharsets.UTF_16BE : null;
        }
    }

    /** Characters as UTF-8 bytes. */
    private static final class Utf8Stream extends InputStream {
        private final Reader reader;
        private final char[] chars = new char[8192];
        private char pendingHigh;
        private byte[] bytes = new byte[0];
        private int position;

        Utf8Stream(Reader reader) {
            this.reader = reader;
        }

        @Override
        public int read() throws IOException {
            return fill() ? bytes[position++] & 0xff : -1;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, bytes.length - position);
            System.arraycopy(bytes, position, buffer, offset, count);
            position += count;
            return count;
        }

        private boolean fill() throws IOException {
            while (position >= bytes.length) {
                int start = 0;
                if (pendingHigh != 0) {
                    chars[start++] = pendingHigh;
                    pendingHigh = 0;
                }
                int count = reader.read(chars, start, chars.length - start);
                if (count < 0 && start == 0) {
                    return false;
                }
                int end = start + Math.max(0, count);
                if (count > 0 && Character.isHighSurrogate(chars[end - 1])) {
                    pendingHigh = chars[--end];
                }
                bytes = new String(chars, 0, end).getBytes(StandardCharsets.UTF_8);
                position = 0;
            }
            return true;
        }
    }
}
