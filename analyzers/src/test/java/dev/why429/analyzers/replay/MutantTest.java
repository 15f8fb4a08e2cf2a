package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bugs that limiters in the wild have had, put into our scripts one at a time: the decision table or random traffic must notice each. A bug is one
 * replacement of text, so that a script that changes makes this test say what no longer fits.
 */
class MutantTest {
    static Stream<Arguments> bugs() {
        return Stream.of(
                bug(
                        "a client's older clock moves the bucket's stamp back and credits the time twice",
                        "token-bucket",
                        "if now < last then now = last end",
                        ""),
                bug(
                        "an older clock opens the window before again",
                        "fixed-window",
                        "if now < started then now = started end",
                        ""),
                bug(
                        "fourteen digits are kept of a stamp of sixteen",
                        "token-bucket",
                        "return string.format('%.0f', number)",
                        "return tostring(number)"),
                bug(
                        "fourteen digits are kept of a window's start",
                        "fixed-window-first",
                        "return string.format('%.0f', number)",
                        "return tostring(number)"),
                bug(
                        "a denial stamps the bucket and its part of a token is lost",
                        "token-bucket",
                        "if allowed == 1 then level = level - need end",
                        "if allowed == 1 then level = level - need else level = level - level % period end"),
                bug(
                        "time spent full is credited later, since the stamp was not moved",
                        "token-bucket",
                        "then level = was_full else level = level + elapsed * was_tokens end",
                        "then level = was_full now = last else level = level + elapsed * was_tokens end"),
                bug(
                        "only an empty bucket denies, so a cost above what is left takes it below zero",
                        "token-bucket",
                        "if level >= need then",
                        "if level >= period then"),
                bug(
                        "a denied request is charged",
                        "token-bucket",
                        "if allowed == 1 then level = level - need end",
                        "level = level - need"),
                bug(
                        "a cost above the capacity is denied with a wait that never ends",
                        "token-bucket",
                        "if cost > capacity then",
                        "if false then"),
                bug(
                        "a cost above the limit is denied with a wait that never ends",
                        "fixed-window",
                        "if cost > limit then",
                        "if false then"),
                bug("one fewer than the limit passes", "fixed-window", "<= limit then", "< limit then"),
                bug("one more than the limit passes", "fixed-window-first", "<= limit then", "<= limit + 1 then"),
                bug(
                        "what is exactly a window old still counts",
                        "sliding-log",
                        "stamp(-1) <= oldest",
                        "stamp(-1) < oldest"),
                bug(
                        "a burst is one more than asked for",
                        "gcra",
                        "local full = burst * period",
                        "local full = (burst + 1) * period"),
                bug(
                        "each hit starts the window anew, so it never ends under steady load",
                        "fixed-window-first",
                        "if not open then start, stop",
                        "if true then start, stop"),
                bug("the arrival time drifts by the part of a microsecond", "gcra", "digits(debt % requests)", "'0'"),
                bug(
                        "a gap of several windows is taken for one",
                        "sliding-counter",
                        "elseif since < 2 * was_window then",
                        "else"),
                bug(
                        "entries of one instant become one",
                        "sliding-log",
                        "for i = 1, math.min(cost, 1000) do",
                        "if stamp(0) == now then redis.call('LPOP', KEYS[1]) end for i = 1, math.min(cost, 1000) do"),
                bug(
                        "counted before it is trimmed",
                        "sliding-log",
                        "while length > 1 and stamp(-1) <= oldest do",
                        "used = length - 1 while length > 1 and stamp(-1) <= oldest do",
                        "  used = length - 1\nend",
                        "end"),
                bug(
                        "the wait is rounded down",
                        "token-bucket",
                        "retry = up(need - level, tokens)",
                        "retry = math.floor((need - level) / tokens)"),
                bug(
                        "nginx's first request adds to the excess",
                        "leaky-bucket",
                        "local excess, changed = -1000",
                        "local excess, changed = 0"),
                bug(
                        "time is whole seconds, so the refill comes in steps",
                        "token-bucket",
                        "local full = capacity * period",
                        "now = now - now % 1000000 local full = capacity * period"));
    }

    private static Arguments bug(String story, String limiter, String... replacements) {
        return Arguments.of(story, limiter, List.of(replacements));
    }

    @ParameterizedTest(name = "{0} ({1})")
    @MethodSource("bugs")
    void isNoticed(String story, String limiter, List<String> replacements) {
        String script = mutant(limiter, replacements);
        DecisionTable table = DecisionTable.of(limiter);
        EventStream random = RandomTraffic.of(limiter, 3000, new Random(7));
        boolean noticed = !table.differences(table.events().byScript(script)).isEmpty()
                || !random.byTwin(limiter).equals(random.byScript(script));
        assertThat(noticed)
                .as("%s: the suite tells the mutant from the script", story)
                .isTrue();
    }

    static String mutant(String limiter, List<String> replacements) {
        String script = ReferenceLimiters.rule(limiter).script();
        for (int i = 0; i < replacements.size(); i += 2) {
            assertThat(script).as(limiter).containsOnlyOnce(replacements.get(i));
            script = script.replace(replacements.get(i), replacements.get(i + 1));
        }
        return script;
    }
}
