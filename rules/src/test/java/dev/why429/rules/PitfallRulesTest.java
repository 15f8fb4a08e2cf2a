package dev.why429.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PitfallRulesTest {
    @Test
    void every_pitfall_is_written_as_its_schema_says() {
        RuleSchema schema = RuleSchema.of(RuleKind.PITFALL);
        List<RuleProblem> problems = new ArrayList<>();
        List<RuleFile> files = RuleFile.inFolder(Path.of(""), RuleKind.PITFALL);
        for (RuleFile file : files) {
            problems.addAll(schema.check(file, YamlDocument.parse(file.path(), file.text())));
        }
        assertThat(files).isNotEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void technology_and_id_are_the_folders() {
        assertThat(Rulebook.builtIn().all(RuleKind.PITFALL)).anySatisfy(pitfall -> {
            assertThat(pitfall.technology()).isEqualTo("redis");
            assertThat(pitfall.id()).isEqualTo("store-ttl-short");
            assertThat(pitfall.severity()).isEqualTo(Pitfall.Severity.HIGH);
        });
    }
}
