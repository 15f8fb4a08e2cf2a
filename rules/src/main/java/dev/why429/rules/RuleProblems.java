package dev.why429.rules;

import java.util.List;
import java.util.stream.Collectors;

/** Every fault of the rule files that were read, at once. */
public final class RuleProblems extends RuntimeException {
    private final transient List<RuleProblem> problems;

    public RuleProblems(List<RuleProblem> problems) {
        super(problems.stream().map(RuleProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<RuleProblem> problems() {
        return problems;
    }
}
