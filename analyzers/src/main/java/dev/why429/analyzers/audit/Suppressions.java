package dev.why429.analyzers.audit;

import dev.why429.analyzers.audit.read.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Comments that silence a pitfall: {@code # why429: ignore[pitfall-id] reason}, on the finding's line or on the lines above it. Without a reason it silences nothing. */
final class Suppressions {
    // # why429: ignore[state-per-process, boundary-burst] one pod only
    private static final Pattern COMMENT =
            Pattern.compile("(?:#|//|--|;|/\\*|<!--)\\s?why429: ?ignore\\[([a-z0-9, -]{1,200})\\]([^\\n]*)");

    private Suppressions() {}

    /** @return the place and the reason of the comment that silences the pitfall at the place */
    static Optional<AuditReport.Silenced> find(AuditFinding finding, SourceFile file) {
        int line = finding.place().line();
        for (int at = line; at >= 1; at--) {
            Matcher comment = COMMENT.matcher(file.line(at));
            boolean found = comment.find();
            if (found
                    && List.of(comment.group(1).replace(" ", "").split(",", -1))
                            .contains(finding.rule().id())) {
                String reason =
                        comment.group(2).replace("*/", "").replace("-->", "").strip();
                if (reason.isEmpty()) {
                    return Optional.empty();
                }
                return Optional.of(
                        new AuditReport.Silenced(finding, new Place(file.path(), at, comment.start() + 1), reason));
            }
            if (!found && at < line) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
