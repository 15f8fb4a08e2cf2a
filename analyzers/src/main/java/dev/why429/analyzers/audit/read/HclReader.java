package dev.why429.analyzers.audit.read;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads Terraform's language into the nodes that YAML becomes: {@code resource "a" "b" { x = 1 }} is {@code resource: {a: {b: {x: 1}}}}.
 * A literal is its value; any other expression is kept as its text and never evaluated. Written by hand because no library tells positions.
 */
public final class HclReader {
    private static final int MAX_DEPTH = 40;
    private static final int MAX_NODES = 100_000;

    private final SourceFile file;
    private final String text;
    private int at;
    private int nodes;

    private HclReader(SourceFile file) {
        this.file = file;
        this.text = file.text();
    }

    /**
     * @return one document; what stands before a fault is kept
     * @param faults where reading stopped
     */
    public static List<ConfigNode> read(SourceFile file, List<UnreadableException> faults) {
        HclReader reader = new HclReader(file);
        List<ConfigNode.Entry> entries = new ArrayList<>();
        try {
            reader.body(entries, 0, false);
        } catch (UnreadableException e) {
            faults.add(e);
        }
        return List.of(new ConfigNode(ConfigNode.Kind.MAP, "", entries, List.of(), file.at(1, 1)));
    }

    private void body(List<ConfigNode.Entry> into, int depth, boolean closed) throws UnreadableException {
        if (depth > MAX_DEPTH) {
            throw new UnreadableException(file.at(at), "nested deeper than " + MAX_DEPTH + " levels");
        }
        while (true) {
            skip();
            if (at >= text.length()) {
                if (closed) {
                    throw new UnreadableException(file.at(text.length()), "a \"{\" is never closed");
                }
                return;
            }
            char c = text.charAt(at);
            if (c == '}') {
                at++;
                return;
            }
            if (c == ',') {
                at++;
                continue;
            }
            into.add(entry(depth));
        }
    }

    private ConfigNode.Entry entry(int depth) throws UnreadableException {
        if (++nodes > MAX_NODES) {
            throw new UnreadableException(file.at(at), "more than " + MAX_NODES + " values");
        }
        int start = at;
        String key = word();
        List<String> labels = new ArrayList<>();
        while (true) {
            blanks();
            char c = at < text.length() ? text.charAt(at) : '\n';
            if (c == '=' || c == ':') {
                at++;
                return new ConfigNode.Entry(key, file.at(start), value(depth + 1));
            }
            if (c == '{') {
                int open = at++;
                List<ConfigNode.Entry> entries = new ArrayList<>();
                body(entries, depth + 1, true);
                ConfigNode node = new ConfigNode(ConfigNode.Kind.MAP, "", entries, List.of(), file.at(open));
                for (int i = labels.size() - 1; i >= 0; i--) {
                    node = new ConfigNode(
                            ConfigNode.Kind.MAP,
                            "",
                            List.of(new ConfigNode.Entry(labels.get(i), file.at(start), node)),
                            List.of(),
                            file.at(start));
                }
                return new ConfigNode.Entry(key, file.at(start), node);
            }
            if (c == '"' || Character.isLetter(c) || c == '_') {
                labels.add(word());
            } else {
                throw new UnreadableException(
                        file.at(at), "not Terraform: expected \"=\" or \"{\" after \"" + cut(key) + "\"");
            }
        }
    }

