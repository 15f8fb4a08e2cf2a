package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Dependents;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.RedisUse;
import dev.why429.analyzers.audit.fact.RedisUse.Command;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Counters in Redis that are read and written in several trips: lost updates, and expiries that never come. */
final class RedisRaces implements PitfallCheck {
    static final Pattern PURPOSE =
            Pattern.compile("429|limit|throttl|quota|bucket|too many|attempt|allow", Pattern.CASE_INSENSITIVE);
    private static final Pattern FIRST_HIT =
            Pattern.compile("={2,3}\\s{0,2}1\\b|<=?\\s{0,2}1\\b|\\b1\\s{0,2}={2,3}|\\bnot\\b|!");
    private static final Pattern WINDOW_IN_KEY = Pattern.compile(
            "Date\\.now|time\\.time|\\bnow\\b|minute|window|slot|epoch|floor|//", Pattern.CASE_INSENSITIVE);

    @Override
    public void look(Facts facts, Findings findings) {
        for (Code code : facts.sources().codes()) {
            RedisUse use = RedisUse.of(code);
            if (use.commands().isEmpty() || !PURPOSE.matcher(code.file().text()).find()) {
                continue;
            }
            for (Command command : use.commands()) {
                readThenWritten(findings, use, command);
                expiresOnFirstHit(findings, use, command);
            }
        }
    }

    private static void readThenWritten(Findings findings, RedisUse use, Command read) {
        if (!read.is("get", "hget", "hgetall", "hmget", "zcard", "zcount", "llen") || read.batched()) {
            return;
        }
        Syntax function = read.function();
        String text = function.text();
        if (text.contains("watch(") || text.toLowerCase(Locale.ROOT).contains("lock") || !computes(text)) {
            return;
        }
        Set<String> carried = Dependents.of(use.code(), function, read.call().node());
        for (Command write : use.in(function)) {
            boolean writes = write.is("set", "setex", "psetex", "hset", "hmset")
                    && read.is("get", "hget", "hgetall", "hmget")
                    && writesWhatWasRead(write, read, carried);
            boolean adds = write.is("zadd", "lpush", "rpush") && read.is("zcard", "zcount", "llen");
            boolean later = write.call().node().start() > read.call().node().start();
            if ((writes || adds) && later && write.key().equals(read.key())) {
                findings.report(
                        "code",
                        "check-then-set",
                        "read here and written at " + write.call().place()
                                + " in two round trips: callers that arrive together all read the same value and all pass",
                        read.call().place(),
                        related(write.call().place(), "the write"));
                return;
            }
        }
    }

    private static boolean computes(String text) {
        return text.contains("- ")
                || text.contains("+ ")
                || text.contains("-=")
                || text.contains("+=")
                || text.contains("++")
                || text.contains(">")
                || text.contains("<");
    }

    private static boolean writesWhatWasRead(Command write, Command read, Set<String> carried) {
        return write.call().arguments().stream()
                .skip(1)
                .anyMatch(argument ->
                        argument.contains(read.call().node()) || Dependents.mentions(argument.text(), carried));
    }

    private static void expiresOnFirstHit(Findings findings, RedisUse use, Command count) {
        if (!count.is("incr", "incrby", "hincrby", "decr", "decrby") || count.batched()) {
            return;
        }
        Syntax function = count.function();
        String text = function.text();
        boolean prepared = text.contains("NX")
                || text.contains("nx=True")
                || text.contains("setnx(")
                || text.contains(".ttl(")
                || text.contains(".pttl(");
        if (prepared) {
            return;
        }
        Optional<Command> expire = use.in(function).stream()
                .filter(c -> c.is("expire", "pexpire", "expireat", "pexpireat") && !c.batched())
                .filter(c -> c.key().equals(count.key()))
                .findFirst();
        if (expire.isEmpty()) {
            return;
        }
        Optional<Syntax> guard = guard(expire.get(), function);
        if (guard.isEmpty()) {
            return;
        }
        boolean windowInKey =
                WINDOW_IN_KEY.matcher(keyText(use.code(), function, count)).find();
        findings.report(
                "code",
                "store-no-ttl",
                windowInKey ? Severity.LOW : Severity.HIGH,
                "the counter is raised here and given its expiry at "
                        + expire.get().call().place()
                        + " by a second command that runs only on the first hit: when that one is lost, the key never expires",
                count.call().place(),
                List.of(related(expire.get().call().place(), "EXPIRE, on the first hit only")));
    }

    private static String keyText(Code code, Syntax function, Command command) {
        String name = command.key();
        return code.variables().stream()
                .filter(v -> v.name().equals(name) && function.contains(v.node()))
                .map(v -> v.value().text())
                .findFirst()
                .orElse(name);
    }

    private static Optional<Syntax> guard(Command expire, Syntax function) {
        Optional<Syntax> at = expire.call().node().around("if_statement", "binary_expression", "boolean_operator");
        while (at.isPresent() && function.contains(at.get())) {
            String condition = at.get().is("if_statement")
                    ? at.get().childText("condition")
                    : at.get().childText("left");
            if (FIRST_HIT.matcher(condition).find()) {
                return at;
            }
            at = at.get().around("if_statement", "binary_expression", "boolean_operator");
        }
        return Optional.empty();
    }
}
