package dev.why429.analyzers.parse;

import dev.why429.rules.Field;
import dev.why429.rules.Format;
import dev.why429.rules.Format.JsonField;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import dev.why429.rules.KnownNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The keys that a JSON format knows, as a tree that is walked while the line is scanned. A dotted path is looked for nested and as one dotted
 * key. Immutable once built; shared by threads.
 */
final class JsonPaths {
    /**
     * What becomes of the value at a path.
     *
     * @param field ordinal, −1 for a value with several columns
     * @param rank of several paths for one field the lowest wins
     */
    record Leaf(Value value, int field, Unit unit, boolean atStart, long resolutionMicros, int rank) {}

    /** An object of the line, or a value. Keys are found by hash; a node of headers looks for them in lower case. */
    static final class Node {
        private final boolean ignoresCase;
        private final boolean loose;
        private final Map<String, Node> children = new HashMap<>();
        private final List<Leaf> leaves = new ArrayList<>();
        private byte[][] keys = new byte[0][];
        private Node[] nodes = new Node[0];
        private Leaf[] frozenLeaves = new Leaf[0];
        private int mask;
        private int markers;

        /** @param loose whether case, hyphens and underscores of keys do not matter: {@code clientIp} is {@code client_ip} */
        private Node(boolean ignoresCase, boolean loose) {
            this.ignoresCase = ignoresCase;
            this.loose = loose;
        }

        Leaf[] leaves() {
            return frozenLeaves;
        }

        /** One bit for each group of markers that this path belongs to. */
        int markers() {
            return markers;
        }

        boolean hasChildren() {
            return nodes.length > 0;
        }

        boolean ignoresCase() {
            return ignoresCase;
        }

        /** @return the node of a key, or {@code null}, which this package uses only here, where a line's unknown keys pass by the million */
        Node child(byte[] b, int from, int to) {
            if (nodes.length == 0) {
                return null;
            }
            int slot = (loose ? looseHash(b, from, to) : hash(b, from, to, ignoresCase)) & mask;
            while (nodes[slot] != null) {
                if (loose ? looselySame(keys[slot], b, from, to) : same(keys[slot], b, from, to)) {
                    return nodes[slot];
                }
                slot = (slot + 1) & mask;
            }
            return null;
        }

