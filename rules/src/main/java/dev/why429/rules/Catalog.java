package dev.why429.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Every rule of every kind as a list to look at, whatever a kind is made of. */
public final class Catalog {
    /** Kinds in the order in which they are listed. */
    public static final List<String> KINDS = List.of("format", "fingerprint", "limiter", "detector", "pitfall");

    private Catalog() {}

    /**
     * @param kind one of {@link #KINDS}
     * @param id name of the rule's folder
     * @param path of the rule's file, as a person would open it
     * @param title one line
     * @param tree all that the file says
     */
    public record Entry(String kind, String id, String path, String title, JsonNode tree) {}

    /** The rules that come with the program, kind by kind, each in the order of its folders. */
    public static List<Entry> builtIn() {
        List<Entry> entries = new ArrayList<>();
        for (String kind : KINDS) {
            int depth = kind.equals("fingerprint") || kind.equals("pitfall") ? 2 : 1;
            RuleKind<JsonNode> anything =
                    new RuleKind<>(kind + "s", depth, kind, (file, document, problems) -> document.tree());
            RuleFile.builtIn(anything).stream()
                    .sorted(Comparator.comparing(RuleFile::folder))
                    .map(file -> entry(kind, file))
                    .forEach(entries::add);
        }
        return List.copyOf(entries);
    }

    private static Entry entry(String kind, RuleFile file) {
        JsonNode tree = YamlDocument.parse(file.path(), file.text()).tree();
        return new Entry(kind, file.id(), file.path(), tree.path("title").asString(""), tree);
    }
}
