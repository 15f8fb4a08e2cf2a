package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/formats.md speaks of every format, and says of each which moment its stamp marks. */
class FormatsPageTest {
    static java.util.List<FormatFolder> folders() {
        return FormatFolder.all();
    }

    @ParameterizedTest
    @MethodSource("folders")
    void thePageHasARowForTheFormat(FormatFolder folder) throws IOException {
        String id = folder.format().id();
        assertThat(Files.readAllLines(Path.of("..", "docs", "formats.md")))
                .filteredOn(line -> line.startsWith("| `" + id + "` |"))
                .singleElement()
                .asString()
                .contains(folder.format().stampAtStart() ? "| arrival |" : "| end |");
    }
}
