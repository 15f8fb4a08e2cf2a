package dev.why429.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One subcommand. Its options are built by hand, since reading them from annotations costs more time than most commands take. */
interface Command {
    /** The options, without those that every command has. */
    CommandSpec spec();

    /**
     * @return one of {@link ExitCode}
     * @throws Exception what {@link Failure} turns into a sentence and an exit code
     */
    int run(ParseResult given, Terminal terminal) throws Exception;
}
