package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.LuaScript;
import dev.why429.analyzers.audit.read.Sources;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A place of a program that runs a Redis script.
 *
 * @param keys as KEYS, {@code arguments} as ARGV will have them
 */
public record ScriptCall(Code code, Code.Call call, List<Syntax> keys, List<Syntax> arguments) {
    public Optional<Syntax> argument(int number) {
        return number >= 1 && number <= arguments.size() ? Optional.of(arguments.get(number - 1)) : Optional.empty();
    }

    /** The calls of a program file. */
    public static List<ScriptCall> in(Code code) {
        List<ScriptCall> found = new ArrayList<>();
        for (Code.Call call : code.calls()) {
            boolean evaluates =
                    List.of("eval", "evalsha", "evalSha", "eval_ro", "evalRo").contains(call.name());
            Optional<Syntax> keys = call.named("keys", "KEYS");
            Optional<Syntax> arguments = call.named("args", "arguments", "ARGV");
            if (keys.isPresent() && (evaluates || arguments.isPresent())) {
                found.add(new ScriptCall(
                        code,
                        call,
                        items(keys.get()),
                        arguments.map(ScriptCall::items).orElse(List.of())));
            } else if (evaluates && call.arguments().size() > 2) {
                int count = (int) code.number(call.arguments().get(1)).orElse(-1);
                positional(code, call, 2, count, found);
            } else {
                definedKeys(code, call).ifPresent(count -> positional(code, call, 0, count, found));
            }
        }
        return found;
    }

    private static void positional(Code code, Code.Call call, int from, int count, List<ScriptCall> found) {
        List<Syntax> all = call.arguments();
        if (count >= 0 && from + count <= all.size()) {
            found.add(
                    new ScriptCall(code, call, all.subList(from, from + count), all.subList(from + count, all.size())));
        }
    }

    // redis.defineCommand("take", { numberOfKeys: 1, lua }); redis.take(key, …)
    private static Optional<Integer> definedKeys(Code code, Code.Call call) {
        return code.calls("defineCommand").stream()
                .filter(define -> Code.unquoted(define.argument(0)).equals(call.name()))
                .flatMap(define -> define.named("numberOfKeys").stream())
                .map(count -> (int) code.number(count).orElse(-1))
                .findFirst();
    }

    private static List<Syntax> items(Syntax list) {
        return list.children().stream()
                .filter(child -> !child.is("[", "]", "(", ")", ",", "comment"))
                .toList();
    }

    /** The calls that run a script: those of the file that names it, or holds it; all of them when there is one script only. */
    public static List<ScriptCall> of(LuaScript script, Sources sources) {
        List<ScriptCall> found = new ArrayList<>();
        String name = script.file().path().substring(script.file().path().lastIndexOf('/') + 1);
        for (Code code : sources.codes()) {
            boolean same = code.file() == script.file();
            boolean names = code.file().text().contains(name);
            boolean shared = same
                    && sources.scripts().stream()
                                    .filter(s -> s.file() == script.file())
                                    .count()
                            > 1;
            if (!shared && (same || names || sources.scripts().size() == 1)) {
                found.addAll(in(code));
            }
        }
        return found;
    }
}
