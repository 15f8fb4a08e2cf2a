package dev.why429.cli;

import java.util.Arrays;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 completion SHELL}: a script to source. */
final class CompletionCommand implements Command {
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("completion");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("bash|zsh|fish")
                .index("0")
                .required(true)
                .type(Shell.class)
                .converters(word -> Arrays.stream(Shell.values())
                        .filter(shell -> shell.name().equalsIgnoreCase(word))
                        .findFirst()
                        .orElseThrow(() ->
                                new CommandLine.TypeConversionException("\"" + word + "\" is none of bash, zsh, fish")))
                .description("for example: source <(why429 completion bash)")
                .build());
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) {
        Shell shell = given.matchedPositionalValue(0, Shell.BASH);
        // picocli's script serves bash and, through bashcompinit, zsh
        terminal.out().print(shell == Shell.FISH ? fish() : AutoComplete.bash("why429", new CommandLine(all())));
        return ExitCode.DONE;
    }

    private static CommandSpec all() {
        CommandSpec root = CommandSpec.create().name("why429");
        for (Commands.Entry entry : Commands.ALL) {
            CommandSpec spec = Commands.named(entry.name()).orElseThrow().spec();
            Options.addCommon(spec);
            root.addSubcommand(entry.name(), spec);
        }
        return root;
    }

    private static String fish() {
        StringBuilder script = new StringBuilder("complete -c why429 -f -n __fish_use_subcommand\n");
        for (Commands.Entry entry : Commands.ALL) {
            script.append(String.format(
                    Locale.ROOT,
                    "complete -c why429 -f -n __fish_use_subcommand -a %s -d %s%n",
                    entry.name(),
                    quoted(entry.summary())));
            CommandSpec spec = Commands.named(entry.name()).orElseThrow().spec();
            Options.addCommon(spec);
            for (OptionSpec option : spec.options()) {
                script.append("complete -c why429 -n '__fish_seen_subcommand_from ")
                        .append(entry.name())
                        .append("'");
                for (String name : option.names()) {
                    script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
                }
                script.append(option.arity().max() > 0 ? " -r" : "")
                        .append(" -d ")
                        .append(quoted(String.join(" ", option.description())))
                        .append('\n');
            }
        }
        return script.toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
