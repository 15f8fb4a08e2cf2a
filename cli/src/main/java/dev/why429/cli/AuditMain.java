package dev.why429.cli;

import java.util.Set;

/**
 * The audit alone, for CI: {@code java -jar why429-audit.jar [OPTION…] [PATH…]}. That jar has neither the database nor the Redis client, and so
 * only the commands that need none; without one of their names everything is for {@code audit}.
 */
public final class AuditMain {
    private static final Set<String> COMMANDS =
            Set.of("audit", "rules", "explain", "help", "--help", "-h", "--version", "-V");

    private AuditMain() {}

    public static void main(String[] arguments) {
        Terminal terminal = Terminal.system();
        int code = Main.run(terminal, command(arguments));
        terminal.flush();
        System.exit(code);
    }

    static String[] command(String... arguments) {
        if (arguments.length > 0 && COMMANDS.contains(arguments[0])) {
            return arguments;
        }
        String[] audit = new String[arguments.length + 1];
        audit[0] = "audit";
        System.arraycopy(arguments, 0, audit, 1, arguments.length);
        return audit;
    }
}
