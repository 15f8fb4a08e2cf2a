package dev.why429.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Goes through the usual command lines once, so that the classes they need get into the class-data archive that the launcher has written. What
 * it prints goes nowhere, and it leaves nothing.
 */
final class Rehearsal {
    private static final String LOG = """
            192.0.2.7 - - [30/Nov/2026:19:04:30 +0000] "GET /v1/orders HTTP/1.1" 200 512 "-" "client/1.0"
            192.0.2.7 - - [30/Nov/2026:19:04:30 +0000] "GET /v1/orders HTTP/1.1" 429 19 "-" "client/1.0"
            192.0.2.8 - - [30/Nov/2026:19:04:31 +0000] "GET /v1/orders?page=2 HTTP/1.1" 200 512 "-" "client/1.0"
            """;

    private Rehearsal() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("why429-rehearsal");
        try {
            Terminal nowhere = nowhere();
            Path log = Files.writeString(folder.resolve("access.log"), LOG);
            Path kase = folder.resolve("case");
            Main.run(nowhere, "--help");
            Main.run(nowhere, "investigate", "--help");
            Main.run(nowhere, "formats");
            Main.run(nowhere, "formats", log.toString());
            Main.run(nowhere, "investigate", log.toString(), "-o", kase.toString());
            Main.run(nowhere, "audit", "--help");
            Main.run(nowhere, "query", kase.toString(), "SELECT count(*) FROM requests");
        } finally {
            try (Stream<Path> left = Files.walk(folder)) {
                for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private static Terminal nowhere() {
        PrintStream sink = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new Terminal(sink, sink, false, false);
    }
}
