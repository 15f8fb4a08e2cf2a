package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Makes options, and reads those that every command has. */
final class Options {
    private Options() {}

    static CommandSpec command(String name) {
        String summary = Commands.ALL.stream()
                .filter(entry -> entry.name().equals(name))
                .map(Commands.Entry::summary)
                .findFirst()
                .orElseThrow();
        CommandSpec spec = CommandSpec.create().name(name);
        spec.usageMessage().description(summary).abbreviateSynopsis(true).sortOptions(false);
        return spec;
    }

    static OptionSpec value(String parameter, String description, String... names) {
        return OptionSpec.builder(names)
                .paramLabel(parameter)
                .type(String.class)
                .description(description)
                .build();
    }

    static OptionSpec values(String parameter, String description, String... names) {
        return OptionSpec.builder(names)
                .paramLabel(parameter)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .description(description)
                .build();
    }

    static OptionSpec flag(String description, String... names) {
        return OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    static void addCommon(CommandSpec spec) {
        spec.addOption(value("WHEN", "auto, always or never; NO_COLOR is honoured", "--color"));
        spec.addOption(flag("say more; an internal failure with its stack trace", "-v", "--verbose"));
        spec.addOption(OptionSpec.builder("-h", "--help")
                .type(boolean.class)
                .arity("0")
                .usageHelp(true)
                .description("this page")
                .build());
    }

    static Terminal coloured(ParseResult given, Terminal terminal) {
        return terminal.with(choice(given, "--color", Terminal.Colour.AUTO, Terminal.Colour.values()));
    }

    /** One of an enum's names, in any case. */
    static <E extends Enum<E>> E choice(ParseResult given, String option, E otherwise, E[] all) {
        String word = given.matchedOptionValue(option, "");
        if (word.isEmpty()) {
            return otherwise;
        }
        for (E one : all) {
            if (one.name().equalsIgnoreCase(word)) {
                return one;
            }
        }
        throw new InputProblem(
                InputProblem.Kind.USAGE,
                List.of(option + ": \"" + word + "\" is none of " + names(all) + "; see why429 "
                        + given.commandSpec().name() + " --help"));
    }

    private static <E extends Enum<E>> String names(E[] all) {
        StringBuilder names = new StringBuilder();
        for (E one : all) {
            names.append(names.isEmpty() ? "" : ", ").append(one.name().toLowerCase(Locale.ROOT));
        }
        return names.toString();
    }
}
