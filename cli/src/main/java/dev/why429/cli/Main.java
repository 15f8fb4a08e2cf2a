package dev.why429.cli;

import java.util.Arrays;

/** The command line. */
public final class Main {
    private static final String EXAMPLES = """
            why429 says after an incident why requests were answered 429.

              why429 investigate logs/                    who said 429, and why
              why429 formats access.log                   how is this log written
              why429 --help                               all commands
            """;

    private Main() {}

    public static void main(String[] arguments) {
        Terminal terminal = Terminal.system();
        int code = run(terminal, arguments);
        terminal.flush();
        System.exit(code);
    }

    /** Runs one command line to its end; throws nothing. */
    static int run(Terminal terminal, String... arguments) {
        if (arguments.length == 0) {
            terminal.err().print(EXAMPLES);
            return ExitCode.USAGE;
        }
        String first = arguments[0];
        return switch (first) {
            case "-V", "--version" -> {
                terminal.out().println("why429 " + Version.current());
                yield ExitCode.DONE;
            }
            case "-h", "--help" -> help(terminal);
            case "help" -> arguments.length == 1 ? help(terminal) : run(terminal, arguments[1], "--help");
            default ->
                Commands.named(first)
                        .map(command -> CommandRun.run(command, rest(arguments), terminal))
                        .orElseGet(() -> CommandRun.unknown(first, terminal));
        };
    }

    private static String[] rest(String... arguments) {
        return Arrays.copyOfRange(arguments, 1, arguments.length);
    }

    private static int help(Terminal terminal) {
        StringBuilder page = new StringBuilder("""
                why429 says after an incident why requests were answered 429: which layer, by which key, with which limit.

                Usage: why429 COMMAND [OPTION…] [ARGUMENT…]

                """);
        for (Commands.Entry entry : Commands.ALL) {
            page.append(String.format(java.util.Locale.ROOT, "  %-13s%s%n", entry.name(), entry.summary()));
        }
        page.append("""

                why429 COMMAND --help shows the options of a command.

                Exit codes: 0 done · 1 findings at or above --fail-on · 2 wrong usage or configuration
                            3 no usable input · 4 internal failure
                """);
        terminal.out().print(page);
        return ExitCode.DONE;
    }
}
