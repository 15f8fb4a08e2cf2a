package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.fact.ScriptCall;
import dev.why429.analyzers.audit.read.Arithmetic;
import dev.why429.analyzers.audit.read.LuaScript;
import dev.why429.analyzers.audit.read.LuaScript.Assignment;
import dev.why429.analyzers.audit.read.LuaScript.RedisCall;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Redis scripts: whose clock they go by, and whether their state lives as long as a bucket needs to fill. */
final class RedisClockAndLife implements PitfallCheck {
    private static final Pattern CLOCK_NAME =
            Pattern.compile("(?i)now|time|ts|timestamp|.*_now|now_.*|.*time.*|.*_ts|ms");
    private static final Pattern LOCAL_CLOCK = Pattern.compile(
            "Date\\.now|new Date|time\\.time|monotonic|performance\\.now|hrtime|datetime|\\bnow\\b|Instant|currentTimeMillis");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*");

    @Override
    public void look(Facts facts, Findings findings) {
        for (LuaScript script : facts.sources().scripts()) {
            List<ScriptCall> calls = ScriptCall.of(script, facts.sources());
            callersClock(findings, script, calls);
            shortLife(findings, script, calls);
        }
    }

    private static void callersClock(Findings findings, LuaScript script, List<ScriptCall> calls) {
        if (script.usesServerTime()) {
            return;
        }
        for (Assignment clock : script.assignments()) {
            Optional<Integer> number = script.argumentNumber(clock.expression());
            if (number.isEmpty() || !CLOCK_NAME.matcher(clock.name()).matches() || clamped(script, clock.name())) {
                continue;
            }
            List<Syntax> given = calls.stream()
                    .flatMap(call -> call.argument(number.get()).stream())
                    .toList();
            boolean known = given.isEmpty() || given.stream().anyMatch(RedisClockAndLife::isLocalClock);
            Optional<RedisCall> stored =
                    script.calls("HMSET", "HSET", "SET", "SETEX", "ZADD", "ZREMRANGEBYSCORE").stream()
                            .filter(call ->
                                    call.arguments().stream().skip(1).anyMatch(a -> uses(a, clock.name(), script)))
                            .findFirst();
            boolean measures = script.code().contains(clock.name() + " - ")
                    || script.code().contains("- " + clock.name());
            if (known && measures && stored.isPresent()) {
                List<Related> related = new ArrayList<>();
                related.add(related(stored.get().place(), "stored even when it is behind"));
                given.stream().findFirst().ifPresent(g -> related.add(related(g.place(), "the caller's clock")));
                findings.report(
                        "redis",
                        "store-clock-arg",
                        clock.name()
                                + " comes from the caller, and is stored even when it is behind: with two clocks one second apart, the same second is given out again and again",
                        clock.place(),
                        related.toArray(Related[]::new));
                return;
            }
        }
    }

    private static boolean isLocalClock(Syntax argument) {
        String text = argument.text();
        return LOCAL_CLOCK.matcher(text).find() && !text.contains("redis") && !text.contains(".time()[");
    }

