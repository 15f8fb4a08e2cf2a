package dev.why429.cli.render;

import dev.why429.cli.Printable;
import dev.why429.rules.Catalog;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A rule as a page of text: its title, then what its file says, in the file's own order. */
public final class RulePage {
    private static final int WIDTH = 80;

    private final StringBuilder page = new StringBuilder();

    private RulePage() {}

    public static String of(Catalog.Entry entry) {
        RulePage written = new RulePage();
        written.page
                .append(entry.id())
                .append(": ")
                .append(Printable.of(entry.title()))
                .append('\n')
                .append(entry.kind())
                .append(", ")
                .append(entry.path())
                .append("\n");
        for (Map.Entry<String, JsonNode> part : entry.tree().properties()) {
            if (!part.getKey().equals("title") && !part.getKey().equals("id")) {
                written.page.append('\n');
                written.add(Wording.words(part.getKey()), part.getValue(), 0);
            }
        }
        return written.page.append('\n').toString();
    }

    private void add(String name, JsonNode value, int indent) {
        String lead = " ".repeat(indent) + Printable.of(name) + ":";
        if (value.isContainer()) {
            page.append(lead).append('\n');
            children(value, indent + 2);
        } else if (lead.length() + 1 + value.asString("").length() <= WIDTH
                && !value.asString("").contains("\n")) {
            page.append(lead)
                    .append(' ')
                    .append(Printable.of(value.asString("")))
                    .append('\n');
        } else {
            page.append(lead).append('\n');
            text(value.asString(""), indent + 2, "");
        }
    }

    private void children(JsonNode value, int indent) {
        if (value.isObject()) {
            value.properties().forEach(part -> add(part.getKey(), part.getValue(), indent));
            return;
        }
        for (JsonNode item : value) {
            if (item.isContainer()) {
                page.append(" ".repeat(indent)).append("-\n");
                children(item, indent + 2);
            } else {
                text(item.asString(""), indent, "- ");
            }
        }
    }

    private void text(String text, int indent, String bullet) {
        String lead = " ".repeat(indent) + bullet;
        for (String paragraph : text.strip().split("\n", -1)) {
            for (String line : TextAnswer.wrap(Printable.of(paragraph.stripTrailing()), WIDTH - lead.length())) {
                page.append((lead + line).stripTrailing()).append('\n');
                lead = " ".repeat(lead.length());
            }
        }
    }
}
