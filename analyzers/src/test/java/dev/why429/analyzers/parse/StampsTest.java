package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StampsTest {
    private final Stamps stamps = new Stamps(ZoneId.of("Europe/Berlin"));

    private boolean read(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return stamps.read(bytes, 0, bytes.length);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30/Nov/2026:19:40:02 +0000     | 2026-11-30T19:40:02Z        | 1000000 | true
            30/Nov/2026:19:40:02 -0330     | 2026-11-30T23:10:02Z        | 1000000 | true
            30/Nov/2026:19:49:59.247       | 2026-11-30T18:49:59.247Z    | 1000    | false
            30/Jun/2026:19:49:59           | 2026-06-30T17:49:59Z        | 1000000 | false
            2026-11-30T19:40:02Z           | 2026-11-30T19:40:02Z        | 1000000 | true
            2026-11-30T19:40:02.117Z       | 2026-11-30T19:40:02.117Z    | 1000    | true
            2026-11-30T19:40:02.124518312Z | 2026-11-30T19:40:02.124518Z | 1       | true
            2026-11-30T19:40:02+07:00      | 2026-11-30T12:40:02Z        | 1000000 | true
            2026-11-30 19:40:02,117        | 2026-11-30T18:40:02.117Z    | 1000    | false
            2026-11-30 19:40:02 +0100      | 2026-11-30T18:40:02Z        | 1000000 | true
            2026/11/30 20:11:09            | 2026-11-30T19:11:09Z        | 1000000 | false
            Mon, 30 Nov 2026 19:40:02 GMT  | 2026-11-30T19:40:02Z        | 1000000 | true
            1796067602                     | 2026-11-30T19:40:02Z        | 1000000 | true
            1796067602.118                 | 2026-11-30T19:40:02.118Z    | 1000    | true
            1796067602117                  | 2026-11-30T19:40:02.117Z    | 1000    | true
            1796067602117456               | 2026-11-30T19:40:02.117456Z | 1       | true
            1796067602117456789            | 2026-11-30T19:40:02.117456Z | 1       | true
            2024-02-29T00:00:00Z           | 2024-02-29T00:00:00Z        | 1000000 | true
            2016-12-31T23:59:60Z           | 2016-12-31T23:59:59Z        | 1000000 | true
            """)
    void shapesZonesAndResolutions(String text, String instant, long resolutionMicros, boolean zoneInLine) {
        assertThat(read(text)).isTrue();
        assertThat(Instant.EPOCH.plus(stamps.micros(), ChronoUnit.MICROS)).isEqualTo(Instant.parse(instant));
        assertThat(stamps.resolutionMicros()).isEqualTo(resolutionMicros);
        assertThat(stamps.zoneInLine()).isEqualTo(zoneInLine);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "31/Feb/2026:19:40:02 +0000",
                "30/Noe/2026:19:40:02 +0000",
                "30/Nov/2026:24:40:02 +0000",
                "30/Nov/2026:19:60:02 +0000",
                "00/Nov/2026:19:40:02 +0000",
                "30/Nov/2026:19:40:02 +9900",
                "2025-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-11-30T19:40:02.Z",
                "2026-11-30T19:40:02 yesterday",
                "17960676",
                "1796067602.11x",
                "-1796067602",
                "today",
                ""
            })
    void whatIsNoMomentIsNoStamp(String text) {
        assertThat(read(text)).isFalse();
    }

    @Test
    void theLastSecondIsKeptButNotConfusedWithAnother() {
        assertThat(read("30/Nov/2026:19:40:02 +0000")).isTrue();
        long first = stamps.micros();
        assertThat(read("30/Nov/2026:19:40:02 +0000")).isTrue();
        assertThat(stamps.micros()).isEqualTo(first);
        assertThat(read("30/Nov/2026:19:40:02 +0030")).isTrue();
        assertThat(stamps.micros()).isEqualTo(first - 1_800_000_000L);
        assertThat(read("30/Nov/2026:19:40:03 +0000")).isTrue();
        assertThat(stamps.micros()).isEqualTo(first + 1_000_000L);
    }

    @Test
    void summerTimeEndsAtItsHour() {
        assertThat(read("2026/10/25 01:59:59")).isTrue();
        long summer = stamps.micros();
        assertThat(read("2026/10/25 03:00:00")).isTrue();
        assertThat(stamps.micros() - summer).isEqualTo(3_601_000_000L + 3_600_000_000L);
    }
}
