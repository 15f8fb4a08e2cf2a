package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** What a message in words speaks of: a failing store of counters, a status. */
final class NoticeWords {
    private static final List<String> STORE_FAILURES = List.of(
            "econnrefused",
            "clusterdown",
            "connection refused",
            "loading redis is loading",
            "readonly you can't write",
            "noauth",
            "oom command not allowed",
            "moved ",
            "crossslot",
            "noscript",
            "masterdown",
            "misconf",
            "store error",
            "limiter store");
    private static final List<String> STORES = List.of("redis", "memcached", "valkey", "dragonfly", "dynamodb");
    private static final List<String> FAILURES = List.of(
            "timeout", "timed out", "error", "refused", "unavailable", "reset by peer", "failed", "closed", "no route");
    private static final List<String> BEFORE_STATUS = List.of(
            "got",
            "status",
            "statuscode",
            "status_code",
            "http",
            "code",
            "returned",
            "response",
            "received",
            "error",
            "answered",
            "->",
            "=>");

    private static final int MESSAGE = LineValues.ordinal("message");
    private static final int LOGGED_MESSAGE = LineValues.ordinal("logged_message");
    private static final int LEVEL = LineValues.ordinal("level");
    private static final int KIND = LineValues.ordinal("kind");
    private static final int API_KEY = LineValues.ordinal("api_key");
    private static final int LIMITER_KEY = LineValues.ordinal("limiter_key");
    private static final int LONGEST_LOOKED_AT = 500;
    private static final List<Field> ONLY_REQUESTS = Fields.dictionary().all().stream()
            .filter(field -> !field.in(Field.Table.NOTICES))
            .toList();

    private NoticeWords() {}

    /** A line that turned out to be a notice: what was put into columns that only requests have goes where notices keep it. */
    static void fromRequest(ParsedLine line, LineValues values) {
        for (Field field : ONLY_REQUESTS) {
            int from = field.ordinal();
            if (!line.has(from)) {
                continue;
            }
            int to = from == LOGGED_MESSAGE ? MESSAGE : from == API_KEY ? LIMITER_KEY : -1;
            if (line.isText(from) && to >= 0 && !line.has(to)) {
                line.setText(to, line.source(from), line.from(from), line.to(from));
            } else if (line.isText(from)) {
                values.putOther(name(field), line.source(from), line.from(from), line.to(from), true);
            } else {
                byte[] number = Long.toString(line.number(from)).getBytes(StandardCharsets.US_ASCII);
                values.putOther(name(field), number, 0, number.length, true);
            }
            line.remove(from);
        }
    }

    private static byte[] name(Field field) {
        return field.name().getBytes(StandardCharsets.US_ASCII);
    }

    /** Says what kind of notice a line is, where its reader has not, and which status its message speaks of. */
    static void judge(ParsedLine line) {
        if (!line.isText(MESSAGE)) {
            return;
        }
        int from = line.from(MESSAGE);
        int to = Math.min(line.to(MESSAGE), from + LONGEST_LOOKED_AT);
        String text = new String(line.source(MESSAGE), from, to - from, StandardCharsets.ISO_8859_1);
        String level = line.text(LEVEL).toLowerCase(Locale.ROOT);
        boolean severe = level.startsWith("err")
                || level.startsWith("warn")
                || level.startsWith("fatal")
                || level.startsWith("crit");
        if (!line.has(KIND)) {
            LooseFields.kind(line, storeFails(text, severe) ? "limiter_store_error" : "message");
        }
        int status = line.has(LineValues.STATUS) ? 0 : statusSpokenOf(text);
        if (status > 0) {
            line.setNumber(LineValues.STATUS, status);
        }
    }

    /** Whether a message says that a limiter's store fails: a word that only such stores have, or a store's name beside a failure. */
    static boolean storeFails(String message, boolean severe) {
        String text = message.toLowerCase(Locale.ROOT);
        if (STORE_FAILURES.stream().anyMatch(text::contains)) {
            return severe || STORES.stream().anyMatch(text::contains);
        }
        return severe
                && STORES.stream().anyMatch(text::contains)
                && FAILURES.stream().anyMatch(text::contains);
    }

    /** The status that a text speaks of: {@code got 429}, {@code statuscode: 429}; 0 when it speaks of none. */
    static int statusSpokenOf(String text) {
        String[] words = text.split("[\\s(),;:\"'\\[\\]]+", 200);
        for (int i = 0; i + 1 < words.length; i++) {
            String next =
                    words[i + 1].endsWith(".") ? words[i + 1].substring(0, words[i + 1].length() - 1) : words[i + 1];
            boolean status = next.length() == 3
                    && next.charAt(0) >= '4'
                    && next.charAt(0) <= '5'
                    && Character.isDigit(next.charAt(1))
                    && Character.isDigit(next.charAt(2));
            if (status && BEFORE_STATUS.contains(words[i].toLowerCase(Locale.ROOT))) {
                return Integer.parseInt(next);
            }
        }
        return 0;
    }
}
