package dev.why429.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimiterRuleTest {
    @Test
    void everyLimiterIsValidAndHasItsScript() {
        RuleSchema schema = RuleSchema.of(RuleKind.LIMITER);
        List<RuleProblem> problems = new ArrayList<>();
        List<RuleFile> files = RuleFile.builtIn(RuleKind.LIMITER);
        for (RuleFile file : files) {
            problems.addAll(schema.check(file, YamlDocument.parse(file.path(), file.text())));
        }
        assertThat(files).isNotEmpty();
        assertThat(problems).isEmpty();
        assertThat(Rulebook.builtIn().all(RuleKind.LIMITER))
                .allSatisfy(rule -> assertThat(rule.script()).contains("KEYS[1]"));
    }

    @Test
    void everyErrorOfAScriptIsExplainedOnItsPage() {
        for (LimiterRule rule : Rulebook.builtIn().all(RuleKind.LIMITER)) {
            List<String> inScript = java.util.regex.Pattern.compile("refuse\\('([A-Z_]+)'")
                    .matcher(rule.script())
                    .results()
                    .map(match -> match.group(1))
                    .distinct()
                    .toList();
            assertThat(rule.errors())
                    .as(rule.id())
                    .extracting(LimiterRule.ErrorCode::code)
                    .containsExactlyInAnyOrderElementsOf(inScript);
        }
    }
}
