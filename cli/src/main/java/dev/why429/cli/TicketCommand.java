package dev.why429.cli;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.InvestigationRequest.RedactMode;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.redact.Redactor;
import dev.why429.analyzers.redact.Salt;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.ticket.Ticket;
import dev.why429.analyzers.ticket.TicketQuestion;
import dev.why429.analyzers.ticket.Tickets;
import dev.why429.cli.render.CaseJson;
import dev.why429.cli.render.ticket.TicketLetter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 ticket CASE --client api_key=…}: the answer to one client. Reads a case folder, no log. */
final class TicketCommand implements Command {
    private static final int MEMORY_MEGABYTES = 400;
    private static final Set<String> FIELDS = Set.of("api_key", "user", "tenant", "client_ip");
    private static final int SHOWN_OF_A_KEY = 4;
    private static final Pattern CLAIM =
            Pattern.compile("\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(?:/|per)\\s*([0-9]+)?\\s*([a-z]+)\\s*");

    private enum Format {
        MD,
        HTML,
        JSON
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("ticket");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("CASE")
                .index("0")
                .required(true)
                .type(String.class)
                .description("a case folder, as why429 investigate writes it")
                .build());
        spec.addOption(Options.value(
                "FIELD=VALUE",
                "who asks: api_key=…, user=…, tenant=… or client_ip=…, raw or as the report shows it",
                "--client"));
        spec.addOption(Options.value(
                "RATE", "what the client says it was promised or sends, for example 20/s or 1200/min", "--claim"));
        spec.addOption(Options.value("WHEN", "only requests from then on, RFC 3339", "--from"));
        spec.addOption(Options.value("WHEN", "only requests before then, RFC 3339", "--to"));
        spec.addOption(Options.value("md|html|json", "how to write it (default md)", "--format"));
        spec.addOption(Options.value(
                "LANGUAGE", "of the answer: " + String.join(", ", TicketLetter.LANGUAGES) + " (default en)", "--lang"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        Path folder = Path.of(given.matchedPositionalValue(0, ""));
        Path json = folder.resolve("case.json");
        Path tables = folder.resolve("case.duckdb");
        if (!Files.isRegularFile(json) || !Files.isRegularFile(tables)) {
            throw new InputProblem(
                    InputProblem.Kind.NO_USABLE_INPUT,
                    List.of("\"" + folder + "\" is no case folder; why429 investigate makes one from logs"));
        }
        Format format = Options.choice(given, "--format", Format.MD, Format.values());
        String language = given.matchedOptionValue("--lang", "en").toLowerCase(Locale.ROOT);
        if (!TicketLetter.LANGUAGES.contains(language)) {
            throw usage("--lang: \"" + language + "\" is none of " + String.join(", ", TicketLetter.LANGUAGES));
        }
        TicketQuestion question = question(given, folder);
        Case theCase = CaseJson.read(json);
        Ticket ticket = answer(tables, theCase, question);
        TicketLetter letter = TicketLetter.of(ticket, language);
        terminal.out()
                .print(
                        switch (format) {
                            case MD -> letter.markdown();
                            case HTML -> letter.html();
                            case JSON -> letter.json();
                        });
        return ExitCode.DONE;
    }

    private static Ticket answer(Path tables, Case theCase, TicketQuestion question) throws IOException {
        Path spill = Files.createTempDirectory("why429-ticket");
        try (CaseStore store =
                CaseStore.read(tables, spill, Runtime.getRuntime().availableProcessors(), MEMORY_MEGABYTES)) {
            return Tickets.answer(store, theCase, question)
                    .orElseThrow(() -> usage("no request of " + question.by() + "=" + question.shown()
                            + " lies in this case and time; look for it with why429 query CASE \"SELECT DISTINCT "
                            + question.by() + " FROM exchanges\""));
        } finally {
            Files.deleteIfExists(spill);
        }
    }

    private static TicketQuestion question(ParseResult given, Path folder) throws IOException {
        String client = given.matchedOptionValue("--client", "");
        int sign = client.indexOf('=');
        if (sign <= 0 || sign == client.length() - 1) {
            throw usage("--client: \"" + client + "\" names nobody; expected for example --client api_key=VALUE");
        }
        String by = client.substring(0, sign).replace('-', '_').toLowerCase(Locale.ROOT);
        String value = client.substring(sign + 1);
        if (!FIELDS.contains(by)) {
            throw usage("--client: \"" + by + "\" is none of "
                    + String.join(", ", FIELDS.stream().sorted().toList()));
        }
        return new TicketQuestion(
                by,
                values(by, value, folder),
                shown(by, value),
                claim(given.matchedOptionValue("--claim", "")),
                moment(given, "--from"),
                moment(given, "--to"));
    }

    /** The value as given, and as this case's salt redacts it. */
    private static List<String> values(String by, String value, Path folder) throws IOException {
        Set<String> values = new LinkedHashSet<>(List.of(value));
        Path salt = folder.resolve("salt");
        if (Files.isRegularFile(salt)) {
            for (RedactMode mode : new RedactMode[] {RedactMode.NORMAL, RedactMode.STRICT}) {
                Redactor redactor = new Redactor(mode, Salt.read(salt));
                values.add(by.equals("client_ip") ? redactor.address(value) : redactor.identity(value));
            }
        }
        return new ArrayList<>(values);
    }

    /** A key is a secret: its beginning is enough for its owner to know it. */
    private static String shown(String by, String value) {
        boolean token = value.startsWith("tok_");
        return by.equals("api_key") && !token && value.length() > SHOWN_OF_A_KEY
                ? value.substring(0, Math.min(SHOWN_OF_A_KEY, value.length() / 2)) + "…"
                : value;
    }

    private static Optional<TicketQuestion.Claim> claim(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = CLAIM.matcher(text.toLowerCase(Locale.ROOT));
        double unit = !matcher.matches()
                ? 0
                : switch (matcher.group(3)) {
                    case "s", "sec", "second", "seconds" -> 1;
                    case "m", "min", "minute", "minutes" -> 60;
                    case "h", "hour", "hours" -> 3600;
                    case "d", "day", "days" -> 86400;
                    default -> 0;
                };
        if (unit == 0) {
            throw usage("--claim: \"" + text + "\" is no rate; expected for example 20/s or 1200/min");
        }
        double times = matcher.group(2) == null ? 1 : Double.parseDouble(matcher.group(2));
        return Optional.of(new TicketQuestion.Claim(text, Double.parseDouble(matcher.group(1)), unit * times));
    }

    private static Optional<Instant> moment(ParseResult given, String option) {
        String text = given.matchedOptionValue(option, "");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            throw usage(option + ": \"" + text + "\" is no moment; expected for example 2026-03-02T10:00:00Z");
        }
    }

    private static InputProblem usage(String sentence) {
        return new InputProblem(InputProblem.Kind.USAGE, List.of(sentence));
    }
}
