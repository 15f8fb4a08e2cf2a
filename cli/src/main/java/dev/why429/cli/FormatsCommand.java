package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.InvestigationRequest.RedactMode;
import dev.why429.analyzers.parse.FormatDetector;
import dev.why429.analyzers.parse.FormatHint;
import dev.why429.analyzers.parse.LineReader;
import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.parse.LogFormats;
import dev.why429.analyzers.parse.ParsedLine;
import dev.why429.analyzers.redact.LineRedactor;
import dev.why429.analyzers.redact.Redactor;
import dev.why429.analyzers.redact.Salt;
import dev.why429.analyzers.source.FoundSources;
import dev.why429.analyzers.source.LogSource;
import dev.why429.analyzers.source.SourceFinder;
import dev.why429.rules.Catalog;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code why429 formats [FILE]}: how log lines may be written, and how the lines of one file are. */
final class FormatsCommand implements Command {
    private static final int ROWS = 3;
    private static final int WIDEST = 60;
    /** Text that is kept beside logs and holds no request. */
    private static final String NOTES = "text";

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command("formats");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("FILE")
                .index("0")
                .arity("0..1")
                .type(String.class)
                .description("a log, plain or packed, or - for stdin")
                .build());
        spec.addOption(
                Options.value("STRING|ID", "read the file by this format instead of finding one", "--log-format"));
        return spec;
    }

    @Override
    public int run(ParseResult given, Terminal terminal) throws IOException {
        String file = given.matchedPositionalValue(0, "");
        if (file.isEmpty()) {
            Catalog.builtIn().stream()
                    .filter(entry -> entry.kind().equals("format"))
                    .forEach(entry -> terminal.out()
                            .println(String.format(Locale.ROOT, "%-24s %s", entry.id(), Printable.of(entry.title()))));
            return ExitCode.DONE;
        }
        FormatHint hint = Optional.ofNullable(given.matchedOptionValue("--log-format", (String) null))
                .map(FormatHint.none()::withLogFormat)
                .orElseGet(FormatHint::none);
        FoundSources found = SourceFinder.find(List.of(file), Optional.empty(), List.of(), Path.of(""), System.in);
        found.notRead().forEach(not -> terminal.say("\"" + not.path() + "\" is not read: " + not.why()));
        if (found.logs().isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.NO_USABLE_INPUT, List.of("\"" + file + "\" holds no log that can be read"));
        }
        boolean any = false;
        for (LogSource log : found.logs()) {
            any |= show(log, hint.withReference(log.content().lastModified().orElse(Instant.EPOCH)), terminal);
        }
        return any ? ExitCode.DONE : ExitCode.NO_USABLE_INPUT;
    }

    private static boolean show(LogSource log, FormatHint hint, Terminal terminal) throws IOException {
        LogFormats formats = LogFormats.builtIn();
        byte[] head = log.sample();
        Optional<FormatDetector.Verdict> verdict;
        try {
            verdict = new FormatDetector(formats).detect(head, 0, head.length, hint);
        } catch (IllegalArgumentException e) {
            throw new InputProblem(InputProblem.Kind.USAGE, List.of("--log-format: " + e.getMessage()));
        }
        if (verdict.isEmpty()) {
            terminal.say("\"" + log.path() + "\" is in no format that is known; say how it is written with --log-format"
                    + " (the log_format string of nginx, the LogFormat of Apache, or an id of why429 formats)");
            return false;
        }
        LogFormat format = verdict.get().format();
        if (format.id().equals(NOTES)) {
            terminal.say("\"" + log.path()
                    + "\" is no log but text without requests; investigate keeps it as notes beside logs");
            return false;
        }
        List<String> page = new ArrayList<>();
        page.add(Printable.of(log.path()) + ": " + format.id() + ", "
                + verdict.get().matched() + " of the first " + verdict.get().lines() + " lines");
        if (!format.pattern().isEmpty()) {
            page.add("  pattern    " + Printable.of(format.pattern()));
        }
        page.add("  stamps     mark the " + format.timeMeans().name().toLowerCase(Locale.ROOT) + " of a request, to "
                + format.resolutionMicros() / 1e6 + " s" + (format.zoneInLine() ? "" : ", without a zone (see --tz)"));
        page.add("  missing    "
                + (format.missing().isEmpty() ? "nothing" : Printable.of(String.join(", ", format.missing()))));
        formats.advice(format).ifPresent(setting -> page.add("  add        " + Printable.of(setting)));
        page.addAll(rows(format, head));
        page.forEach(terminal.out()::println);
        return true;
    }

    /** The first rows as they would be stored, redacted. */
    private static List<String> rows(LogFormat format, byte[] head) {
        LineReader reader = format.newReader();
        LineRedactor redactor = new Redactor(RedactMode.NORMAL, Salt.random()).forThread();
        ParsedLine line = new ParsedLine();
        List<String> shown = new ArrayList<>();
        int number = 0;
        int rows = 0;
        for (int from = 0; from < head.length && rows < ROWS; ) {
            int to = from;
            while (to < head.length && head[to] != '\n') {
                to++;
            }
            number++;
            int end = to > from && head[to - 1] == '\r' ? to - 1 : to;
            line.clear();
            if (end > from && reader.read(head, from, end, line)) {
                rows++;
                shown.add("  line " + number + (line.isNotice() ? ", a notice" : ""));
                for (Field field : Fields.dictionary().all()) {
                    if (line.has(field.ordinal())) {
                        shown.add(String.format(
                                Locale.ROOT,
                                "    %-22s %s",
                                field.name(),
                                Printable.of(value(field, line, redactor), WIDEST)));
                    }
                }
            }
            from = to + 1;
        }
        return shown;
    }

    private static String value(Field field, ParsedLine line, LineRedactor redactor) {
        if (line.isNumber(field.ordinal())) {
            long number = line.number(field.ordinal());
            return field.type() == Field.Type.INSTANT
                    ? Instant.EPOCH.plus(number, ChronoUnit.MICROS).toString()
                    : Long.toString(number);
        }
        return new String(redactor.stored(field.ordinal(), line), StandardCharsets.UTF_8);
    }
}
