package dev.why429.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FormatFilesTest {
    private static final Path RULES = Path.of("");

    @Test
    void everyFormatFileIsValidAndHasItsProofBesideIt() {
        List<RuleFile> files = RuleFile.inFolder(RULES.toAbsolutePath(), RuleKind.FORMAT);
        assertThat(files).hasSizeGreaterThan(10);
        List<RuleProblem> problems = new ArrayList<>();
        Optional<RuleSchema> schema = Optional.of(RuleSchema.of(RuleKind.FORMAT));
        for (RuleFile file : files) {
            Rulebook.read(RuleKind.FORMAT, file, schema, problems);
            for (String proof : List.of("samples.log", "expected.ndjson", "reject.log")) {
                assertThat(file.beside(proof)).as(file.folder() + "/" + proof).isPresent();
            }
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void aFaultIsNamedWithItsLine() {
        String text = """
                title: something
                reading: text
                components: []
                layer: nowhere
                table: requests
                time_means: end
                """;
        RuleFile file = new RuleFile("formats/bad", "format.yaml", text, name -> Optional.empty());
        List<RuleProblem> problems = new ArrayList<>();

        assertThat(Rulebook.read(RuleKind.FORMAT, file, Optional.of(RuleSchema.of(RuleKind.FORMAT)), problems))
                .isEmpty();
        assertThat(problems)
                .extracting(RuleProblem::toString)
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("rules/formats/bad/format.yaml:4: ")
                        .contains("/layer"));
        assertThat(problems.toString()).contains("spelling").contains("patterns");
    }

    @Test
    void aFieldThatIsNotInTheDictionaryIsNamedWithItsLine() {
        String text = """
                title: something
                reading: json
                components: []
                layer: app
                table: requests
                time_means: end
                json:
                  - {field: logged_at, value: stamp, paths: [time]}
                  - {field: staus, value: status, paths: [status]}
                """;
        RuleFile file = new RuleFile("formats/bad", "format.yaml", text, name -> Optional.empty());
        List<RuleProblem> problems = new ArrayList<>();

        Rulebook.read(RuleKind.FORMAT, file, Optional.of(RuleSchema.of(RuleKind.FORMAT)), problems);

        assertThat(problems)
                .extracting(RuleProblem::toString)
                .containsExactly("rules/formats/bad/format.yaml:9: no field \"staus\"; fields.yaml lists them");
    }
}
