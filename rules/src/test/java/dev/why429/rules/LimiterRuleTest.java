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

    /** The scripts are copied into production one by one, so each holds the whole prologue; it must be the same one. */
    @Test
    void everyScriptBeginsWithTheSamePrologue() {
        List<String> prologues = Rulebook.builtIn().all(RuleKind.LIMITER).stream()
                .map(rule -> prologue(rule.script()))
                .toList();
        assertThat(prologues).hasSizeGreaterThan(7);
        assertThat(prologues.stream().distinct()).hasSize(1);
        assertThat(prologues.get(0)).contains("'TIME'", "BAD_NOW", "BAD_MODE", "BAD_COST");
    }

    private static String prologue(String script) {
        int from = script.indexOf("local MAX = ");
        int last = script.indexOf("if not cost then return refuse('BAD_COST'");
        assertThat(from).isPositive();
        assertThat(last).isGreaterThan(from);
        return script.substring(from, script.indexOf('\n', last));
    }
}
