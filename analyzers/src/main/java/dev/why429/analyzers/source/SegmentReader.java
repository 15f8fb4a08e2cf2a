package dev.why429.analyzers.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts one source into segments at line feeds; works alike for files, unpacking streams and pipes. Several threads may ask in turn; each gets
 * the next segment with the number and the place of its first line.
 */
public final class SegmentReader implements AutoCloseable {
    /** Big enough that a thread's work on one outweighs the waiting for it, small enough to stay in the processor's cache. */
    static final int SEGMENT_BYTES = 1 << 20;
    /** No access log that we know writes longer lines: servers cap the request line and headers far below. */
    public static final int MAX_LINE_BYTES = 256 << 10;
    /** What is kept of a line that is too long. */
    public static final int KEPT_OF_LONG_LINE_BYTES = 2 << 10;

    private static final byte[] FIELDS = "#Fields:".getBytes(StandardCharsets.US_ASCII);

    private final SourceStream in;
    private byte[] carry = new byte[1 << 16];
    private int carried;
    private long nextLine = 1;
    private long nextOffset;
    private boolean ended;
    private boolean skipping;
    private boolean headered;
    private byte[] header = new byte[0];

    public SegmentReader(SourceStream in) {
        this.in = in;
        nextOffset = in.firstOffset();
    }

    /** @return false when there is nothing more */
    public synchronized boolean next(Segment segment) throws IOException {
        if (skipping) {
            skipLongLine();
        }
        byte[] bytes = segment.bytes;
        System.arraycopy(carry, 0, bytes, 0, carried);
        int length = carried;
        carried = 0;
        while (!ended && length < bytes.length) {
            int count = in.read(bytes, length, bytes.length - length);
            if (count < 0) {
                ended = true;
            } else {
                length += count;
            }
        }
        if (length == 0) {
            return false;
        }
        int lastFeed = LineFeeds.last(bytes, 0, length);
        int end = ended ? length : lastFeed + 1;
        segment.tooLong = lastFeed < 0 && length > MAX_LINE_BYTES;
        segment.firstLine = nextLine;
        segment.byteOffset = nextOffset;
        if (segment.tooLong) {
            segment.end = KEPT_OF_LONG_LINE_BYTES;
            segment.lines = 1;
            nextOffset += length;
            nextLine++;
            skipping = !ended;
            return true;
        }
        segment.end = end;
        headered |= nextLine == 1 && bytes[0] == '#';
        segment.header = header;
        if (headered) {
            rememberHeader(bytes, end);
        }
        segment.lines = LineFeeds.count(bytes, 0, end) + (end > 0 && bytes[end - 1] != '\n' ? 1 : 0);
        nextLine += segment.lines;
        nextOffset += end;
        keep(bytes, end, length);
        return true;
    }

    /** A log whose first line begins with # may say anew which columns it has (W3C's extended format). */
    private void rememberHeader(byte[] bytes, int end) {
        for (int at = 0; at < end; ) {
            int feed = LineFeeds.find(bytes, at, end);
            int to = feed < 0 ? end : feed;
            if (bytes[at] == '#'
                    && to - at > FIELDS.length
                    && Arrays.equals(bytes, at, at + FIELDS.length, FIELDS, 0, FIELDS.length)) {
                header = Arrays.copyOfRange(bytes, at, bytes[to - 1] == '\r' ? to - 1 : to);
            }
            at = to + 1;
        }
    }

    private void keep(byte[] bytes, int from, int to) {
        carried = to - from;
        if (carry.length < carried) {
            carry = new byte[Math.max(carried, carry.length * 2)];
        }
        System.arraycopy(bytes, from, carry, 0, carried);
    }

    private void skipLongLine() throws IOException {
        skipping = false;
        byte[] buffer = new byte[1 << 16];
        int count;
        while ((count = in.read(buffer, 0, buffer.length)) >= 0) {
            int feed = LineFeeds.find(buffer, 0, count);
            if (feed >= 0) {
                nextOffset += feed + 1;
                keep(buffer, feed + 1, count);
                return;
            }
            nextOffset += count;
        }
        ended = true;
    }

    public synchronized long bytesRead() {
        return in.bytesRead();
    }

    /** Reads the rest, so that the hash is known. */
    public synchronized void finish() throws IOException {
        in.finish();
    }

    /** SHA-256 of the bytes on the disk, after {@link #finish}. */
    public synchronized String sha256() {
        return in.sha256();
    }

    public synchronized List<String> warnings() {
        return in.warnings();
    }

    @Override
    public synchronized void close() throws IOException {
        in.close();
    }
}
