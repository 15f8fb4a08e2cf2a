package dev.why429.analyzers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.why429.analyzers.parse.FormatDetector;
import dev.why429.analyzers.parse.FormatHint;
import dev.why429.analyzers.parse.LogFormats;
import dev.why429.analyzers.source.LogSource;
import dev.why429.analyzers.source.SourceFinder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** nginx's own configuration says how its logs are written. */
class NginxLogFormatsTest {
    private static final String LINE = "1796067602.118|203.0.113.24|429|GET|/v1/orders|0.001|-\n";

    @TempDir
    Path folder;

    @Test
    void theFormatOfAnIncludedFileIsFoundByTheLogsName() throws IOException {
        Files.createDirectories(folder.resolve("conf.d"));
        Files.writeString(
                folder.resolve("nginx.conf"), "http {\n  include conf.d/*.conf;\n  include /etc/passwd;\n}\n");
        Files.writeString(folder.resolve("conf.d/log.conf"), """
                log_format pipes '$msec|$remote_addr|$status|'
                    '$request_method|$request_uri|$request_time|$upstream_status';
                server { access_log /var/log/nginx/edge.log pipes; }
                """);
        Files.writeString(folder.resolve("edge.log"), LINE.repeat(3));
        LogSource log = SourceFinder.find(
                        List.of("edge.log"), Optional.empty(), List.of(), folder, InputStream.nullInputStream())
                .logs()
                .get(0);
        byte[] head = log.sample();
        FormatDetector.Verdict verdict = NginxLogFormats.read(folder.resolve("nginx.conf"))
                .detect(log, head, new FormatDetector(LogFormats.builtIn()), FormatHint.none())
                .orElseThrow();

        assertThat(verdict.score()).isEqualTo(1);
        assertThat(verdict.format().component()).isEqualTo("nginx");
        assertThat(verdict.format().fields())
                .extracting("name")
                .contains("client_ip", "status", "path", "duration_micros", "upstream_status");
    }

    @Test
    void aConfigurationWithoutAFormatIsAMistake() throws IOException {
        Files.writeString(folder.resolve("nginx.conf"), "events {}\n");
        assertThatThrownBy(() -> NginxLogFormats.read(folder.resolve("nginx.conf")))
                .hasMessageContaining("declares no log_format");
        assertThatThrownBy(() -> NginxLogFormats.read(folder.resolve("none.conf")))
                .hasMessageContaining("cannot be read");
    }
}
