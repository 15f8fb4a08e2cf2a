package dev.why429.analyzers.attribute.quota;

import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.store.TableWriter;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The table {@code quotas}: one row per policy that one response names, a logged one (file, line) or a captured one (capture). Rows of a response
 * that only says how long to wait have the dialect {@code retry-after}.
 */
public final class QuotaTable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LONGEST_HEADERS = 64 * 1024;

    private final TableWriter writer;

    private QuotaTable(TableWriter writer) {
        this.writer = writer;
    }

    /** Needs {@code requests}, {@code exchange_lines}, {@code captures} and {@code capture_matches}. */
    public static void fill(CaseStore store) {
        store.execute(
                "CREATE TABLE quotas(file INTEGER, line BIGINT, capture INTEGER, exchange BIGINT, dialect VARCHAR,"
                        + " policy VARCHAR, limit_value DOUBLE, remaining DOUBLE, reset_seconds DOUBLE, reset_at TIMESTAMP,"
                        + " window_seconds DOUBLE, partition_key VARCHAR, retry_after_seconds DOUBLE, retry_after_at TIMESTAMP,"
                        + " reset_form VARCHAR, retry_after_form VARCHAR)");
        List<Long> files = store.query("""
                SELECT DISTINCT file FROM requests WHERE contains(response_headers, 'limit') OR contains(response_headers, 'retry')
                ORDER BY file""", row -> row.integer("file"));
        try (TableWriter writer = store.writer("quotas")) {
            QuotaTable table = new QuotaTable(writer);
            for (long file : files) {
                store.forEach(
                        """
                        SELECT r.line, e.exchange, r.logged_at, r.response_headers FROM requests r
                        LEFT JOIN exchange_lines e ON e.file = r.file AND e.line = r.line
                        WHERE r.file = ? AND (contains(r.response_headers, 'limit') OR contains(r.response_headers, 'retry'))""",
                        row -> table.add(
                                new Origin(file, row.integer("line"), 0, exchange(row)),
                                row.text("response_headers"),
                                stamp(row, "logged_at")),
                        file);
            }
            store.forEach(
                    "SELECT c.capture, m.exchange, c.captured_at, c.response_headers FROM captures c"
                            + " LEFT JOIN capture_matches m USING (capture)",
                    row -> table.add(
                            new Origin(0, 0, row.integer("capture"), exchange(row)),
                            row.text("response_headers"),
                            stamp(row, "captured_at")));
        }
    }

    /** Where a response was seen: in a line of a log, or in a capture; the other is 0. */
    private record Origin(long file, long line, long capture, Optional<Long> exchange) {}

    private static Optional<Long> exchange(CaseStore.Row row) {
        return row.has("exchange") ? Optional.of(row.integer("exchange")) : Optional.empty();
    }

    private static Optional<Instant> stamp(CaseStore.Row row, String column) {
        return row.has(column) ? Optional.of(row.instant(column)) : Optional.empty();
    }

    private void add(Origin origin, String json, Optional<Instant> logged) {
        Map<String, String> headers = headers(json);
        Optional<Instant> clock = Optional.ofNullable(headers.get("date"))
                .flatMap(QuotaTable::date)
                .or(() -> logged);
        for (Quota quota : ResponseQuotas.read(headers, clock)) {
            write(origin, quota);
        }
    }

    private static Map<String, String> headers(String json) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (json.isEmpty() || json.length() > LONGEST_HEADERS) {
            return headers;
        }
        try {
            for (Map.Entry<String, JsonNode> header : JSON.readTree(json).properties()) {
                String name = header.getKey().toLowerCase(Locale.ROOT);
                if (ResponseQuotas.isAboutQuotas(name) || name.equals("date")) {
                    headers.put(name, text(header.getValue()));
                }
            }
        } catch (JacksonException e) {
            return Map.of();
        }
        return headers;
    }

    private static String text(JsonNode value) {
        if (!value.isArray()) {
            return value.asString("");
        }
        StringBuilder all = new StringBuilder();
        value.forEach(item -> all.append(all.isEmpty() ? "" : ", ").append(item.asString("")));
        return all.toString();
    }

    private static Optional<Instant> date(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private void write(Origin origin, Quota quota) {
        boolean logged = origin.capture() == 0;
        number(logged ? Optional.of(origin.file()) : Optional.empty());
        number(logged ? Optional.of(origin.line()) : Optional.empty());
        number(logged ? Optional.empty() : Optional.of(origin.capture()));
        number(origin.exchange());
        writer.text(quota.dialect());
        text(quota.policy());
        decimal(quota.limit());
        decimal(quota.remaining());
        decimal(quota.reset().flatMap(WaitTime::seconds));
        moment(quota.reset().flatMap(WaitTime::at));
        decimal(quota.windowSeconds());
        text(quota.partitionKey());
        decimal(quota.retryAfter().flatMap(WaitTime::seconds));
        moment(quota.retryAfter().flatMap(WaitTime::at));
        text(quota.reset().map(wait -> wait.form().name().toLowerCase(Locale.ROOT)));
        text(quota.retryAfter().map(wait -> wait.form().name().toLowerCase(Locale.ROOT)));
        writer.endRow();
    }

    private void number(Optional<Long> value) {
        value.ifPresentOrElse(writer::integer, writer::absent);
    }

    private void decimal(Optional<Double> value) {
        value.ifPresentOrElse(writer::number, writer::absent);
    }

    private void text(Optional<String> value) {
        value.ifPresentOrElse(writer::text, writer::absent);
    }

    private void moment(Optional<Instant> value) {
        value.ifPresentOrElse(writer::instant, writer::absent);
    }
}
