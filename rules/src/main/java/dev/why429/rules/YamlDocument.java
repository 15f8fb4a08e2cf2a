package dev.why429.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A YAML (or JSON) document as a JSON tree that still knows the line of every value. Read with the JSON schema of YAML 1.2: no tags, no
 * aliases beyond the library's limit, no duplicate keys.
 */
public final class YamlDocument {
    private static final int MAX_DEPTH = 50;

    private final JsonNode tree;
    private final Map<String, Integer> lineByPointer;

    private YamlDocument(JsonNode tree, Map<String, Integer> lineByPointer) {
        this.tree = tree;
        this.lineByPointer = lineByPointer;
    }

    /**
     * @param file how to name the document in problems
     * @throws RuleProblems when the text is no YAML, with every fault found
     */
    public static YamlDocument parse(String file, String text) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setAllowDuplicateKeys(false)
                .setAllowRecursiveKeys(false)
                .setMaxAliasesForCollections(50)
                .setCodePointLimit(3 * 1024 * 1024)
                .build();
        List<RuleProblem> problems = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        try {
            Optional<Node> root = new Compose(settings).composeString(text);
            if (root.isEmpty()) {
                throw new RuleProblems(List.of(new RuleProblem(file, 1, "the file is empty")));
            }
            JsonNode tree = new Converter(file, lines, problems).convert(root.get(), "", 0);
            if (!problems.isEmpty()) {
                throw new RuleProblems(problems);
            }
            return new YamlDocument(tree, lines);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            throw new RuleProblems(List.of(new RuleProblem(file, line, "not YAML: " + e.getProblem())));
        } catch (YamlEngineException e) {
            throw new RuleProblems(List.of(new RuleProblem(file, 0, "not YAML: " + e.getMessage())));
        }
    }

    public JsonNode tree() {
        return tree;
    }

    /**
     * @param pointer a JSON pointer, {@code /tokens/0/field}; a value that is not there has the line of its nearest parent
     * @return the line of the value, 1 being the first
     */
    public int lineOf(String pointer) {
        String at = pointer;
        while (!at.isEmpty()) {
            Integer line = lineByPointer.get(at);
            if (line != null) {
                return line;
            }
            at = at.substring(0, at.lastIndexOf('/'));
        }
        return lineByPointer.getOrDefault("", 1);
    }

    private static final class Converter {
        private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

        private final String file;
        private final Map<String, Integer> lines;
        private final List<RuleProblem> problems;

        Converter(String file, Map<String, Integer> lines, List<RuleProblem> problems) {
            this.file = file;
            this.lines = lines;
            this.problems = problems;
        }

        JsonNode convert(Node node, String pointer, int depth) {
            int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
            lines.put(pointer, line);
            if (depth > MAX_DEPTH) {
                problems.add(new RuleProblem(file, line, "nested deeper than " + MAX_DEPTH + " levels"));
                return JSON.nullNode();
            }
            if (node instanceof MappingNode mapping) {
                return object(mapping, pointer, depth);
            }
            if (node instanceof SequenceNode sequence) {
                ArrayNode array = JSON.arrayNode();
                for (Node item : sequence.getValue()) {
                    array.add(convert(item, pointer + "/" + array.size(), depth + 1));
                }
                return array;
            }
            return scalar((ScalarNode) node, line);
        }

        private ObjectNode object(MappingNode mapping, String pointer, int depth) {
            ObjectNode object = JSON.objectNode();
            Set<String> seen = new HashSet<>();
            for (NodeTuple entry : mapping.getValue()) {
                int line = entry.getKeyNode()
                        .getStartMark()
                        .map(mark -> mark.getLine() + 1)
                        .orElse(0);
                if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                    problems.add(new RuleProblem(file, line, "a key must be a plain word"));
                    continue;
                }
                if (!seen.add(key.getValue())) {
                    problems.add(new RuleProblem(file, line, "\"" + key.getValue() + "\" is given twice"));
                }
                String escaped = key.getValue().replace("~", "~0").replace("/", "~1");
                object.set(key.getValue(), convert(entry.getValueNode(), pointer + "/" + escaped, depth + 1));
            }
            return object;
        }

        private JsonNode scalar(ScalarNode node, int line) {
            String text = node.getValue();
            if (node.getTag().equals(Tag.INT)) {
                try {
                    return JSON.numberNode(Long.parseLong(text));
                } catch (NumberFormatException e) {
                    problems.add(
                            new RuleProblem(file, line, "\"" + text + "\" is not a whole number that fits 64 bits"));
                    return JSON.nullNode();
                }
            }
            if (node.getTag().equals(Tag.FLOAT)) {
                try {
                    return JSON.numberNode(Double.parseDouble(text));
                } catch (NumberFormatException e) {
                    problems.add(new RuleProblem(file, line, "\"" + text + "\" is not a finite number"));
                    return JSON.nullNode();
                }
            }
            if (node.getTag().equals(Tag.BOOL)) {
                return JSON.booleanNode(Boolean.parseBoolean(text));
            }
            if (node.getTag().equals(Tag.NULL)) {
                return JSON.nullNode();
            }
            return JSON.stringNode(text);
        }
    }
}