    private String word() throws UnreadableException {
        if (text.charAt(at) == '"') {
            return quoted();
        }
        if (text.charAt(at) == '(') {
            int start = at;
            expression();
            return text.substring(start, at);
        }
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "_-.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (start == at) {
            throw new UnreadableException(file.at(at), "not Terraform: expected a name");
        }
        return text.substring(start, at);
    }

    private ConfigNode value(int depth) throws UnreadableException {
        if (depth > MAX_DEPTH) {
            throw new UnreadableException(file.at(at), "nested deeper than " + MAX_DEPTH + " levels");
        }
        skip();
        int start = at;
        char c = at < text.length() ? text.charAt(at) : '\n';
        if (c == '{') {
            at++;
            List<ConfigNode.Entry> entries = new ArrayList<>();
            int from = at;
            try {
                body(entries, depth + 1, true);
                return new ConfigNode(ConfigNode.Kind.MAP, "", entries, List.of(), file.at(start));
            } catch (UnreadableException e) {
                // { for k, v in x : … }: an expression
                at = from - 1;
                expression();
                return scalar(start, text.substring(start, at).strip());
            }
        }
        if (c == '['
                && !text.substring(start, Math.min(text.length(), start + 40)).matches("(?s)\\[\\s*for\\b.*")) {
            at++;
            List<ConfigNode> items = new ArrayList<>();
            while (true) {
                skip();
                if (at >= text.length()) {
                    throw new UnreadableException(file.at(text.length()), "a \"[\" is never closed");
                }
                if (text.charAt(at) == ']') {
                    at++;
                    return new ConfigNode(ConfigNode.Kind.LIST, "", List.of(), items, file.at(start));
                }
                if (text.charAt(at) == ',') {
                    at++;
                } else {
                    int before = at;
                    items.add(value(depth + 1));
                    if (at == before || ++nodes > MAX_NODES) {
                        throw new UnreadableException(file.at(at), "not Terraform: expected a value");
                    }
                }
            }
        }
        expression();
        String raw = text.substring(start, at).strip();
        boolean literal = raw.length() >= 2
                && raw.charAt(0) == '"'
                && raw.indexOf('"', 1) == raw.length() - 1
                && !raw.contains("${");
        return scalar(start, literal ? raw.substring(1, raw.length() - 1) : raw);
    }

    private ConfigNode scalar(int start, String value) {
        return new ConfigNode(ConfigNode.Kind.SCALAR, value, List.of(), List.of(), file.at(start));
    }

    /** Moves behind an expression: to the end of the line, or to a comma or closing bracket, outside brackets, quotes and heredocs. */
    private void expression() {
        int open = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                skipQuoted();
                continue;
            }
            if (c == '<' && text.startsWith("<<", at) && heredoc()) {
                return;
            }
            if (c == '#' || text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                if (open == 0) {
                    return;
                }
                at = end < 0 ? text.length() : end;
                continue;
            }
            if (open == 0 && (c == '\n' || c == ',' || c == ']' || c == '}')) {
                return;
            }
            open += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
            at++;
            if (open < 0) {
                return;
            }
        }
    }

    private boolean heredoc() {
        int end = text.indexOf('\n', at);
        if (end < 0) {
            return false;
        }
        String mark = text.substring(at + 2, end).strip().replaceFirst("^[-~]", "");
        if (mark.isEmpty() || !mark.chars().allMatch(ch -> Character.isLetterOrDigit(ch) || ch == '_')) {
            return false;
        }
        int from = end + 1;
        while (from < text.length()) {
            int next = text.indexOf('\n', from);
            int stop = next < 0 ? text.length() : next;
            if (text.substring(from, stop).strip().equals(mark)) {
                at = stop;
                return true;
            }
            from = stop + 1;
        }
        at = text.length();
        return true;
    }

    private String quoted() {
        int start = at + 1;
        skipQuoted();
        return text.substring(start, Math.max(start, Math.min(at - 1, text.length())));
    }

    private void skipQuoted() {
        at++;
        int inside = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
            } else if (text.startsWith("${", at)) {
                inside++;
                at++;
            } else if (c == '}' && inside > 0) {
                inside--;
            } else if (c == '"' && inside == 0) {
                at++;
                return;
            } else if (c == '\n') {
                return;
            }
            at++;
        }
    }

    private void blanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private void skip() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c) || c == ';') {
                at++;
            } else if (c == '#' || text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                at = end < 0 ? text.length() : end + 2;
            } else {
                return;
            }
        }
    }

    private static String cut(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
