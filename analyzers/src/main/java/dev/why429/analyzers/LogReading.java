package dev.why429.analyzers;

import dev.why429.analyzers.parse.FormatDetector;
import dev.why429.analyzers.parse.FormatHint;
import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.parse.LogFormats;
import dev.why429.analyzers.parse.OtherFormats;
import dev.why429.analyzers.source.FoundSources;
import dev.why429.analyzers.source.LogSource;
import dev.why429.analyzers.source.NotRead;
import dev.why429.analyzers.store.FormattedSource;
import dev.why429.rules.KnownNames;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How each log will be read: its format, from what the operator said and from its first lines.
 *
 * @param notRead files in which no format was recognised, with the reason
 * @param warnings whole sentences
 */
record LogReading(List<FormattedSource> readable, List<NotRead> notRead, List<String> warnings) {
    /** Below this share of the first lines a format is doubtful, and a person is told. */
    private static final double DOUBTFUL = 0.9;

    private static final String UNKNOWN = "unknown";
    private static final Set<String> NOTES = Set.of("text", "key-dump");

    /** @throws InputProblem every log format string that is wrong */
    static LogReading of(FoundSources found, LogFormats formats, InvestigationRequest request) {
        FormatDetector detector = new FormatDetector(formats);
        NginxLogFormats ofNginx = request.nginxConf().map(NginxLogFormats::read).orElseGet(NginxLogFormats::none);
        List<FormattedSource> readable = new ArrayList<>();
        List<NotRead> notRead = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        List<String> mistakes = new ArrayList<>();
        for (LogSource source : found.logs()) {
            try {
                byte[] head = source.sample();
                FormatHint hint = hint(source, request);
                Optional<FormatDetector.Verdict> verdict = ofNginx.detect(source, head, detector, hint)
                        .or(() -> detector.detect(head, 0, head.length, hint));
                if (verdict.isEmpty()) {
                    notRead.add(
                            new NotRead(
                                    source.path(),
                                    head.length == 0
                                            ? "empty"
                                            : "no known format, and its lines have no common shape; say how it is written with --log-format"));
                    continue;
                }
                LogFormat format = named(verdict.get().format(), source);
                boolean asGiven = hint.logFormat().isPresent();
                readable.add(new FormattedSource(
                        source,
                        format,
                        asGiven ? Optional.empty() : Optional.of(new OtherFormats(formats, hint, format.id()))));
                if (verdict.get().score() < DOUBTFUL) {
                    warnings.add("\"" + source.path() + "\" reads as " + format.id() + ", but only "
                            + verdict.get().matched() + " of its first "
                            + verdict.get().lines()
                            + " lines do; the others are read as what else they are, or counted as rejects");
                }
                if (!format.zoneInLine()
                        && source.zone().isEmpty()
                        && request.zone().isEmpty()) {
                    warnings.add("the stamps of \"" + source.path()
                            + "\" bear no zone and are taken as UTC; say another with --tz");
                }
            } catch (IllegalArgumentException e) {
                mistakes.add("\"" + source.path() + "\": " + e.getMessage());
            } catch (IOException e) {
                notRead.add(new NotRead(source.path(), "cannot be read: " + e.getMessage()));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, mistakes);
        }
        return new LogReading(readable, notRead, warnings);
    }

    /** Where the lines do not say where they were written, the file's name may: {@code kong.jsonl}, {@code waf-access.log}. */
    private static LogFormat named(LogFormat format, LogSource source) {
        String layer = format.layer().isEmpty() ? UNKNOWN : format.layer();
        boolean inferred = format.id().equals("inferred");
        if (!(layer.equals(UNKNOWN) || inferred) || source.layer().isPresent() || NOTES.contains(format.id())) {
            return format;
        }
        String name = source.path().substring(source.path().lastIndexOf('/') + 1);
        for (String word : name.split("[^A-Za-z]+", -1)) {
            Optional<String> known = KnownNames.builtIn().layerOfFileName(word);
            if (known.isPresent() && (layer.equals(UNKNOWN) || known.get().equals("cdn"))) {
                String component =
                        format.component().equals(UNKNOWN) ? word.toLowerCase(Locale.ROOT) : format.component();
                return format.writtenBy(component, known.get());
            }
        }
        return format;
    }

    private static FormatHint hint(LogSource source, InvestigationRequest request) {
        ZoneId zone = source.zone().or(request::zone).orElse(ZoneOffset.UTC);
        Optional<String> format =
                source.logFormat().or(() -> source.described() ? Optional.empty() : request.logFormat());
        return new FormatHint(
                format,
                source.component(),
                source.layer(),
                zone,
                headerFields(request),
                source.content().lastModified().orElse(Instant.now()));
    }

    /** {@code api_key=header:x-client} as parsers want it: header name to field. */
    private static java.util.Map<String, String> headerFields(InvestigationRequest request) {
        java.util.Map<String, String> fields = new java.util.TreeMap<>();
        request.identity().forEach((from, field) -> {
            if (from.startsWith("header:")) {
                fields.put(from.substring("header:".length()).toLowerCase(Locale.ROOT), field);
            }
        });
        return fields;
    }
}
