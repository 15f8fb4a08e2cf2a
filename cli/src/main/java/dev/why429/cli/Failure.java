package dev.why429.cli;

import dev.why429.analyzers.CaseFolder;
import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.replay.RedisProblem;
import dev.why429.rules.RuleProblems;

/** What went wrong, as sentences and an exit code. */
record Failure(String message, int exitCode) {
    static Failure of(Throwable thrown) {
        if (thrown instanceof InputProblem problem) {
            int code = problem.kind() == InputProblem.Kind.USAGE ? ExitCode.USAGE : ExitCode.NO_USABLE_INPUT;
            return new Failure(problem.getMessage(), code);
        }
        if (thrown instanceof RuleProblems problems) {
            return new Failure(problems.getMessage(), ExitCode.USAGE);
        }
        if (thrown instanceof CaseFolder.CannotWrite || thrown instanceof RedisProblem) {
            return new Failure(String.valueOf(thrown.getMessage()), ExitCode.USAGE);
        }
        if (thrown instanceof OutOfMemoryError) {
            return new Failure("the memory is used up; give the JVM more: WHY429_HEAP=2g", ExitCode.INTERNAL);
        }
        String what = thrown.getMessage() == null
                ? ""
                : ": " + thrown.getMessage().lines().findFirst().orElse("");
        return new Failure(
                "internal failure: " + thrown.getClass().getSimpleName() + what + " (-v shows where)",
                ExitCode.INTERNAL);
    }
}
