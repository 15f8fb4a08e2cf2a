package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Logs whose columns a line in the file says. */
class W3cReaderTest {
    private static final String IIS =
            "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken";
    private static final String CLOUDFRONT =
            "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status x-edge-request-id x-host-header time-taken";

    @Test
    void theFieldsLineDecidesTheColumnsAndMayComeAgain() {
        LineReader reader =
                LogFormats.builtIn().compile("iis", FormatHint.none()).newReader();
        String row = "2026-11-30 19:40:02 192.0.2.10 GET /v1/orders - 443 - 203.0.113.24 curl/8.9.1 - 429 0 0 6";

        assertThat(FormatFolder.read(reader, row)).containsEntry("rejected", "no_fields_line");
        assertThat(FormatFolder.read(reader, IIS)).containsEntry("message", IIS);
        assertThat(FormatFolder.read(reader, row))
                .containsEntry("client_ip", "203.0.113.24")
                .containsEntry("status", 429L)
                .containsEntry("duration_micros", 6000L)
                .containsEntry("arrived_at", "2026-11-30T19:40:01.994Z");
        assertThat(FormatFolder.read(reader, "#Fields: date time c-ip sc-status sc-win32-status cs-uri-stem"))
                .containsKey("message");
        assertThat(FormatFolder.read(reader, row)).containsEntry("rejected", "other_columns");
        assertThat(FormatFolder.read(reader, "2026-11-30 19:40:03 203.0.113.25 200 0 /other"))
                .containsEntry("client_ip", "203.0.113.25")
                .containsEntry("path", "/other");
    }

    @Test
    void aServersOwnColumnsTellWhoseLogItIs() {
        assertThat(
                        found(
                                "#Version: 1.0\n" + CLOUDFRONT
                                        + "\n2026-11-30\t19:40:02\tLHR62-P1\t482\t203.0.113.24\tGET\td1.example.net\t/v1/orders\t429\tSOX4\tapi.example.com\t0.014\n"))
                .isEqualTo("cloudfront");
        assertThat(
                        found(
                                "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-11-30 19:40:02\n"
                                        + IIS
                                        + "\n2026-11-30 19:40:02 192.0.2.10 GET /v1/orders - 443 - 203.0.113.24 curl/8.9.1 - 429 0 0 6\n"))
                .isEqualTo("iis");
    }

    private static String found(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new FormatDetector(LogFormats.builtIn())
                .detect(bytes, 0, bytes.length, FormatHint.none())
                .orElseThrow()
                .format()
                .id();
    }
}
