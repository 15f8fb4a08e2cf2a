package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How a program file speaks to Redis: its commands in the order of the text. */
public final class RedisUse {
    /**
     * One command.
     *
     * @param command in lower case
     * @param batched inside a pipeline or a transaction: it travels together with its neighbours
     * @param function the innermost function around it
     */
    public record Command(Code.Call call, String command, boolean batched, Syntax function) {
        /** The key as written. */
        public String key() {
            return call.argument(0);
        }

        public boolean is(String... commands) {
            return List.of(commands).contains(command);
        }
    }

    private static final Set<String> COMMANDS = Set.of(
            "get",
            "set",
            "setex",
            "psetex",
            "setnx",
            "incr",
            "incrby",
            "decr",
            "decrby",
            "expire",
            "pexpire",
            "expireat",
            "pexpireat",
            "hget",
            "hgetall",
            "hmget",
            "hset",
            "hmset",
            "hincrby",
            "zadd",
            "zcard",
            "zcount",
            "zremrangebyscore",
            "eval",
            "evalsha",
            "ttl",
            "pttl",
            "llen",
            "lpush",
            "rpush",
            "watch",
            "incrbyfloat",
            "del");

    private final Code code;
    private final List<Command> commands = new ArrayList<>();
    private final Map<String, String> modules;

    private RedisUse(Code code) {
        this.code = code;
        this.modules = LibraryLimiters.modules(code);
    }

    /** @return empty list of commands when the file has nothing to do with Redis */
    public static RedisUse of(Code code) {
        RedisUse use = new RedisUse(code);
        String text = code.file().text().toLowerCase(Locale.ROOT);
        if (text.contains("redis") || text.contains("valkey")) {
            for (Code.Call call : code.calls()) {
                String command = call.name().toLowerCase(Locale.ROOT).replace("_", "");
                if (COMMANDS.contains(command) && !call.receiver().isEmpty() && use.isRedis(call.receiver())) {
                    use.commands.add(
                            new Command(call, command, use.isBatch(call.receiver()), code.functionAround(call.node())));
                }
            }
            use.commands.sort((a, b) ->
                    Integer.compare(a.call().node().end(), b.call().node().end()));
        }
        return use;
    }

    public Code code() {
        return code;
    }

    public List<Command> commands() {
        return commands;
    }

    public List<Command> commands(String... names) {
        return commands.stream().filter(c -> c.is(names)).toList();
    }

    public List<Command> in(Syntax function) {
        return commands.stream().filter(c -> c.function() == function).toList();
    }

    private boolean isRedis(String receiver) {
        String lower = receiver.toLowerCase(Locale.ROOT);
        String last = receiver.substring(receiver.lastIndexOf('.') + 1);
        if (lower.contains("redis")
                || lower.contains("valkey")
                || lower.contains("multi(")
                || lower.contains("pipeline(")) {
            return true;
        }
        if (modules.getOrDefault(last, "").toLowerCase(Locale.ROOT).contains("redis")) {
            return true;
        }
        Optional<String> value = valueOf(last);
        if (value.isPresent()) {
            String given = value.get().toLowerCase(Locale.ROOT);
            return given.contains("redis")
                    || given.contains("pipeline(")
                    || given.contains("multi(")
                    || given.contains("createclient(");
        }
        String text = code.file().text();
        return text.contains(last + ": Redis")
                || text.contains(last + ": redis.")
                || text.contains("pipeline() as " + last + ":");
    }

    private boolean isBatch(String receiver) {
        if (receiver.contains("multi(") || receiver.contains("pipeline(")) {
            return true;
        }
        String last = receiver.substring(receiver.lastIndexOf('.') + 1);
        if (code.file().text().contains(") as " + last + ":")) {
            return true;
        }
        Optional<String> value = valueOf(last);
        return value.isPresent()
                && (value.get().contains("pipeline(") || value.get().contains("multi("));
    }

    private Optional<String> valueOf(String name) {
        return code.variables().stream()
                .filter(v -> v.name().equals(name) || v.name().endsWith("." + name))
                .map(v -> v.value().text())
                .findFirst();
    }
}
