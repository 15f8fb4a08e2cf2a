package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file that is not of one format is read line by line, each line by the format that reads it. */
class OtherFormatsTest {
    private static final LogFormats FORMATS = LogFormats.builtIn();
    private static final String COMBINED =
            "203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders HTTP/2.0\" 429 169 \"-\" \"curl/8.9.1\"";
    private static final String NGINX_ERROR =
            "2026/11/30 19:41:02 [error] 31#31: *48213 limiting requests, excess: 20.300 by zone \"per_ip\", client: 203.0.113.24, server: a";
    private static final String ENVOY =
            "{\"start_time\":\"2026-11-30T19:40:02.117Z\",\"path\":\"/v1/orders\",\"response_code\":429,\"response_flags\":\"RL\"}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '\t',
            quoteCharacter = '`',
            value = {
                "nginx-error\ttrue\t" + NGINX_ERROR,
                "envoy-json\tfalse\t" + ENVOY,
                "ndjson\ttrue\t{\"time\":\"2026-11-30T19:40:02Z\",\"msg\":\"started\"}",
                "words\ttrue\t2026-11-30T19:40:02Z WARN limiter key=acme count=301 limit=300 allowed=false",
                "\tfalse\t2026-11-30T19:40:02.117Z GET /v1/ord",
                "\tfalse\t203.0.113.24 - - [30/Nov/2026:19:40:02 +0000] \"GET /v1/orders",
                "\tfalse\t{\"status\":"
            })
    void aLineIsReadByTheFormatThatReadsIt(String format, boolean notice, String line) {
        OtherFormats.Reader reader = new OtherFormats(FORMATS, FormatHint.none(), "clf").newReader();
        ParsedLine parsed = new ParsedLine();
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);

        assertThat(reader.read(bytes, 0, bytes.length, parsed).map(LogFormat::id))
                .isEqualTo(Optional.ofNullable(format));
        assertThat(format != null && parsed.isNotice()).isEqualTo(notice);
    }

    @Test
    void theFormatOfTheLargerPartIsTheFiles() {
        String text = (COMBINED + "\n").repeat(8) + (NGINX_ERROR + "\n").repeat(5) + (ENVOY + "\n").repeat(4);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        FormatDetector.Verdict verdict = new FormatDetector(FORMATS)
                .detect(bytes, 0, bytes.length, FormatHint.none())
                .orElseThrow();

        assertThat(verdict.format().id()).isEqualTo("clf");
        assertThat(verdict.matched()).isEqualTo(8);
        assertThat(verdict.lines()).isEqualTo(17);
    }
}
