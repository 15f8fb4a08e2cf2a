package dev.why429.analyzers.parse;

import dev.why429.rules.Fields;
import java.util.Arrays;

/**
 * One line, taken apart: for each field of the dictionary (by its ordinal) a slice of bytes, a number, or nothing. Made once per thread and
 * used again for every line, so that reading a line allocates nothing. Slices point into the line's own buffer or into scratch space that is
 * valid until {@link #clear}.
 */
public final class ParsedLine {
    private static final byte ABSENT = 0;
    private static final byte TEXT = 1;
    private static final byte NUMBER = 2;

    private final byte[] kind;
    private final byte[][] source;
    private final int[] from;
    private final int[] to;
    private final long[] number;
    private byte[] scratch = new byte[4096];
    private int scratchUsed;
    private String rejectReason = "";
    private boolean notice;
    private boolean outerStamped;
    private long outerMicros;
    private long outerResolution;

    public ParsedLine() {
        int fields = Fields.dictionary().all().size();
        kind = new byte[fields];
        source = new byte[fields][];
        from = new int[fields];
        to = new int[fields];
        number = new long[fields];
    }

    public void clear() {
        Arrays.fill(kind, ABSENT);
        scratchUsed = 0;
        rejectReason = "";
        notice = false;
        outerStamped = false;
    }

    public void setText(int field, byte[] bytes, int start, int end) {
        kind[field] = TEXT;
        source[field] = bytes;
        from[field] = start;
        to[field] = end;
    }

    public void setText(int field, byte[] bytes) {
        setText(field, bytes, 0, bytes.length);
    }

    public void setNumber(int field, long value) {
        kind[field] = NUMBER;
        number[field] = value;
    }

    public void remove(int field) {
        kind[field] = ABSENT;
    }

    public boolean has(int field) {
        return kind[field] != ABSENT;
    }

    public boolean isText(int field) {
        return kind[field] == TEXT;
    }

    public boolean isNumber(int field) {
        return kind[field] == NUMBER;
    }

    /** The buffer that the field's slice points into; meaningful when {@link #isText}. */
    public byte[] source(int field) {
        return source[field];
    }

    public int from(int field) {
        return from[field];
    }

    public int to(int field) {
        return to[field];
    }

    public long number(int field) {
        return number[field];
    }

    /** The text of a field, for the few that need more than bytes; empty when absent. */
    public String text(int field) {
        return kind[field] == TEXT
                ? new String(
                        source[field], from[field], to[field] - from[field], java.nio.charset.StandardCharsets.UTF_8)
                : kind[field] == NUMBER ? Long.toString(number[field]) : "";
    }

    /**
     * Space for a value that is not in the line as such (an unescaped one). The array returned by a later call may be another one; offsets
     * of earlier calls stay valid in the array they got.
     *
     * @return offset of the first free byte in {@link #scratch}
     */
    public int reserve(int length) {
        if (scratchUsed + length > scratch.length) {
            scratch = new byte[Math.max(scratch.length * 2, length)];
            scratchUsed = 0;
        }
        int at = scratchUsed;
        scratchUsed += length;
        return at;
    }

    public byte[] scratch() {
        return scratch;
    }

    /** The time that a carrier put beside the line, for lines that have none of their own. */
    void setOuterStamp(long micros, long resolutionMicros) {
        outerStamped = true;
        outerMicros = micros;
        outerResolution = resolutionMicros;
    }

    boolean hasOuterStamp() {
        return outerStamped;
    }

    long outerMicros() {
        return outerMicros;
    }

    long outerResolutionMicros() {
        return outerResolution;
    }

    /** Says that the line is a notice, whatever the lines around it are. */
    void markNotice() {
        notice = true;
    }

    /** Whether the line is a notice though its format's lines are requests. */
    public boolean isNotice() {
        return notice;
    }

    /** Why the line is no row; empty when it is one. */
    public String rejectReason() {
        return rejectReason;
    }

    /** @param reason a short word that is counted: {@code no_status}, {@code not_json}, {@code too_long} */
    public boolean reject(String reason) {
        rejectReason = reason;
        return false;
    }
}
