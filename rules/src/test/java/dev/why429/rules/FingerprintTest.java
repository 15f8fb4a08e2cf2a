package dev.why429.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintTest {
    @Test
    void everyFingerprintIsValidAgainstItsSchema() {
        RuleSchema schema = RuleSchema.of(RuleKind.FINGERPRINT);
        List<RuleProblem> problems = new ArrayList<>();
        List<RuleFile> files = RuleFile.builtIn(RuleKind.FINGERPRINT);
        for (RuleFile file : files) {
            problems.addAll(schema.check(file, YamlDocument.parse(file.path(), file.text())));
        }
        assertThat(problems).isEmpty();
        assertThat(files).hasSizeGreaterThan(40);
    }

    @Test
    void theFolderAboveIsTheLayer() {
        assertThat(Rulebook.builtIn().all(RuleKind.FINGERPRINT))
                .extracting(Fingerprint::layer)
                .containsOnly("cdn", "gateway", "app", "third_party");
    }

    @Test
    void anUnknownColumnAndADenyingHeaderAreNamedWithTheirLine() {
        String text = """
                title: x y z
                component: xy
                statuses: [429]
                markers:
                  - {in: log, name: no_such_column, matches: a, weight: 0.5, known_from: source}
                sources: [somewhere]
                """;
        RuleFile file =
                new RuleFile("fingerprints/app/xy", "fingerprint.yaml", text, name -> java.util.Optional.empty());
        List<RuleProblem> problems = new ArrayList<>();
        Fingerprint.from(file, YamlDocument.parse(file.path(), text), problems);
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(5);
            assertThat(problem.message()).contains("no_such_column");
        });
    }
}