    private static boolean uses(String text, String name, LuaScript script) {
        Matcher names = NAME.matcher(text);
        while (names.find()) {
            if (names.group().equals(name)
                    || script.assigned(names.group())
                            .filter(a -> a.expression().equals(name))
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** {@code math.max(last, now)}, {@code if now < last then now = last end}. */
    private static boolean clamped(LuaScript script, String name) {
        String code = script.code();
        int at = code.indexOf("math . max (");
        while (at >= 0) {
            String arguments = code.substring(at + 12, Math.max(at + 12, code.indexOf(')', at)));
            boolean names = arguments.contains(" " + name + " ") || arguments.startsWith(name + " ");
            if (names && !arguments.contains("-")) {
                return true;
            }
            at = code.indexOf("math . max (", at + 1);
        }
        return script.assignments().stream().filter(a -> a.name().equals(name)).count() > 1
                || code.contains("if " + name + " < ")
                || code.contains("> " + name + " then");
    }

    private static void shortLife(Findings findings, LuaScript script, List<ScriptCall> calls) {
        Optional<Refill> refill = refill(script);
        if (refill.isEmpty()) {
            return;
        }
        for (RedisCall expire : script.calls("EXPIRE", "PEXPIRE")) {
            for (ScriptCall call : calls) {
                OptionalDouble life = value(script, call, expire.argument(1));
                OptionalDouble size = value(script, call, refill.get().capacity());
                OptionalDouble rate = value(script, call, refill.get().rate());
                if (life.isEmpty() || size.isEmpty() || rate.isEmpty() || rate.getAsDouble() <= 0) {
                    continue;
                }
                double lifeSeconds = expire.command().equals("EXPIRE") ? life.getAsDouble() : life.getAsDouble() / 1000;
                double perSecond = rate.getAsDouble() * unitsPerSecond(script, call);
                double fullAfterSeconds = size.getAsDouble() / perSecond;
                if (fullAfterSeconds > lifeSeconds + 1) {
                    findings.report(
                            "redis",
                            "store-ttl-short",
                            "the state expires after " + Limiter.plain(lifeSeconds) + " s, but "
                                    + call.call().place()
                                    + " fills " + Limiter.plain(size.getAsDouble()) + " in "
                                    + Limiter.plain(Math.rint(fullAfterSeconds))
                                    + " s: " + Limiter.plain(lifeSeconds) + " idle seconds give back everything",
                            expire.place(),
                            related(call.call().place(), "capacity and rate"));
                    return;
                }
            }
        }
    }

    /** The names of capacity and rate in {@code math.min(capacity, tokens + elapsed * rate)}. */
    private record Refill(String capacity, String rate, String expression) {}

    private static Optional<Refill> refill(LuaScript script) {
        for (Assignment assignment : script.assignments()) {
            String text = assignment.expression().replace(" ", "");
            if (!text.startsWith("math.min(") || !text.endsWith(")")) {
                continue;
            }
            String inside = text.substring(9, text.length() - 1);
            int comma = topLevelComma(inside);
            if (comma < 0) {
                continue;
            }
            String left = inside.substring(0, comma);
            String right = inside.substring(comma + 1);
            String capacity = NAME.matcher(left).matches() ? left : right;
            String growth = capacity.equals(left) ? right : left;
            Optional<Refill> found = rateIn(script, capacity, growth)
                    .or(() -> namesOf(growth).stream()
                            .flatMap(name -> script.assigned(name).stream())
                            .flatMap(
                                    a -> rateIn(script, capacity, a.expression().replace(" ", "")).stream())
                            .findFirst());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Refill> rateIn(LuaScript script, String capacity, String growth) {
        if (!growth.contains("*")) {
            return Optional.empty();
        }
        return namesOf(growth).stream()
                .filter(name ->
                        !name.equals(capacity) && !CLOCK_NAME.matcher(name).matches())
                .filter(name -> growth.contains("*" + name) || growth.contains(name + "*"))
                .filter(name -> script.argumentNumber(name).isPresent()
                        || literal(script, name).isPresent())
                .map(name -> new Refill(capacity, name, growth))
                .findFirst();
    }

    private static OptionalDouble literal(LuaScript script, String name) {
        return script.assigned(name)
                .map(a -> Arithmetic.evaluate(a.expression()))
                .orElse(OptionalDouble.empty());
    }

    private static List<String> namesOf(String text) {
        List<String> names = new ArrayList<>();
        Matcher matcher = NAME.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    private static int topLevelComma(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static OptionalDouble value(LuaScript script, ScriptCall call, String expression) {
        OptionalDouble literal =
                Arithmetic.evaluate(expression, name -> script.assigned(name).map(Assignment::expression));
        if (literal.isPresent()) {
            return literal;
        }
        return script.argumentNumber(expression)
                .flatMap(call::argument)
                .map(argument -> call.code().number(argument))
                .orElse(OptionalDouble.empty());
    }

    /** A rate is per millisecond where the clock counts those and nothing divides by a thousand. */
    private static double unitsPerSecond(LuaScript script, ScriptCall call) {
        boolean millis = call.arguments().stream()
                .anyMatch(a -> (a.text().contains("Date.now()") || a.text().contains("* 1000"))
                        && !a.text().contains("/"));
        boolean divided = script.code().contains("/ 1000") || script.code().contains("* 0.001");
        return millis && !divided ? 1000 : 1;
    }
}
