package dev.why429.analyzers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A case is whole in its place, or it is not there. */
class CaseFolderTest {
    /** Larger than Linux hands out. */
    private static final String DEAD = "99999999-";

    @TempDir
    private Path folder;

    @Test
    void nothingIsSeenAtThePlaceUntilTheCaseIsWhole() throws IOException {
        Path place = folder.resolve("case");
        try (CaseFolder begun = CaseFolder.begin(place, false)) {
            Files.writeString(begun.work().resolve("case.json"), "{}");
            assertThat(place).doesNotExist();
            begun.moveIntoPlace();
        }
        assertThat(place.resolve("case.json")).exists();
        assertThat(names()).containsExactly("case");
    }

    @Test
    void anAbandonedRunLeavesTheOlderCaseAndNothingElse() throws IOException {
        Path place = aCase("older");
        try (CaseFolder begun = CaseFolder.begin(place, true)) {
            Files.writeString(begun.work().resolve("case.json"), "half");
        }
        assertThat(place.resolve("case.json")).hasContent("older");
        assertThat(names()).containsExactly("case");
    }

    @Test
    void whatAKilledRunLeftIsRemovedByTheNext() throws IOException {
        Path left = Files.createDirectory(folder.resolve(".case.partial-" + DEAD + "1"));
        Files.writeString(left.resolve("case.duckdb"), "half");
        CaseFolder.begin(folder.resolve("case"), false).close();
        assertThat(names()).isEmpty();
    }

    @Test
    void aCaseThatAKilledRunHadMovedAsideComesBack() throws IOException {
        Path aside = Files.createDirectory(folder.resolve(".case.partial-" + DEAD + "1.old"));
        Files.writeString(aside.resolve("case.json"), "older");
        assertThatThrownBy(() -> CaseFolder.begin(folder.resolve("case"), false))
                .isInstanceOf(CaseFolder.CannotWrite.class)
                .hasMessageContaining("holds a case already")
                .hasMessageContaining("--force");
        assertThat(folder.resolve("case").resolve("case.json")).hasContent("older");
        assertThat(names()).containsExactly("case");
    }

    @Test
    void aRunThatStillWritesIsLeftAlone() throws IOException {
        try (CaseFolder first = CaseFolder.begin(folder.resolve("case"), false)) {
            CaseFolder.begin(folder.resolve("case"), false).close();
            assertThat(first.work()).isDirectory();
        }
    }

    @Test
    void aFolderThatIsNoCaseIsNeverReplaced() throws IOException {
        Path place = Files.createDirectory(folder.resolve("photos"));
        Files.writeString(place.resolve("cat.png"), "meow");
        assertThatThrownBy(() -> CaseFolder.begin(place, true))
                .isInstanceOf(CaseFolder.CannotWrite.class)
                .hasMessageContaining("is not empty and no case");
        assertThat(place.resolve("cat.png")).exists();
    }

    private Path aCase(String content) throws IOException {
        Path place = Files.createDirectory(folder.resolve("case"));
        Files.writeString(place.resolve("case.json"), content);
        return place;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
