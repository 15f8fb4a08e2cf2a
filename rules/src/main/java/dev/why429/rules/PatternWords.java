package dev.why429.rules;

/** A pattern as a person reads it: {@code ^limit=\d+, remaining=0$} → {@code is "limit=…, remaining=0"}. For showing only. */
final class PatternWords {
    private static final String ANY = "…";

    private PatternWords() {}

    static String of(String pattern) {
        String body = pattern.replaceFirst("^\\(\\?[a-z]+\\)", "");
        boolean start = body.startsWith("^");
        boolean end = body.endsWith("$") && !body.endsWith("\\$");
        body = body.substring(start ? 1 : 0, body.length() - (end ? 1 : 0));
        String verb = start && end ? "is" : start ? "starts with" : end ? "ends with" : "contains";
        return verb + " \"" + plain(body) + "\"";
    }

    private static String plain(String body) {
        return body
                // classes, and what may be there or not: [0-9]+  \d+  .*  (/[0-9.]+)?
                .replaceAll("\\(\\?:", "(")
                .replaceAll("\\[[^\\]]*\\]([+*?]|\\{[0-9,]+\\})?", ANY)
                .replaceAll("\\\\s[+*?]?", " ")
                .replaceAll("\\\\[dwSDWb]([+*?]|\\{[0-9,]+\\})?", ANY)
                .replaceAll("(?<!\\\\)\\.([+*]\\??|\\{[0-9,]+\\})", ANY)
                .replaceAll("\\([^()]*\\)[?*]", ANY)
                .replaceAll("(?<!\\\\)\\(([^()]*)\\)", "$1")
                .replaceAll("(?<!\\\\)\\|", " or ")
                .replaceAll("(?<=[^\\\\])[+*?](?![^ ])", "")
                .replaceAll("\\\\(.)", "$1")
                .replaceAll("…(\\s*…)+", ANY)
                .strip();
    }
}
