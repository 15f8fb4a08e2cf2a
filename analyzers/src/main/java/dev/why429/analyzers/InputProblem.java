package dev.why429.analyzers;

import java.util.List;

/** The inputs or options cannot be used: every problem at once. */
public final class InputProblem extends RuntimeException {
    /** What kind of problem, so that the command line can choose its exit code. */
    public enum Kind {
        /** wrong option, sources file or existing case: exit code 2 */
        USAGE,
        /** nothing readable: exit code 3 */
        NO_USABLE_INPUT
    }

    private final Kind kind;
    private final transient List<String> problems;

    public InputProblem(Kind kind, List<String> problems) {
        super(String.join("\n", problems));
        this.kind = kind;
        this.problems = List.copyOf(problems);
    }

    public Kind kind() {
        return kind;
    }

    public List<String> problems() {
        return problems;
    }
}
