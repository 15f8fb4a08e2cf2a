package dev.why429.cli;

import java.util.List;
import java.util.Optional;

/** Which commands there are. Only the one that is asked for is built. */
final class Commands {
    /** @param summary one line of {@code why429 --help} */
    record Entry(String name, String summary) {}

    static final List<Entry> ALL = List.of(
            new Entry("investigate", "read logs and 429 responses; say who answered 429, and why"),
            new Entry("ticket", "the answer to one client: whose move it is, with the arithmetic"),
            new Entry("diff", "two cases, before and after a change"),
            new Entry("replay", "what other limiters would have done with a case's traffic"),
            new Entry("simulate", "what a limit would do to invented traffic, before it is deployed"),
            new Entry("audit", "limiter configuration and code against the known pitfalls"),
            new Entry("formats", "the log formats known; with a file: which one it is written in"),
            new Entry("rules", "what is known about others' limiters, as a list"),
            new Entry("explain", "one rule's page"),
            new Entry("query", "a question in SQL to a case's tables"),
            new Entry("doctor", "whether everything that is needed works here"),
            new Entry("completion", "a completion script for bash, zsh or fish"));

    private Commands() {}

    static Optional<Command> named(String name) {
        return switch (name) {
            case "investigate" -> Optional.of(new InvestigateCommand());
            case "ticket" -> Optional.of(new TicketCommand());
            case "diff" -> Optional.of(new DiffCommand());
            case "replay" -> Optional.of(new ReplayCommand());
            case "simulate" -> Optional.of(new SimulateCommand());
            case "audit" -> Optional.of(new AuditCommand());
            case "formats" -> Optional.of(new FormatsCommand());
            case "rules" -> Optional.of(new RulesCommand());
            case "explain" -> Optional.of(new ExplainCommand());
            case "query" -> Optional.of(new QueryCommand());
            case "doctor" -> Optional.of(new DoctorCommand());
            case "completion" -> Optional.of(new CompletionCommand());
            default -> Optional.empty();
        };
    }
}
