package dev.why429.analyzers.store;

import java.util.List;
import java.util.Map;

/**
 * What became of one log. {@code lines = requests + notices + rejected}, always.
 *
 * @param sha256 of the bytes as they lie on the disk
 * @param rejectedByReason how many lines were rejected for which reason; sorted by reason
 * @param warnings whole sentences: a truncated archive, a file that could not be read to its end
 */
public record FileResult(
        FormattedSource input,
        String sha256,
        long lines,
        long requests,
        long notices,
        long rejected,
        Map<String, Long> rejectedByReason,
        List<String> warnings) {}
