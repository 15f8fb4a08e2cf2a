package dev.why429.cli;

/** What the process ends with; never depends on the output format. */
public final class ExitCode {
    public static final int DONE = 0;
    /** Findings at or above {@code --fail-on}. */
    public static final int FINDINGS = 1;
    /** Wrong usage or configuration. */
    public static final int USAGE = 2;
    /** Nothing that could be read. */
    public static final int NO_USABLE_INPUT = 3;
    /** A mistake of ours, a full disk, a native part that does not load. */
    public static final int INTERNAL = 4;

    private ExitCode() {}
}
