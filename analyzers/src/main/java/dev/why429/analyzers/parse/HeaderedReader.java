package dev.why429.analyzers.parse;

/** A reader whose columns a line in the file says: it is told the last such line before the lines that it is given. */
public interface HeaderedReader {
    /** What such a line begins with. */
    String HEADER = "#Fields:";

    /** The line itself, without its end. */
    void header(byte[] bytes, int from, int to);
}
