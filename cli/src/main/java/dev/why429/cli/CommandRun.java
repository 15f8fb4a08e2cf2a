package dev.why429.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** One command from its arguments to its exit code; whatever is thrown becomes a sentence. */
final class CommandRun {
    private CommandRun() {}

    static int unknown(String word, Terminal terminal) {
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

    static int run(Command command, String[] arguments, Terminal terminal) {
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
