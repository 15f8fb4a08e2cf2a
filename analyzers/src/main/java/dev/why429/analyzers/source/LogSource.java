package dev.why429.analyzers.source;

import java.io.IOException;
import java.time.ZoneId;
import java.util.Optional;

/**
 * One log to be read.
 *
 * @param number 1 for F1; members of a rotated set have numbers of their own
 * @param path as a person would name it
 * @param layer cdn, gateway, app or third_party, where the sources file or {@code --as} says it
 * @param component where they say it
 * @param node where they say it, else taken from the name: {@code pod1.ndjson.gz} is of {@code pod1}
 * @param zone of stamps that bear none, where the sources file says it
 * @param logFormat a format's id or a log_format string, where the sources file says it
 * @param described whether the sources file or {@code --as} speaks of it at all
 */
public record LogSource(
        int number,
        String path,
        Optional<String> layer,
        Optional<String> component,
        String node,
        Optional<ZoneId> zone,
        Optional<String> logFormat,
        boolean described,
        Content content) {
    private static final int SAMPLE_BYTES = 256 << 10;

    /** {@code F1} */
    public String id() {
        return "F" + number;
    }

    LogSource numbered(int newNumber) {
        return new LogSource(newNumber, path, layer, component, node, zone, logFormat, described, content);
    }

    public SourceStream open() throws IOException {
        return content.open();
    }

    /** The beginning of the unpacked text (at most 256 KiB; its last line may be cut), for finding out the format. */
    public byte[] sample() throws IOException {
        return content.head(SAMPLE_BYTES);
    }
}
