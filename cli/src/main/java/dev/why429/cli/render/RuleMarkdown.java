package dev.why429.cli.render;

import dev.why429.rules.Catalog;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A rule as a page of Markdown, from what its file says and in the file's order. The pages of {@code docs/rules} are these. */
public final class RuleMarkdown {
    private final StringBuilder page = new StringBuilder();

    private RuleMarkdown() {}

    /** @param rulesFolder where the folder {@code rules} lies, seen from the page: {@code ../../..} */
    public static String of(Catalog.Entry entry, String rulesFolder) {
        RuleMarkdown written = new RuleMarkdown();
        written.page
                .append("# ")
                .append(entry.title().isEmpty() ? entry.id() : entry.title())
                .append("\n\n`")
                .append(entry.id())
                .append("` · ")
                .append(entry.kind())
                .append(" · [")
                .append(entry.path())
                .append("](")
                .append(rulesFolder)
                .append('/')
                .append(entry.path())
                .append(")\n");
        for (Map.Entry<String, JsonNode> part : entry.tree().properties()) {
            if (!part.getKey().equals("title") && !part.getKey().equals("id")) {
                written.part(part.getKey(), part.getValue());
            }
        }
        return written.page.toString();
    }

    private void part(String name, JsonNode value) {
        page.append("\n## ").append(heading(name)).append("\n\n");
        if (value.isContainer()) {
            items(value, "");
        } else {
            text(value.asString(""), "");
        }
    }

    private static String heading(String name) {
        String words = Wording.words(name);
        return words.isEmpty() ? name : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private void items(JsonNode value, String indent) {
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> part : value.properties()) {
                item(Wording.words(part.getKey()), part.getValue(), indent);
            }
            return;
        }
        for (JsonNode item : value) {
            if (item.isObject() && isFlat(item)) {
                StringBuilder line = new StringBuilder(indent).append("- ");
                String between = "";
                for (Map.Entry<String, JsonNode> part : item.properties()) {
                    line.append(between)
                            .append(Wording.words(part.getKey()))
                            .append(": ")
                            .append(inline(part.getValue()));
                    between = "; ";
                }
                page.append(line).append('\n');
            } else if (item.isContainer()) {
                page.append(indent).append("-\n");
                items(item, indent + "  ");
            } else {
                text(item.asString(""), indent + "- ");
            }
        }
    }

    private void item(String name, JsonNode value, String indent) {
        if (value.isContainer()) {
            page.append(indent).append("- **").append(name).append("**\n");
            items(value, indent + "  ");
        } else if (value.asString("").strip().contains("\n")) {
            page.append(indent).append("- **").append(name).append("**\n\n");
            text(value.asString(""), indent + "  ");
        } else {
            page.append(indent)
                    .append("- **")
                    .append(name)
                    .append("**: ")
                    .append(inline(value))
                    .append('\n');
        }
    }

    private static boolean isFlat(JsonNode item) {
        return item.valueStream()
                .noneMatch(value ->
                        value.isContainer() || value.asString("").strip().contains("\n"));
    }

    /** Several lines are code or a list of steps: as they stand. */
    private void text(String text, String lead) {
        String stripped = text.strip();
        if (!stripped.contains("\n")) {
            page.append(lead).append(escaped(stripped)).append('\n');
            return;
        }
        String indent = " ".repeat(lead.length());
        page.append(lead).append("```\n");
        stripped.lines()
                .forEach(line -> page.append((indent + line).stripTrailing()).append('\n'));
        page.append(indent).append("```\n");
    }

    private static String inline(JsonNode value) {
        String text = value.asString("").strip();
        boolean prose = text.indexOf(' ') > 0 && text.chars().noneMatch(c -> "{}$\\^|".indexOf(c) >= 0);
        return prose || text.isEmpty() ? escaped(text) : "`" + text.replace("`", "'") + "`";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("*", "\\*")
                .replace("_", "\\_")
                .replace("<", "&lt;")
                .replace("|", "\\|");
    }
}
