package dev.why429.analyzers.attribute.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.attribute.Tables;
import dev.why429.analyzers.capture.CapturedResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaTableTest {
    @TempDir
    Path folder;

    @Test
    void linesAndCapturesFillOneTable() {
        try (Tables tables = new Tables(folder)) {
            int app = tables.log("app", "express", "app1");
            tables.request(
                    app,
                    2000,
                    200,
                    "response_headers",
                    "{\"X-RateLimit-Limit\":\"5\",\"x-ratelimit-remaining\":\"4\"}");
            tables.request(
                    app,
                    3000,
                    429,
                    "response_headers",
                    "{\"ratelimit\":[\"limit=5, remaining=0, reset=9\"],\"retry-after\":9}");
            tables.request(app, 4000, 200);
            tables.request(app, 5000, 200, "response_headers", "no json, but a limit");
            tables.captured(new CapturedResponse(
                    "one.http",
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    429,
                    Map.of(),
                    Map.of(
                            "x-ratelimit-limit",
                            List.of("7"),
                            "x-ratelimit-reset",
                            List.of("1796067602"),
                            "date",
                            List.of("Mon, 30 Nov 2026 19:40:00 GMT")),
                    "",
                    Optional.empty()));
            tables.attribute();
            assertThat(tables.store()
                            .query(
                                    "SELECT concat_ws(' ', file, line, capture, dialect, limit_value, remaining, reset_seconds, reset_at,"
                                            + " reset_form, retry_after_at) AS text, exchange IS NOT NULL AS placed FROM quotas ORDER BY file, line, capture",
                                    row -> row.text("text") + " " + row.bool("placed")))
                    .containsExactly(
                            "1 1 x-ratelimit 5.0 4.0 true",
                            "1 2 ratelimit-draft-7 5.0 0.0 9.0 2026-11-30 19:40:12 delta_seconds 2026-11-30 19:40:12 true",
                            "1 x-ratelimit 7.0 2.0 2026-11-30 19:40:02 epoch_seconds false");
        }
    }

    @Test
    void theHashOfTheKeyProvesTheKey() {
        try (Tables tables = new Tables(folder)) {
            // the first 12 hexadecimal digits of the SHA-256 of 127.20.0.10, in base64
            tables.captured(new CapturedResponse(
                    "one.http",
                    1,
                    Optional.empty(),
                    Optional.of("127.20.0.10"),
                    Optional.of("GET"),
                    Optional.of("/a"),
                    Optional.empty(),
                    429,
                    Map.of("x-api-key", List.of("tok_a")),
                    Map.of(
                            "ratelimit", List.of("\"5-in-1min\"; r=0; t=42"),
                            "ratelimit-policy", List.of("\"5-in-1min\"; q=5; w=60; pk=:ODNhNDBkNDgxMTA5:")),
                    "",
                    Optional.empty()));
            assertThat(tables.attribute().captures().get(0).because())
                    .anyMatch(text -> text.contains("key is client_ip"));
        }
    }
}
