package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads YAML and JSON of others, several documents in a file, with the position of every value. Nothing is constructed, no tag is obeyed. */
public final class YamlReader {
    private static final int MAX_DEPTH = 60;
    /** Aliases are copied out; a file that grows beyond this is a bomb or no configuration. */
    private static final int MAX_NODES = 100_000;

    private final SourceFile file;
    private int nodes;

    private YamlReader(SourceFile file) {
        this.file = file;
    }

    /**
     * @return the documents that could be read; those before a fault are kept
     * @param faults where reading stopped
     */
    public static List<ConfigNode> read(SourceFile file, List<UnreadableException> faults) {
        List<ConfigNode> documents = new ArrayList<>();
        YamlReader reader = new YamlReader(file);
        String text = file.text();
        if (text.contains("{{")) {
            text = withoutTemplates(text);
            faults.add(new UnreadableException(file.at(1, 1), "a template: read as if every {{…}} were a word"));
        }
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file.path())
                .setAllowDuplicateKeys(true)
                .setAllowRecursiveKeys(false)
                .setMaxAliasesForCollections(50)
                .setCodePointLimit(3 * 1024 * 1024)
                .build();
        try {
            for (Node root : new Compose(settings).composeAllFromString(text)) {
                documents.add(reader.convert(root, 0));
            }
        } catch (MarkedYamlEngineException e) {
            Place place = e.getProblemMark()
                    .map(mark -> file.at(mark.getLine() + 1, mark.getColumn() + 1))
                    .orElse(file.at(1, 1));
            faults.add(new UnreadableException(place, "not YAML: " + e.getProblem()));
        } catch (YamlEngineException e) {
            faults.add(new UnreadableException(file.at(1, 1), "not YAML: " + firstLine(e.getMessage())));
        } catch (UnreadableException e) {
            faults.add(e);
        } catch (StackOverflowError e) {
            faults.add(new UnreadableException(file.at(1, 1), "nested too deeply to be read"));
        }
        return documents;
    }

    /** Lines that only steer a template go, values become a word; lines and columns stay where they are known. */
    private static String withoutTemplates(String text) {
        StringBuilder out = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            String bare = line.strip();
            if (bare.startsWith("{{") && bare.endsWith("}}")) {
                out.append('\n');
                continue;
            }
            int at = 0;
            int open;
            while ((open = line.indexOf("{{", at)) >= 0) {
                int close = line.indexOf("}}", open);
                if (close < 0) {
                    break;
                }
                out.append(line, at, open).append("x".repeat(close + 2 - open));
                at = close + 2;
            }
            out.append(line, at, line.length()).append('\n');
        }
        return out.toString();
    }

    private ConfigNode convert(Node node, int depth) throws UnreadableException {
        Place place = place(node);
        if (depth > MAX_DEPTH) {
            throw new UnreadableException(place, "nested deeper than " + MAX_DEPTH + " levels");
        }
        if (++nodes > MAX_NODES) {
            throw new UnreadableException(place, "more than " + MAX_NODES + " values");
        }
        if (node instanceof MappingNode mapping) {
            List<ConfigNode.Entry> entries = new ArrayList<>();
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key) {
                    entries.add(
                            new ConfigNode.Entry(key.getValue(), place(key), convert(tuple.getValueNode(), depth + 1)));
                }
            }
            return new ConfigNode(ConfigNode.Kind.MAP, "", entries, List.of(), place);
        }
        if (node instanceof SequenceNode sequence) {
            List<ConfigNode> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                items.add(convert(item, depth + 1));
            }
            return new ConfigNode(ConfigNode.Kind.LIST, "", List.of(), items, place);
        }
        String text = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        return new ConfigNode(ConfigNode.Kind.SCALAR, text, List.of(), List.of(), place);
    }

    private Place place(Node node) {
        return node.getStartMark()
                .map(mark -> file.at(mark.getLine() + 1, mark.getColumn() + 1))
                .orElse(file.at(1, 1));
    }

    private static String firstLine(String message) {
        return Optional.ofNullable(message)
                .map(text -> text.lines().findFirst().orElse(""))
                .orElse("");
    }
}
