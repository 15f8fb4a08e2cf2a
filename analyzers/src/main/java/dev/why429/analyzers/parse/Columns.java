package dev.why429.analyzers.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One line cut at blanks, quotes, brackets and {@code key=}, without knowing what it means. */
record Columns(List<Column> columns, String end) {
    private static final Pattern KEY = Pattern.compile("([A-Za-z_][A-Za-z0-9_.-]*)[=:]");
    private static final Pattern DATE = Pattern.compile("\\d{4}[-/]\\d\\d[-/]\\d\\d");
    private static final Pattern TIME = Pattern.compile("\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?Z?");
    private static final Pattern OFFSET = Pattern.compile("[+-]\\d\\d:?\\d\\d");

    /**
     * A value with what stands before it.
     *
     * @param before the text since the value before, with the key and the opening quote or bracket
     * @param key empty when there is none
     * @param shape {@code "} quoted, {@code [} in brackets, {@code w} a bare word
     */
    record Column(String before, String key, char shape, String value) {}

    /** What two lines of one format have in common. */
    String signature() {
        StringBuilder signature = new StringBuilder();
        for (Column column : columns) {
            signature.append(column.before()).append(column.shape());
        }
        return signature.append(end).toString();
    }

    static Columns of(String line) {
        List<Column> columns = new ArrayList<>();
        StringBuilder before = new StringBuilder();
        int at = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == ' ' || c == '\t') {
                before.append(c);
                at++;
                continue;
            }
            String key = "";
            java.util.regex.Matcher matcher = KEY.matcher(line).region(at, line.length());
            if (matcher.lookingAt() && line.charAt(matcher.end() - 1) == '=') {
                key = matcher.group(1);
                before.append(matcher.group());
                at = matcher.end();
            }
            char shape = at < line.length() ? line.charAt(at) : ' ';
            int close = shape == '"' ? quoteEnd(line, at + 1) : shape == '[' ? line.indexOf(']', at) : -1;
            if (close > 0) {
                before.append(shape);
                columns.add(new Column(before.toString(), key, shape, line.substring(at + 1, close)));
                before.setLength(0);
                before.append(shape == '"' ? '"' : ']');
                at = close + 1;
                continue;
            }
            int end = wordEnd(line, at);
            columns.add(new Column(before.toString(), key, 'w', line.substring(at, end)));
            before.setLength(0);
            at = end;
        }
        return new Columns(columns, before.toString().stripTrailing());
    }

    private static int quoteEnd(String line, int from) {
        int at = from;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '"'
                    && (at + 1 == line.length() || line.charAt(at + 1) == ' ' || line.charAt(at + 1) == ']')) {
                return at;
            }
            at++;
        }
        return -1;
    }

    // a word, a list of words (502, 200 and a : b), a date with its time
    private static int wordEnd(String line, int from) {
        int end = blank(line, from);
        while (end < line.length()) {
            String word = line.substring(from, end);
            String next = line.substring(end + 1, blank(line, end + 1));
            if (word.endsWith(",") || next.equals(":")) {
                end = blank(line, end + 1);
            } else if (word.endsWith(" :")) {
                end = blank(line, end + 1);
            } else if (DATE.matcher(word).matches() && TIME.matcher(next).matches()) {
                end = blank(line, end + 1);
            } else if (OFFSET.matcher(next).matches()
                    && TIME.matcher(word.substring(word.lastIndexOf(' ') + 1)).matches()) {
                end = blank(line, end + 1);
            } else {
                break;
            }
        }
        return end;
    }

    private static int blank(String line, int from) {
        int end = line.indexOf(' ', from);
        return end < 0 ? line.length() : end;
    }
}
