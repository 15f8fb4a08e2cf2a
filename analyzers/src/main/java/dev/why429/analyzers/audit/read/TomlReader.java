package dev.why429.analyzers.audit.read;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads TOML of others, with the position of every value, into the same nodes that YAML becomes. Written by hand because no library tells positions. */
public final class TomlReader {
    private static final int MAX_DEPTH = 30;
    private static final int MAX_NODES = 50_000;

    /** A table or array that is still being filled. */
    private static final class Growing {
        private final int offset;
        private final Map<String, Growing> fields = new LinkedHashMap<>();
        private final List<Growing> items = new ArrayList<>();
        private String text = "";
        private ConfigNode.Kind kind;
        private int keyOffset;

        Growing(ConfigNode.Kind kind, int offset) {
            this.kind = kind;
            this.offset = offset;
            this.keyOffset = offset;
        }
    }

    private final SourceFile file;
    private final String text;
    private final Growing root = new Growing(ConfigNode.Kind.MAP, 0);
    private int at;
    private int nodes;

    private TomlReader(SourceFile file) {
        this.file = file;
        this.text = file.text();
    }

    /**
     * @return one document; what stands before a fault is kept
     * @param faults where reading stopped
     */
    public static List<ConfigNode> read(SourceFile file, List<UnreadableException> faults) {
        TomlReader reader = new TomlReader(file);
        try {
            reader.document();
        } catch (UnreadableException e) {
            faults.add(e);
        }
        return List.of(reader.finished(reader.root, 0));
    }

    private void document() throws UnreadableException {
        Growing table = root;
        while (true) {
            skip(true);
            if (at >= text.length()) {
                return;
            }
            if (text.charAt(at) == '[') {
                boolean listed = text.startsWith("[[", at);
                int start = at;
                at += listed ? 2 : 1;
                List<String> path = keys();
                expect(']');
                if (listed) {
                    expect(']');
                }
                table = listed ? appended(path, start) : table(root, path, start);
            } else {
                pair(table, 0);
            }
            skip(false);
            if (at < text.length() && text.charAt(at) != '\n') {
                throw fault("the end of the line");
            }
        }
    }

    private void pair(Growing into, int depth) throws UnreadableException {
        int start = at;
        List<String> path = keys();
        expect('=');
        Growing parent = table(into, path.subList(0, path.size() - 1), start);
        Growing value = value(depth);
        value.keyOffset = start;
        parent.fields.put(path.get(path.size() - 1), value);
    }

    private Growing table(Growing from, List<String> path, int offset) throws UnreadableException {
        Growing current = from;
        for (String key : path) {
            Growing next = current.fields.get(key);
            if (next == null) {
                next = new Growing(ConfigNode.Kind.MAP, offset);
                current.fields.put(key, next);
                grow();
            } else if (next.kind == ConfigNode.Kind.LIST && !next.items.isEmpty()) {
                next = next.items.get(next.items.size() - 1);
            }
            current = next;
        }
        return current;
    }

    private Growing appended(List<String> path, int offset) throws UnreadableException {
        Growing parent = table(root, path.subList(0, path.size() - 1), offset);
        Growing list = parent.fields.computeIfAbsent(
                path.get(path.size() - 1), k -> new Growing(ConfigNode.Kind.LIST, offset));
        list.kind = ConfigNode.Kind.LIST;
        Growing item = new Growing(ConfigNode.Kind.MAP, offset);
        list.items.add(item);
        grow();
        return item;
    }

    // a."b.c".d
    private List<String> keys() throws UnreadableException {
        List<String> path = new ArrayList<>();
        do {
            if (!path.isEmpty()) {
                at++;
            }
            skip(false);
            char c = at < text.length() ? text.charAt(at) : '\n';
            if (c == '"' || c == '\'') {
                path.add(quoted());
            } else {
                int start = at;
                while (at < text.length() && isBare(text.charAt(at))) {
                    at++;
                }
                if (at == start) {
                    throw fault("a key");
                }
                path.add(text.substring(start, at));
            }
            skip(false);
        } while (at < text.length() && text.charAt(at) == '.' && path.size() < MAX_DEPTH);
        return path;
    }

