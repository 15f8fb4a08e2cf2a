package dev.why429.analyzers.source;

import java.util.List;

/**
 * What lies in the inputs, sorted by path.
 *
 * @param logs to be read; numbered from 1
 * @param notRead everything else, each with its reason, so that no file is passed over in silence
 * @param warnings whole sentences for the person
 */
public record FoundSources(
        List<LogSource> logs,
        List<CaptureSource> captures,
        List<ConfigSource> configs,
        List<NotRead> notRead,
        List<String> warnings) {
    public FoundSources {
        logs = List.copyOf(logs);
        captures = List.copyOf(captures);
        configs = List.copyOf(configs);
        notRead = List.copyOf(notRead);
        warnings = List.copyOf(warnings);
    }
}
