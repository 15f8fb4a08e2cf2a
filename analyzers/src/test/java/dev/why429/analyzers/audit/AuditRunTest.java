package dev.why429.analyzers.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.AuditReport.FailOn;
import dev.why429.rules.Rulebook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditRunTest {
    private static final Rulebook RULES = Rulebook.builtIn();
    private static final String WITHOUT_STATUS = """
            http {
              limit_req_zone $binary_remote_addr zone=a:1m rate=5r/s;
              server {
                limit_req zone=a burst=9;
              }
            }
            """;
    private static final String BOMB = """
            a: &a [x,x,x,x,x,x,x,x,x]
            b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
            c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
            d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]
            e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]
            f: [*e,*e,*e,*e,*e,*e,*e,*e,*e]
            """;

    @TempDir
    Path root;

    private AuditReport audit() {
        return AuditRun.run(AuditRequest.of(root), RULES);
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void a_finding_says_where_and_decides_the_exit_code() throws IOException {
        write("nginx.conf", WITHOUT_STATUS);
        AuditReport report = audit();
        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule().id()).isEqualTo("status-not-429");
            assertThat(finding.place()).isEqualTo(new Place("nginx.conf", 4, 5));
        });
        assertThat(report.exitCode(FailOn.ERROR)).isZero();
        assertThat(report.exitCode(FailOn.WARNING)).isOne();
        assertThat(report.exitCode(FailOn.NEVER)).isZero();
    }

    @Test
    void a_comment_silences_one_pitfall_and_is_counted() throws IOException {
        write(
                "nginx.conf",
                WITHOUT_STATUS.replace(
                        "    limit_req zone",
                        "    # why429: ignore[status-not-429] the edge maps it\n    limit_req zone"));
        AuditReport report = audit();
        assertThat(report.findings()).isEmpty();
        assertThat(report.silenced()).singleElement().satisfies(silenced -> {
            assertThat(silenced.reason()).isEqualTo("the edge maps it");
            assertThat(silenced.comment().line()).isEqualTo(4);
        });
    }

    @Test
    void a_baseline_knows_a_finding_though_its_line_has_moved() throws IOException {
        write("nginx.conf", WITHOUT_STATUS);
        Path baseline = root.resolve("baseline.txt");
        Files.writeString(baseline, Baseline.write(audit().findings()));
        write("nginx.conf", "# moved\n\n" + WITHOUT_STATUS);
        AuditReport report = AuditRun.run(AuditRequest.of(root).knowing(baseline), RULES);
        assertThat(report.findings()).isEmpty();
        assertThat(report.known()).hasSize(1);
    }

    @Test
    void pitfalls_can_be_chosen_and_left_out_by_id() throws IOException {
        write("nginx.conf", WITHOUT_STATUS);
        assertThat(AuditRun.run(AuditRequest.of(root).ignoring(Set.of("status-not-429")), RULES)
                        .findings())
                .isEmpty();
        assertThat(AuditRun.run(AuditRequest.of(root).selecting(Set.of("burst-too-small")), RULES)
                        .findings())
                .isEmpty();
        assertThatThrownBy(() -> AuditRun.run(AuditRequest.of(root).selecting(Set.of("no-such")), RULES))
                .isInstanceOf(InputProblem.class)
                .hasMessageContaining("\"no-such\"");
    }

    @Test
    void what_cannot_be_read_is_told_and_the_rest_is_still_audited() throws IOException {
        write("nginx.conf", WITHOUT_STATUS);
        write("bomb.yaml", BOMB);
        write("deep.yaml", "[".repeat(20_000));
        write("deep.js", "limiter(" + "[".repeat(2_000) + "]".repeat(2_000) + ")");
        write("open.conf", "server { listen 80; ".repeat(300));
        Files.write(root.resolve("latin.js"), new byte[] {'l', 'i', (byte) 0xE9, 'm'});
        Files.createSymbolicLink(root.resolve("out.conf"), Path.of("/etc/hostname"));
        AuditReport report = audit();
        assertThat(report.findings()).extracting(f -> f.place().file()).containsOnly("nginx.conf");
        assertThat(report.unread())
                .extracting(u -> u.place().file())
                .contains("bomb.yaml", "deep.yaml", "deep.js", "open.conf", "latin.js")
                .doesNotContain("out.conf");
    }

    @Test
    void a_path_outside_the_root_is_refused() {
        assertThatThrownBy(() -> AuditRun.run(AuditRequest.of(root).withPaths(List.of(Path.of(".."))), RULES))
                .isInstanceOf(InputProblem.class)
                .hasMessageContaining("outside");
    }

    /** Loads the audit with a class loader that knows no DuckDB, no Lettuce, no FreeMarker. */
    @Test
    void it_starts_without_the_heavy_libraries() throws Exception {
        write("nginx.conf", WITHOUT_STATUS);
        write(
                "limit.js",
                "const { rateLimit } = require(\"express-rate-limit\");\nmodule.exports = rateLimit({ limit: 5 });\n");
        ClassLoader refusing = new Refusing(AuditRunTest.class.getClassLoader());
        Object request = Class.forName(AuditRequest.class.getName(), true, refusing)
                .getMethod("of", Path.class)
                .invoke(null, root);
        Class<?> run = Class.forName(AuditRun.class.getName(), true, refusing);
        Object report = run.getMethod("run", request.getClass()).invoke(null, request);
        assertThat(report.toString()).contains("status-not-429");
        assertThat(report.getClass().getClassLoader()).isSameAs(refusing);
    }

    private static final class Refusing extends ClassLoader {
        Refusing(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.duckdb") || name.startsWith("io.lettuce") || name.startsWith("freemarker")) {
                throw new ClassNotFoundException("the audit must not need " + name);
            }
            if (!name.startsWith("dev.why429.analyzers")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
