package dev.why429.analyzers.source;

/** A run of whole lines of one source. Made once per thread and filled again and again. */
public final class Segment {
    byte[] bytes;
    int end;
    long firstLine;
    long byteOffset;
    int lines;
    boolean tooLong;
    byte[] header = new byte[0];

    public Segment() {
        bytes = new byte[SegmentReader.SEGMENT_BYTES];
    }

    /** Makes it one without lines. */
    public void clear() {
        end = 0;
        lines = 0;
        tooLong = false;
    }

    /** The lines are in {@code [0, end)}; the last one ends with a line feed unless the source does not. */
    public byte[] bytes() {
        return bytes;
    }

    public int end() {
        return end;
    }

    /** Number of the first line, 1 being the source's first. */
    public long firstLine() {
        return firstLine;
    }

    /** Where the first line starts in the unpacked source. */
    public long byteOffset() {
        return byteOffset;
    }

    /** How many lines, counted by their line feeds. */
    public int lines() {
        return lines;
    }

    /** The last line before these that begins with {@code #Fields:}; empty when there is none. */
    public byte[] header() {
        return header;
    }

    /** This is the beginning of one line that is longer than {@link SegmentReader#MAX_LINE_BYTES}; its rest was skipped. */
    public boolean tooLong() {
        return tooLong;
    }
}
