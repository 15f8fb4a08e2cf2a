package dev.why429.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example of docs/queries.md is asked of a real case. */
class QueryRecipesTest {
    private static final Path PAGE = Path.of("..", "docs", "queries.md");
    private static final Path STORY = Path.of("..", "sample-logs", "incidents", "three-pods-three-counters");
    private static final Pattern RECIPE = Pattern.compile("## ([^\n]+)\n(?:(?!##)[^`])*```sql\n([^`]+)```");

    @TempDir
    static Path folder;

    private record Recipe(String question, String sql) {
        @Override
        public String toString() {
            return question;
        }
    }

    static List<Recipe> recipes() throws IOException {
        List<Recipe> recipes = new ArrayList<>();
        Matcher found = RECIPE.matcher(Files.readString(PAGE));
        while (found.find()) {
            recipes.add(new Recipe(found.group(1), found.group(2)));
        }
        return recipes;
    }

    private static String run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        assertThat(Main.run(terminal, arguments))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    @BeforeAll
    static void aCase() {
        String summary = run(
                "investigate",
                STORY.resolve("logs").toString(),
                "--sources",
                STORY.resolve("sources.yaml").toString(),
                "--redact",
                "off",
                "--format",
                "md",
                "-o",
                folder.resolve("case").toString());
        assertThat(summary).startsWith("## 336 of 336 denials came from express-rate-limit");
    }

    @Test
    void noQuestionIsLeftOut() throws IOException {
        assertThat(recipes()).hasSizeGreaterThanOrEqualTo(10);
        assertThat(Files.readString(PAGE).split("```sql")).hasSize(recipes().size() + 1);
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void theExampleWorks(Recipe recipe) {
        assertThat(run("query", folder.resolve("case").toString(), recipe.sql()).lines())
                .last()
                .asString()
                .matches("[0-9,]+ rows?");
    }

    @Test
    void theFirstAnswerIsRight() throws IOException {
        assertThat(run(
                                "query",
                                folder.resolve("case").toString(),
                                recipes().get(0).sql(),
                                "--format",
                                "csv")
                        .lines())
                .contains("\"127.20.0.10\",448,246");
    }
}
