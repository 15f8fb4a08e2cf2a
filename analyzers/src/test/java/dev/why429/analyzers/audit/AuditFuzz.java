package dev.why429.analyzers.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.InputProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Any bytes as a configuration or a program: the first byte says which. Findings and what could not be read, and nothing is thrown. */
public final class AuditFuzz {
    private static final List<String> NAMES = List.of(
            "nginx.conf",
            "kong.yaml",
            "haproxy.cfg",
            "Caddyfile",
            "main.tf",
            "app.js",
            "app.ts",
            "app.py",
            "App.java",
            "limit.lua",
            "main.go",
            "app.rb",
            "app.php",
            "App.cs",
            "main.rs",
            "package.json",
            "docker-compose.yml",
            "application.properties",
            "application.yml",
            "traefik.toml");

    private AuditFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        if (data.length == 0) {
            return;
        }
        Path folder = Files.createTempDirectory("why429-fuzz");
        Path file = folder.resolve(NAMES.get((data[0] & 0xff) % NAMES.size()));
        try {
            Files.write(file, Arrays.copyOfRange(data, 1, data.length));
            AuditRun.run(AuditRequest.of(folder));
        } catch (InputProblem e) {
            // the only file cannot be read, and a person is told so
            assertThat(e.problems()).isNotEmpty();
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    /** @return the first byte for a file of that name; -1 for one of a kind that is not tried */
    public static int kind(String fileName) {
        for (int i = 0; i < NAMES.size(); i++) {
            String name = NAMES.get(i);
            int dot = name.lastIndexOf('.');
            if (fileName.equals(name) || (dot >= 0 && fileName.endsWith(name.substring(dot)))) {
                return i;
            }
        }
        return -1;
    }
}
