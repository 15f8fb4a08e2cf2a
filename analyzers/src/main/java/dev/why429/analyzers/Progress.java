package dev.why429.analyzers;

/** Is told how a long run goes on. Called from several threads. */
public interface Progress {
    Progress SILENT = new Progress() {};

    /** A stage begins: {@code reading}, {@code joining}, … */
    default void stage(String name) {}

    /** How much of the input has been read; the total is 0 when unknown (a pipe). */
    default void read(long bytes, long totalBytes, long lines) {}
}
