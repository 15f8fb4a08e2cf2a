package dev.why429.analyzers.store;

import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.parse.OtherFormats;
import dev.why429.analyzers.source.LogSource;
import java.util.Optional;

/**
 * A log and how its lines are to be read.
 *
 * @param others what lines that are not of the format may be; empty when they are to be rejected
 */
public record FormattedSource(LogSource source, LogFormat format, Optional<OtherFormats> others) {
    public FormattedSource(LogSource source, LogFormat format) {
        this(source, format, Optional.empty());
    }
}
