package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * A value of a configuration file (YAML, JSON) with its position.
 *
 * @param text of a scalar; empty for maps and lists
 */
public record ConfigNode(Kind kind, String text, List<Entry> entries, List<ConfigNode> items, Place place) {
    public enum Kind {
        MAP,
        LIST,
        SCALAR
    }

    /** @param place of the key */
    public record Entry(String key, Place place, ConfigNode value) {}

    public ConfigNode {
        entries = List.copyOf(entries);
        items = List.copyOf(items);
    }

    public Optional<Entry> entry(String key) {
        return entries.stream().filter(entry -> entry.key().equals(key)).findFirst();
    }

    /** The value below the keys, one after the other. */
    public Optional<ConfigNode> get(String... keys) {
        Optional<ConfigNode> at = Optional.of(this);
        for (String key : keys) {
            at = at.flatMap(node -> node.entry(key)).map(Entry::value);
        }
        return at;
    }

    /** The first of several names of one setting, {@code max_tokens} or {@code maxTokens}. */
    public Optional<Entry> either(String... keys) {
        for (String key : keys) {
            Optional<Entry> found = entry(key);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Text of a scalar below the keys, else empty. */
    public String string(String... keys) {
        return get(keys).map(ConfigNode::text).orElse("");
    }

    public boolean is(String expected, String... keys) {
        return string(keys).toLowerCase(Locale.ROOT).equals(expected);
    }

    public OptionalDouble number() {
        try {
            return kind == Kind.SCALAR && !text.isBlank()
                    ? OptionalDouble.of(Double.parseDouble(text.replace("_", "")))
                    : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    public OptionalDouble number(String... keys) {
        Optional<ConfigNode> value = get(keys);
        return value.isPresent() ? value.get().number() : OptionalDouble.empty();
    }

    /** Visits this node and all below it, maps before their values. */
    public void walk(Consumer<ConfigNode> visitor) {
        visitor.accept(this);
        entries.forEach(entry -> entry.value().walk(visitor));
        items.forEach(item -> item.walk(visitor));
    }

    /** Visits every entry of every map below, with the map that holds it. */
    public void walkEntries(java.util.function.BiConsumer<ConfigNode, Entry> visitor) {
        walk(node -> node.entries().forEach(entry -> visitor.accept(node, entry)));
    }
}
