package dev.why429.analyzers.parse;

/** Reads lines of one format. One instance per thread. */
public interface LineReader {
    /**
     * Takes one line apart. Fills every field that the line has, also {@code logged_at}, {@code arrived_at},
     * {@code arrival_uncertainty_micros} and {@code duration_micros}, but not {@code file}, {@code line} and {@code byte_offset}.
     *
     * @param from first byte of the line
     * @param to one past its last byte, the line end left out
     * @param line cleared by the caller
     * @return false when it is no line of this format; {@link ParsedLine#rejectReason} says why
     */
    boolean read(byte[] bytes, int from, int to, ParsedLine line);
}
