package dev.why429.analyzers.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Findings that are known already: one fingerprint a line, with the pitfall and the path behind it for people. */
public final class Baseline {
    private Baseline() {}

    /** @throws IOException when the file cannot be read */
    static Set<String> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> line.split("\\s+", 2)[0])
                .collect(Collectors.toSet());
    }

    /** The text of a baseline that knows these findings. */
    public static String write(List<AuditFinding> findings) {
        return "# why429 baseline: known findings; only what is new fails\n"
                + findings.stream()
                        .map(f -> f.fingerprint() + " " + f.rule().id() + " "
                                + f.place().file())
                        .sorted()
                        .distinct()
                        .collect(Collectors.joining("\n"))
                + "\n";
    }
}
