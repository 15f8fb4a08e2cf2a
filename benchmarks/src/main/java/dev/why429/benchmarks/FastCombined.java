package dev.why429.benchmarks;

import dev.why429.analyzers.parse.LineReader;
import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The fastest reader of combined lines that we could write by hand: what a compiled format is to be held against. */
final class FastCombined implements LineReader {
    private static final int IP = ordinal("client_ip");
    private static final int USER = ordinal("user");
    private static final int LOGGED_AT = ordinal("logged_at");
    private static final int ARRIVED_AT = ordinal("arrived_at");
    private static final int METHOD = ordinal("method");
    private static final int PATH = ordinal("path");
    private static final int PROTOCOL = ordinal("protocol");
    private static final int STATUS = ordinal("status");
    private static final int BYTES = ordinal("bytes");
    private static final int REFERER = ordinal("referer");
    private static final int AGENT = ordinal("user_agent");
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final int STAMP_BYTES = 26;

    private final byte[] lastStamp = new byte[STAMP_BYTES];
    private long lastMicros;

    static LogFormat format() {
        List<Field> fields = Stream.of(
                        "client_ip",
                        "user",
                        "logged_at",
                        "arrived_at",
                        "method",
                        "path",
                        "protocol",
                        "status",
                        "bytes",
                        "referer",
                        "user_agent")
                .map(Fields.dictionary()::named)
                .toList();
        return new LogFormat(
                "combined",
                "nginx",
                "gateway",
                "combined",
                Field.Table.REQUESTS,
                fields,
                LogFormat.TimeMeans.END,
                1_000_000,
                true,
                List.of(),
                FastCombined::new);
    }

    private static int ordinal(String name) {
        return Fields.dictionary().named(name).ordinal();
    }

    private static int find(byte[] bytes, int from, int to, char wanted) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean read(byte[] bytes, int from, int to, ParsedLine line) {
        int ip = find(bytes, from, to, ' ');
        int ident = ip < 0 ? -1 : find(bytes, ip + 1, to, ' ');
        int user = ident < 0 ? -1 : find(bytes, ident + 1, to, ' ');
        if (user < 0
                || user + 31 > to
                || bytes[user + 1] != '['
                || bytes[user + 28] != ']'
                || bytes[user + 30] != '"') {
            return line.reject("no_time");
        }
        text(line, IP, bytes, from, ip);
        text(line, USER, bytes, ident + 1, user);
        if (!stamp(bytes, user + 2)) {
            return line.reject("no_time");
        }
        line.setNumber(LOGGED_AT, lastMicros);
        line.setNumber(ARRIVED_AT, lastMicros);
        int request = user + 31;
        int quote = find(bytes, request, to, '"');
        if (quote < 0 || quote + 6 > to) {
            return line.reject("no_request");
        }
        request(bytes, request, quote, line);
        int status = quote + 2;
        int end = number(bytes, status, to, STATUS, line);
        if (end != status + 3) {
            return line.reject("no_status");
        }
        int size = number(bytes, end + 1, to, BYTES, line);
        int refererEnd = size < 0 ? -1 : find(bytes, size + 2, to, '"');
        int agentEnd = refererEnd < 0 ? -1 : find(bytes, refererEnd + 3, to, '"');
        if (agentEnd < 0) {
            return line.reject("cut_off");
        }
        text(line, REFERER, bytes, size + 2, refererEnd);
        text(line, AGENT, bytes, refererEnd + 3, agentEnd);
        return true;
    }

    private static void request(byte[] bytes, int from, int to, ParsedLine line) {
        int first = find(bytes, from, to, ' ');
        int last = to - 1;
        while (last > from && bytes[last] != ' ') {
            last--;
        }
        if (first > 0 && last > first) {
            text(line, METHOD, bytes, from, first);
            text(line, PATH, bytes, first + 1, last);
            text(line, PROTOCOL, bytes, last + 1, to);
        } else {
            text(line, PATH, bytes, from, to);
        }
    }

    private static void text(ParsedLine line, int field, byte[] bytes, int from, int to) {
        if (to - from != 1 || bytes[from] != '-') {
            line.setText(field, bytes, from, to);
        }
    }

    private static int number(byte[] bytes, int from, int to, int field, ParsedLine line) {
        long value = 0;
        int i = from;
        for (; i < to && bytes[i] >= '0' && bytes[i] <= '9' && i < from + 18; i++) {
            value = value * 10 + bytes[i] - '0';
        }
        if (i == from) {
            return -1;
        }
        line.setNumber(field, value);
        return i + 0;
    }

    /** {@code 10/Mar/2026:00:00:00 +0000}; the last one is remembered. */
    private boolean stamp(byte[] bytes, int at) {
        if (Arrays.equals(bytes, at, at + STAMP_BYTES, lastStamp, 0, STAMP_BYTES)) {
            return true;
        }
        String text = new String(bytes, at, STAMP_BYTES, StandardCharsets.ISO_8859_1);
        int month = MONTHS.indexOf(text.substring(3, 6));
        try {
            LocalDate day = LocalDate.of(
                    Integer.parseInt(text.substring(7, 11)), month / 3 + 1, Integer.parseInt(text.substring(0, 2)));
            long seconds = day.toEpochDay() * 86_400
                    + Integer.parseInt(text.substring(12, 14)) * 3600L
                    + Integer.parseInt(text.substring(15, 17)) * 60L
                    + Integer.parseInt(text.substring(18, 20));
            long zone =
                    Integer.parseInt(text.substring(22, 24)) * 3600L + Integer.parseInt(text.substring(24, 26)) * 60L;
            lastMicros = (text.charAt(21) == '-' ? seconds + zone : seconds - zone) * 1_000_000;
            System.arraycopy(bytes, at, lastStamp, 0, STAMP_BYTES);
            return month >= 0;
        } catch (DateTimeException | NumberFormatException e) {
            return false;
        }
    }
}
