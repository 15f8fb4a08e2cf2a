package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A node of a syntax tree: what kind it is, where it stands, what is inside. */
public final class Syntax {
    private final SourceFile file;
    private final String type;
    private final String field;
    private final int start;
    private final int end;
    private final Syntax parent;
    private final List<Syntax> children = new ArrayList<>(2);

    /**
     * @param field name of the place that the node takes in its parent, {@code arguments}; empty when it has none
     * @param start offset in UTF-16 code units
     * @param parent null for the root only
     */
    Syntax(SourceFile file, String type, String field, int start, int end, Syntax parent) {
        this.file = file;
        this.type = type;
        this.field = field;
        this.start = start;
        this.end = end;
        this.parent = parent;
        if (parent != null && !type.isEmpty()) {
            parent.children.add(this);
        }
    }

    /** A node that its parent does not list. */
    static Syntax unattached(SourceFile file, Syntax parent) {
        return new Syntax(file, "", "", 0, 0, parent);
    }

    public String type() {
        return type;
    }

    public SourceFile file() {
        return file;
    }

    public String text() {
        return file.text().substring(start, end);
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    public Place place() {
        return file.at(start);
    }

    public List<Syntax> children() {
        return children;
    }

    public Optional<Syntax> parent() {
        return Optional.ofNullable(parent);
    }

    public Optional<Syntax> child(String wantedField) {
        return children.stream().filter(c -> c.field.equals(wantedField)).findFirst();
    }

    public String childText(String wantedField) {
        return child(wantedField).map(Syntax::text).orElse("");
    }

    public boolean is(String... types) {
        for (String wanted : types) {
            if (type.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** The nearest node around this one of one of the types. */
    public Optional<Syntax> around(String... types) {
        for (Syntax at = parent; at != null; at = at.parent) {
            if (at.is(types)) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    public boolean contains(Syntax other) {
        return start <= other.start && other.end <= end;
    }

    public void walk(Consumer<Syntax> visitor) {
        visitor.accept(this);
        for (Syntax child : children) {
            child.walk(visitor);
        }
    }

    /** This node and those below it of one of the types, in the order of the text. */
    public List<Syntax> all(String... types) {
        List<Syntax> found = new ArrayList<>();
        walk(node -> {
            if (node.is(types)) {
                found.add(node);
            }
        });
        return found;
    }
}