        private boolean same(byte[] key, byte[] b, int from, int to) {
            if (key.length != to - from) {
                return false;
            }
            for (int i = 0; i < key.length; i++) {
                byte c = b[from + i];
                if (key[i] != (ignoresCase ? Slices.lower(c) : c)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean looselySame(byte[] key, byte[] b, int from, int to) {
            int at = 0;
            for (int i = from; i < to; i++) {
                if (b[i] == '-' || b[i] == '_') {
                    continue;
                }
                if (at == key.length || key[at++] != Slices.lower(b[i])) {
                    return false;
                }
            }
            return at == key.length;
        }

        private static int looseHash(byte[] b, int from, int to) {
            int h = 7;
            for (int i = from; i < to; i++) {
                if (b[i] != '-' && b[i] != '_') {
                    h = h * 31 + Slices.lower(b[i]);
                }
            }
            return h ^ (h >>> 15);
        }

        private static byte[] bytes(String name) {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        private void freeze() {
            frozenLeaves = leaves.toArray(Leaf[]::new);
            if (children.isEmpty()) {
                return;
            }
            int size = Integer.highestOneBit(children.size() * 2) * 2;
            mask = size - 1;
            keys = new byte[size][];
            nodes = new Node[size];
            children.forEach((name, node) -> {
                node.freeze();
                byte[] key = bytes(name);
                int slot = (loose ? looseHash(key, 0, key.length) : hash(key, 0, key.length, false)) & mask;
                while (nodes[slot] != null) {
                    slot = (slot + 1) & mask;
                }
                keys[slot] = key;
                nodes[slot] = node;
            });
        }

        private static int hash(byte[] b, int from, int to, boolean lower) {
            int h = to - from;
            for (int i = from; i < to; i++) {
                h = h * 31 + (lower ? Slices.lower(b[i]) : b[i]);
            }
            return h ^ (h >>> 15);
        }
    }

    /** Columns that a line may fill by keys that no path names. */
    private static final List<String> LOOSE = List.of(
            "node",
            "attempt",
            "forwarded",
            "request_id",
            "user_agent",
            "response_body",
            "response_details",
            "other_fields",
            "response_headers",
            "user",
            "api_key",
            "tenant",
            "limit_status",
            "duration_micros",
            "upstream_status",
            "upstream_addr",
            "logged_message");

    /** The marker of paths that only another format's lines have. */
    static final int FOREIGN = 1 << 31;

    private final boolean loose;
    private final Node root;
    private final List<Field> fields;
    private final int wantedMarkers;

    JsonPaths(Format format, KnownNames names) {
        loose = format.generic();
        root = new Node(false, loose);
        java.util.Set<Field> known = new java.util.LinkedHashSet<>();
        for (JsonField json : format.json()) {
            int rank = 0;
            for (String path : json.paths()) {
                Leaf leaf = new Leaf(
                        json.value(),
                        json.field().map(Field::ordinal).orElse(-1),
                        json.unit().orElse(Unit.S),
                        json.atStart().orElse(format.stampAtStart()),
                        json.resolutionMicros().orElse(0L),
                        rank++);
                boolean headers = json.value() == Value.REQUEST_HEADER || json.value() == Value.RESPONSE_HEADER;
                for (Node node : nodes(path, headers)) {
                    node.leaves.add(leaf);
                    if (json.value() == Value.REQUEST_HEADER) {
                        identity(node, names);
                    }
                }
                json.field().ifPresent(known::add);
            }
        }
        int bit = 1;
        for (List<String> group : format.markers()) {
            for (String path : group) {
                int marker = bit;
                nodes(path, false).forEach(node -> node.markers |= marker);
            }
            bit <<= 1;
        }
        format.absent().forEach(path -> nodes(path, false).forEach(node -> node.markers |= FOREIGN));
        wantedMarkers = bit - 1;
        root.freeze();
        names.headers().values().forEach(known::add);
        List.of("logged_at", "arrived_at", "arrival_uncertainty_micros", "method", "path", "host", "protocol")
                .forEach(name -> known.add(dev.why429.rules.Fields.dictionary().named(name)));
        if (loose || format.keepsUnknown()) {
            LOOSE.forEach(name -> known.add(dev.why429.rules.Fields.dictionary().named(name)));
        }
        if (format.table() == Field.Table.NOTICES) {
            known.addAll(dev.why429.rules.Fields.dictionary().of(Field.Table.NOTICES));
        }
        fields = known.stream()
                .filter(field -> field.in(format.table()))
                .sorted(java.util.Comparator.comparingInt(Field::ordinal))
                .toList();
    }

    Node root() {
        return root;
    }

    List<Field> fields() {
        return fields;
    }

    int wantedMarkers() {
        return wantedMarkers;
    }

    private static void identity(Node headers, KnownNames names) {
        int rank = 100; // a field that the line names itself is surer than a header
        for (Map.Entry<String, Field> header : names.headers().entrySet()) {
            Value value = Value.TEXT;
            headers.children
                    .computeIfAbsent(header.getKey().toLowerCase(Locale.ROOT), key -> new Node(true, false))
                    .leaves
                    .add(new Leaf(value, header.getValue().ordinal(), Unit.S, false, 0, rank++));
        }
    }

    private static String loose(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private List<Node> nodes(String path, boolean headers) {
        String[] keys = path.split("\\.", -1);
        Node at = root;
        for (int i = 0; i < keys.length; i++) {
            boolean ignoresCase = headers && i == keys.length - 1;
            String key = at.loose ? loose(keys[i]) : keys[i];
            Node present = at.children.get(key);
            if (present == null || (ignoresCase && !present.ignoresCase)) {
                Node made = new Node(ignoresCase || at.ignoresCase, at.loose && !ignoresCase);
                if (present != null) {
                    made.children.putAll(present.children);
                    made.leaves.addAll(present.leaves);
                    made.markers = present.markers;
                }
                at.children.put(key, made);
                present = made;
            }
            at = present;
        }
        if (keys.length == 1) {
            return List.of(at);
        }
        if (keys.length > 2 && keys[0].equalsIgnoreCase("attributes")) {
            String rest = path.substring(path.indexOf('.') + 1);
            Node attributes = root.children.get(keys[0]);
            return List.of(at, attributes.children.computeIfAbsent(rest, key -> new Node(false, false)));
        }
        return List.of(
                at,
                root.children.computeIfAbsent(loose ? loose(path) : path, key -> new Node(headers, loose && !headers)));
    }
}
