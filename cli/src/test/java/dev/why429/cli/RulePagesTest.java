package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.cli.render.RuleMarkdown;
import dev.why429.rules.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/rules} says what the rules say. After a change of rules {@code -Dwhy429.write.docs=true} writes the pages anew. */
class RulePagesTest {
    private static final Path PAGES = Path.of("..", "docs", "rules");

    @Test
    void thePagesAreThoseOfTheRules() throws IOException {
        Map<String, String> wanted = pages();
        if (Boolean.getBoolean("why429.write.docs")) {
            write(wanted);
        }
        assertThat(written()).as("run the tests with -Dwhy429.write.docs=true").isEqualTo(wanted);
    }

    private static Map<String, String> pages() {
        Map<String, String> pages = new TreeMap<>();
        StringBuilder index = new StringBuilder("""
                # What why429 knows

                One page for each rule, written from the rule's own file (`why429 explain ID` prints the same). Don't edit them here.
                """);
        for (String kind : Catalog.KINDS) {
            index.append("\n## ")
                    .append(Character.toUpperCase(kind.charAt(0)))
                    .append(kind.substring(1))
                    .append("s\n\n");
            Catalog.builtIn().stream()
                    .filter(entry -> entry.kind().equals(kind))
                    .forEach(entry -> {
                        String name = name(entry);
                        pages.merge(name, RuleMarkdown.of(entry, "../../.."), (one, other) -> one + "\n" + other);
                        index.append("- [")
                                .append(entry.id())
                                .append("](")
                                .append(name)
                                .append(") ")
                                .append(entry.title())
                                .append('\n');
                    });
        }
        pages.put("README.md", index.toString());
        return pages;
    }

    /** A pitfall that several technologies share has a folder in each: told apart by the folder. */
    private static String name(Catalog.Entry entry) {
        Path folder = Path.of(entry.path()).getParent();
        boolean deep = entry.kind().equals("pitfall") || entry.kind().equals("fingerprint");
        String file = deep ? folder.getParent().getFileName() + "-" + entry.id() : entry.id();
        return entry.kind() + "s/" + file + ".md";
    }

    private static void write(Map<String, String> pages) throws IOException {
        if (Files.isDirectory(PAGES)) {
            try (Stream<Path> all = Files.walk(PAGES)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Path file = PAGES.resolve(page.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, page.getValue());
        }
    }

    private static Map<String, String> written() throws IOException {
        Map<String, String> found = new TreeMap<>();
        if (!Files.isDirectory(PAGES)) {
            return found;
        }
        try (Stream<Path> all = Files.walk(PAGES)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                found.put(PAGES.relativize(file).toString().replace('\\', '/'), Files.readString(file));
            }
        }
        return found;
    }
}