    private static boolean isBare(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-';
    }

    private Growing value(int depth) throws UnreadableException {
        if (depth > MAX_DEPTH) {
            throw new UnreadableException(file.at(at), "nested deeper than " + MAX_DEPTH + " levels");
        }
        skip(false);
        grow();
        char c = at < text.length() ? text.charAt(at) : '\n';
        if (c == '[') {
            return array(depth);
        }
        if (c == '{') {
            return inline(depth);
        }
        Growing scalar = new Growing(ConfigNode.Kind.SCALAR, at);
        if (c == '"' || c == '\'') {
            scalar.text = quoted();
            return scalar;
        }
        int start = at;
        while (at < text.length() && ",]}#\n\r".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        scalar.text = text.substring(start, at).strip();
        if (scalar.text.isEmpty()) {
            throw fault("a value");
        }
        return scalar;
    }

    private Growing array(int depth) throws UnreadableException {
        Growing list = new Growing(ConfigNode.Kind.LIST, at++);
        while (true) {
            skip(true);
            if (at >= text.length()) {
                throw fault("\"]\"");
            }
            if (text.charAt(at) == ']') {
                at++;
                return list;
            }
            if (text.charAt(at) == ',') {
                at++;
            } else {
                list.items.add(value(depth + 1));
            }
        }
    }

    private Growing inline(int depth) throws UnreadableException {
        Growing map = new Growing(ConfigNode.Kind.MAP, at++);
        while (true) {
            skip(true);
            if (at >= text.length()) {
                throw fault("\"}\"");
            }
            if (text.charAt(at) == '}') {
                at++;
                return map;
            }
            if (text.charAt(at) == ',') {
                at++;
            } else {
                pair(map, depth + 1);
            }
        }
    }

    private String quoted() throws UnreadableException {
        char quote = text.charAt(at);
        String triple = String.valueOf(quote).repeat(3);
        boolean many = text.startsWith(triple, at);
        int start = at + (many ? 3 : 1);
        int end = start;
        while (end < text.length() && !(many ? text.startsWith(triple, end) : text.charAt(end) == quote)) {
            if (!many && text.charAt(end) == '\n') {
                throw fault("the closing quote in the same line");
            }
            end += quote == '"' && text.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= text.length()) {
            throw fault("a closing quote");
        }
        at = end + (many ? 3 : 1);
        return text.substring(start, end).replace("\\\"", "\"").replace("\\\\", "\\");
    }

    /** Over blanks and comments; over line ends too where {@code lines}. */
    private void skip(boolean lines) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
                at++;
            } else {
                return;
            }
        }
    }

    private void expect(char sign) throws UnreadableException {
        skip(false);
        if (at >= text.length() || text.charAt(at) != sign) {
            throw fault("\"" + sign + "\"");
        }
        at++;
    }

    private void grow() throws UnreadableException {
        if (++nodes > MAX_NODES) {
            throw new UnreadableException(file.at(at), "more than " + MAX_NODES + " values");
        }
    }

    private UnreadableException fault(String expected) {
        return new UnreadableException(file.at(Math.min(at, text.length())), "not TOML: expected " + expected);
    }

    private ConfigNode finished(Growing from, int depth) {
        if (depth > 3 * MAX_DEPTH) {
            return new ConfigNode(ConfigNode.Kind.SCALAR, "", List.of(), List.of(), file.at(from.offset));
        }
        List<ConfigNode.Entry> entries = new ArrayList<>();
        from.fields.forEach((key, value) ->
                entries.add(new ConfigNode.Entry(key, file.at(value.keyOffset), finished(value, depth + 1))));
        List<ConfigNode> items = new ArrayList<>();
        from.items.forEach(item -> items.add(finished(item, depth + 1)));
        return new ConfigNode(from.kind, from.text, entries, items, file.at(from.offset));
    }
}
