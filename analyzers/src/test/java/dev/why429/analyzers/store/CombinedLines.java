package dev.why429.analyzers.store;

import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** A tiny format for tests of loading: {@code 203.0.113.7 1767225600000000 GET /path 200 user-agent…}. */
final class CombinedLines {
    private static final List<Field> FIELDS = Stream.of(
                    "client_ip", "logged_at", "arrived_at", "method", "path", "status", "user_agent")
            .map(Fields.dictionary()::named)
            .toList();

    private CombinedLines() {}

    static LogFormat requests() {
        return format(Field.Table.REQUESTS, FIELDS, () -> CombinedLines::read);
    }

    static LogFormat format(Field.Table table, List<Field> fields, LogFormat.Readers readers) {
        return new LogFormat(
                "test",
                "nginx",
                "gateway",
                "",
                table,
                fields,
                LogFormat.TimeMeans.END,
                1_000_000,
                true,
                List.of(),
                readers);
    }

    private static boolean read(byte[] bytes, int from, int to, ParsedLine line) {
        String[] parts = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1).split(" ", 6);
        if (parts.length < 6) {
            return line.reject("too_short");
        }
        if (parts[3].equals("/boom")) {
            throw new IllegalStateException("a reader's mistake");
        }
        int at = from;
        set(line, "client_ip", bytes, at, at + parts[0].length());
        at += parts[0].length() + 1;
        line.setNumber(ordinal("logged_at"), Long.parseLong(parts[1]));
        line.setNumber(ordinal("arrived_at"), Long.parseLong(parts[1]));
        at += parts[1].length() + 1;
        set(line, "method", bytes, at, at + parts[2].length());
        at += parts[2].length() + 1;
        set(line, "path", bytes, at, at + parts[3].length());
        line.setNumber(ordinal("status"), Long.parseLong(parts[4]));
        set(line, "user_agent", bytes, to - parts[5].length(), to);
        return true;
    }

    private static void set(ParsedLine line, String field, byte[] bytes, int from, int to) {
        line.setText(ordinal(field), bytes, from, to);
    }

    private static int ordinal(String field) {
        return Fields.dictionary().named(field).ordinal();
    }
}
