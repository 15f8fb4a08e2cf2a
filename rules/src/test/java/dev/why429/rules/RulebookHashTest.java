package dev.why429.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A case says by which knowledge it was made: what changes a decision must change the sum. */
class RulebookHashTest {
    @TempDir
    Path own;

    private String sum() {
        return Rulebook.with(List.of(own)).sha256(List.of(RuleKind.LIMITER, RuleKind.DETECTOR));
    }

    @Test
    void aChangedScriptOrQueryChangesTheSum() throws IOException {
        List<String> sums = new ArrayList<>(List.of(sum()));
        for (String file : List.of(
                "limiters/mine/limiter.yaml",
                "limiters/mine/limiter.lua",
                "detectors/mine/detector.yaml",
                "detectors/mine/detect.sql")) {
            Path path = own.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "one");
            sums.add(sum());
            Files.writeString(path, "two");
            sums.add(sum());
        }
        assertThat(sums).doesNotHaveDuplicates();
    }

    @Test
    void whatIsProofAndNoRuleDoesNotChangeIt() throws IOException {
        Path folder = Files.createDirectories(own.resolve("limiters/mine"));
        Files.writeString(folder.resolve("limiter.yaml"), "one");
        String before = sum();
        Files.writeString(folder.resolve("decisions.csv"), "a,b");
        assertThat(sum()).isEqualTo(before);
    }
}
