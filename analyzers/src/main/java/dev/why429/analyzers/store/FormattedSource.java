package dev.why429.analyzers.store;

import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.source.LogSource;

/** A log and how its lines are to be read. */
public record FormattedSource(LogSource source, LogFormat format) {}
