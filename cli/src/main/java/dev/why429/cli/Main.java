package dev.why429.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

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
                        .map(command -> run(command, rest(arguments), terminal))
                        .orElseGet(() -> unknown(first, terminal));
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

    private static int unknown(String word, Terminal terminal) {
        CommandSpec root = CommandSpec.create().name("why429");
        Commands.ALL.forEach(
                entry -> root.addSubcommand(entry.name(), CommandSpec.create().name(entry.name())));
        String kind = word.startsWith("-") ? "option" : "command";
        terminal.say("unknown " + kind + " \"" + word + "\"" + suggestion(root, word) + "; see why429 --help");
        return ExitCode.USAGE;
    }

    private static String suggestion(CommandSpec spec, String word) {
        UnmatchedArgumentException unmatched = new UnmatchedArgumentException(new CommandLine(spec), List.of(word));
        return unmatched.getSuggestions().stream()
                .findFirst()
                .map(nearest -> ", did you mean \"" + nearest + "\"?")
                .orElse("");
    }

    private static int run(Command command, String[] arguments, Terminal terminal) {
        CommandSpec spec = command.spec();
        Options.addCommon(spec);
        CommandLine line = new CommandLine(spec)
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(false)
                .setCommandName("why429 " + spec.name());
        boolean verbose = false;
        try {
            ParseResult given = line.parseArgs(arguments);
            if (given.isUsageHelpRequested()) {
                terminal.out().print(line.getUsageMessage(CommandLine.Help.Ansi.OFF));
                return ExitCode.DONE;
            }
            verbose = given.hasMatchedOption("--verbose");
            return command.run(given, Options.coloured(given, terminal));
        } catch (ParameterException e) {
            terminal.say(sentence(e, spec) + "; see " + line.getCommandName() + " --help");
            return ExitCode.USAGE;
        } catch (Exception | LinkageError | OutOfMemoryError | StackOverflowError e) {
            return failed(e, verbose, terminal);
        }
    }

    private static String sentence(ParameterException wrong, CommandSpec spec) {
        if (wrong instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().get(0);
            return word.startsWith("-") && word.length() > 1
                    ? "unknown option \"" + word + "\"" + suggestion(spec, word)
                    : "\"" + word + "\" is one argument too many";
        }
        return Optional.ofNullable(wrong.getMessage()).orElse("the command line cannot be read");
    }

    private static int failed(Throwable thrown, boolean verbose, Terminal terminal) {
        Failure failure = Failure.of(thrown);
        terminal.flush();
        terminal.say(failure.message());
        if (verbose && failure.exitCode() == ExitCode.INTERNAL) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            trace.toString().lines().forEach(at -> terminal.err().println(Printable.of(at.replace("\t", "    "))));
        }
        return failure.exitCode();
    }
}
