package dev.why429.rules;

/**
 * One fault of one rule file.
 *
 * @param file where the rule lies, as a person would open it
 * @param line first line is 1; 0 when the fault has no line (a missing file, say)
 * @param message one sentence: the value in quotes, what was expected
 */
public record RuleProblem(String file, int line, String message) {
    @Override
    public String toString() {
        return line > 0 ? file + ":" + line + ": " + message : file + ": " + message;
    }
}
