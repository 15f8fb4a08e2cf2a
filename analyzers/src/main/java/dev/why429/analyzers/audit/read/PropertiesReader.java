package dev.why429.analyzers.audit.read;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a Java properties file as the tree that its dots and brackets spell, {@code routes[0].filters[1].args.rate}, so that what is known
 * of an application.yml holds for an application.properties too.
 */
public final class PropertiesReader {
    private static final int MAX_LINES = 20_000;
    private static final int MAX_DEPTH = 24;
    private static final Pattern PART = Pattern.compile("([^.\\[\\]]+)|\\[(\\d{1,4})\\]|\\[([^\\]]{1,80})\\]");

    private static final class Growing {
        private final Map<String, Growing> fields = new LinkedHashMap<>();
        private final Map<Integer, Growing> items = new LinkedHashMap<>();
        private final int offset;
        private int valueOffset;
        private String text = "";

        Growing(int offset) {
            this.offset = offset;
            this.valueOffset = offset;
        }
    }

    private PropertiesReader() {}

    /** @return one document; lines without a value are passed over */
    public static List<ConfigNode> read(SourceFile file) {
        Growing root = new Growing(0);
        int offset = 0;
        int lines = 0;
        for (String line : file.text().split("\n", -1)) {
            String bare = line.strip();
            int equals = separator(line);
            if (!bare.isEmpty()
                    && bare.charAt(0) != '#'
                    && bare.charAt(0) != '!'
                    && equals > 0
                    && ++lines < MAX_LINES) {
                int start = offset + line.length() - line.stripLeading().length();
                put(
                        root,
                        line.substring(0, equals).strip(),
                        line.substring(equals + 1).strip(),
                        start);
            }
            offset += line.length() + 1;
        }
        return List.of(finished(file, root));
    }

    private static int separator(String line) {
        int equals = line.indexOf('=');
        int colon = line.indexOf(':');
        return equals < 0 ? colon : colon < 0 ? equals : Math.min(equals, colon);
    }

    private static void put(Growing root, String key, String value, int offset) {
        Growing at = root;
        Matcher part = PART.matcher(key);
        int depth = 0;
        while (part.find() && depth++ < MAX_DEPTH) {
            if (part.group(2) != null) {
                at = at.items.computeIfAbsent(Integer.parseInt(part.group(2)), i -> new Growing(offset));
            } else {
                String name = part.group(1) != null ? part.group(1) : part.group(3);
                at = at.fields.computeIfAbsent(name, n -> new Growing(offset));
            }
        }
        at.text = value;
        at.valueOffset = offset;
    }

    private static ConfigNode finished(SourceFile file, Growing from) {
        List<ConfigNode.Entry> entries = new ArrayList<>();
        from.fields.forEach(
                (key, value) -> entries.add(new ConfigNode.Entry(key, file.at(value.offset), finished(file, value))));
        List<ConfigNode> items = new ArrayList<>();
        from.items.forEach((index, value) -> items.add(finished(file, value)));
        ConfigNode.Kind kind = !items.isEmpty()
                ? ConfigNode.Kind.LIST
                : entries.isEmpty() ? ConfigNode.Kind.SCALAR : ConfigNode.Kind.MAP;
        return new ConfigNode(kind, from.text, entries, items, file.at(from.valueOffset));
    }
}
