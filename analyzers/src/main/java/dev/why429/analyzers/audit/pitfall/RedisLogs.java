package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.RedisUse;
import dev.why429.analyzers.audit.fact.RedisUse.Command;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.LuaScript;
import dev.why429.analyzers.audit.read.LuaScript.RedisCall;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Sliding logs in a sorted set: added before counted, members that coincide, cut by the caller's clock. */
final class RedisLogs implements PitfallCheck {
    private static final Pattern LOCAL_CLOCK = Pattern.compile(
            "Date\\.now\\(|time\\.time\\(|time\\(\\)|new Date\\(|datetime\\.|performance\\.now\\(|time_ns\\(");
    private static final String COUNTED =
            "the entry is added before the log is counted: refused requests count too, and a "
                    + "client that goes on trying stays refused";
    private static final String COLLIDES = "the member is the time itself: two requests in one instant are one entry";

    @Override
    public void look(Facts facts, Findings findings) {
        for (Code code : facts.sources().codes()) {
            RedisUse use = RedisUse.of(code);
            for (Command add : use.commands("zadd")) {
                look(findings, use, add);
            }
        }
        facts.sources().scripts().forEach(script -> script(findings, script));
    }

    private static void look(Findings findings, RedisUse use, Command add) {
        String technology = "code";
        List<Command> around = use.in(add.function());
        Optional<Command> count =
                around.stream().filter(c -> c.is("zcard", "zcount")).findFirst();
        if (count.isEmpty()) {
            return;
        }
        String function = add.function().text();
        boolean before = add.call().node().end() < count.get().call().node().end();
        boolean takenBack = function.contains("zrem(") || function.contains("zRem(");
        if (before && !takenBack) {
            findings.report(
                    technology,
                    "log-counts-denied",
                    COUNTED,
                    add.call().place(),
                    related(count.get().call().place(), "the count"));
        }
        if (memberIsScore(add)) {
            findings.report(
                    technology, "log-member-collision", COLLIDES, add.call().place());
        }
        around.stream()
                .filter(c -> c.is("zremrangebyscore"))
                .findFirst()
                .flatMap(cut -> clock(use.code(), add.function(), cut))
                .ifPresent(clock -> findings.report(
                        technology,
                        "store-clock-arg",
                        "the window is cut by the clock of whichever process calls: two clocks apart count different windows",
                        clock.place(),
                        related(add.call().place(), "the log")));
    }

    private static Optional<Syntax> clock(Code code, Syntax function, Command cut) {
        String bound = cut.call().argument(2);
        if (LOCAL_CLOCK.matcher(bound).find()) {
            return Optional.of(cut.call().node());
        }
        return code.variables().stream()
                .filter(v -> function.contains(v.node()) && bound.contains(v.name()))
                .filter(v -> LOCAL_CLOCK.matcher(v.value().text()).find()
                        && !v.value().text().contains("redis"))
                .map(Code.Variable::node)
                .findFirst();
    }

    private static boolean memberIsScore(Command add) {
        List<Syntax> arguments = add.call().arguments();
        if (arguments.size() == 2) {
            Optional<Syntax> pair = arguments.get(1).all("pair").stream().findFirst();
            Optional<Syntax> value = Code.property(arguments.get(1), "value");
            Optional<Syntax> score = Code.property(arguments.get(1), "score");
            if (value.isPresent() && score.isPresent()) {
                return bare(value.get().text()).equals(bare(score.get().text()));
            }
            return pair.isPresent()
                    && bare(pair.get().childText("key")).equals(bare(pair.get().childText("value")));
        }
        return arguments.size() == 3
                && bare(arguments.get(1).text()).equals(bare(arguments.get(2).text()));
    }

    /** {@code str(now)}, {@code `${now}`}, {@code now.toString()} are all {@code now}. */
    private static String bare(String text) {
        String at = text.replace(" ", "");
        for (String wrapper : List.of("str(", "String(", "repr(", "tostring(", "f\"{", "f'{", "`${")) {
            if (at.startsWith(wrapper)) {
                at = at.substring(wrapper.length());
            }
        }
        return at.replace(".toString()", "").replaceAll("[)}`\"']+$", "");
    }

    private static void script(Findings findings, LuaScript script) {
        List<RedisCall> adds = script.calls("ZADD");
        List<RedisCall> counts = script.calls("ZCARD", "ZCOUNT");
        if (adds.isEmpty() || counts.isEmpty()) {
            return;
        }
        RedisCall add = adds.get(0);
        if (add.place().compareTo(counts.get(0).place()) < 0
                && script.calls("ZREM").isEmpty()) {
            findings.report(
                    "redis",
                    "log-counts-denied",
                    COUNTED,
                    add.place(),
                    related(counts.get(0).place(), "the count"));
        }
        // one script at a time, and Redis's own clock in microseconds: no two calls share an instant
        boolean serverMicros =
                !script.calls("TIME").isEmpty() && script.file().text().contains("1000000");
        if (!serverMicros
                && add.arguments().size() == 3
                && bare(add.argument(1)).equals(bare(add.argument(2)))) {
            findings.report(
                    "redis",
                    "log-member-collision",
                    COLLIDES,
                    add.place(),
                    related(counts.get(0).place(), "the count"));
        }
    }
}
