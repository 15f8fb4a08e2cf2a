package dev.why429.cli;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.InvestigationRequest;
import dev.why429.analyzers.InvestigationRequest.AsHint;
import dev.why429.analyzers.InvestigationRequest.RedactMode;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options that say what to investigate and how; reads them with every mistake at once. */
final class InvestigationOptions {
    private static final Set<String> LAYERS = Set.of("cdn", "gateway", "app", "third_party");
    private static final Pattern AS = Pattern.compile("([a-z_]+)(?:/([^@=]+))?(?:@([^=]+))?=(.+)");
    private static final Pattern MEMORY = Pattern.compile("([0-9]{1,6})([MmGg])[Bb]?");
    private static final int DEFAULT_MEMORY_MEGABYTES = 400;

    private final ParseResult given;
    private final List<String> problems = new ArrayList<>();

    private InvestigationOptions(ParseResult given) {
        this.given = given;
    }

    static void addTo(CommandSpec spec) {
        spec.addOption(Options.value("DIR", "the case folder (default why429-case)", "-o", "--output"));
        spec.addOption(Options.flag("replace an existing case", "--force"));
        spec.addOption(Options.value("FILE", "YAML: which file is which layer, component, node, format", "--sources"));
        spec.addOption(Options.values("LAYER[/COMPONENT][@NODE]=GLOB", "the same for one glob; repeatable", "--as"));
        spec.addOption(Options.value("STRING|ID", "how to read files that nothing else describes", "--log-format"));
        spec.addOption(Options.value(
                "FILE", "an nginx.conf whose log_format lines say how logs may be written", "--nginx-conf"));
        spec.addOption(Options.values("TEXT", "what was promised: \"1200/min by api_key\"; repeatable", "--declared"));
        spec.addOption(Options.values("FIELD=SOURCE", "who is who: api_key=header:x-client; repeatable", "--identity"));
        spec.addOption(Options.value("TIME", "from here on (included)", "--since"));
        spec.addOption(Options.value("TIME", "up to here (excluded)", "--until"));
        spec.addOption(Options.value("ZONE", "for stamps and times without a zone: +07:00, Asia/Bangkok", "--tz"));
        spec.addOption(Options.value("MODE", "normal, strict or off (default normal)", "--redact"));
        spec.addOption(Options.value("FILE", "the salt of another case, so that tokens are the same", "--salt-file"));
        spec.addOption(Options.values("POLICY", "a limiter to replay the traffic through; repeatable", "--policy"));
        spec.addOption(Options.value("embedded|URI|none", "where the replay runs (default embedded)", "--redis"));
        spec.addOption(Options.value("N", "threads (default: one per core)", "--threads"));
        spec.addOption(Options.value("SIZE", "memory for the tables, 512M or 2G (default 400M)", "--memory"));
    }

    static InvestigationRequest read(ParseResult given) {
        InvestigationOptions options = new InvestigationOptions(given);
        InvestigationRequest request = options.request();
        if (!options.problems.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, options.problems);
        }
        return request;
    }

    /** Logs read as their contents say, and nothing replayed yet. */
    static InvestigationRequest plain(List<String> inputs, Path caseFolder, boolean force) {
        return new InvestigationRequest(
                inputs,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                caseFolder,
                force,
                RedactMode.NORMAL,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of(),
                "none",
                List.of(),
                Runtime.getRuntime().availableProcessors(),
                DEFAULT_MEMORY_MEGABYTES);
    }

    private InvestigationRequest request() {
        List<String> inputs = given.matchedPositionalValue(0, List.of());
        if (inputs.isEmpty()) {
            problems.add("no input is given: name logs or folders, why429 investigate logs/");
        }
        Optional<ZoneId> zone = text("--tz").flatMap(this::zone);
        return new InvestigationRequest(
                List.copyOf(inputs),
                text("--sources").map(Path::of),
                all("--as").stream().flatMap(hint -> as(hint).stream()).toList(),
                text("--log-format"),
                Path.of(text("--output").orElse("why429-case")),
                given.hasMatchedOption("--force"),
                Options.choice(given, "--redact", RedactMode.NORMAL, RedactMode.values()),
                text("--salt-file").map(Path::of),
                text("--since").flatMap(time -> instant("--since", time, zone)),
                text("--until").flatMap(time -> instant("--until", time, zone)),
                zone,
                all("--declared"),
                identity(),
                text("--redis").orElse("embedded"),
                all("--policy"),
                text("--threads").map(this::threads).orElse(Runtime.getRuntime().availableProcessors()),
                text("--memory").map(this::megabytes).orElse(DEFAULT_MEMORY_MEGABYTES),
                text("--nginx-conf").map(Path::of));
    }

    private Optional<String> text(String option) {
        return Optional.ofNullable(given.matchedOptionValue(option, (String) null));
    }

    private List<String> all(String option) {
        return List.copyOf(given.matchedOptionValue(option, List.<String>of()));
    }

    private Optional<AsHint> as(String hint) {
        Matcher parts = AS.matcher(hint);
        if (!parts.matches() || !LAYERS.contains(parts.group(1))) {
            problems.add("--as: \"" + hint
                    + "\" is not LAYER[/COMPONENT][@NODE]=GLOB with a layer of cdn, gateway, app, third_party;"
                    + " for example --as 'gateway/nginx@edge=logs/edge*.log'");
            return Optional.empty();
        }
        return Optional.of(new AsHint(
                parts.group(1),
                Optional.ofNullable(parts.group(2)),
                Optional.ofNullable(parts.group(3)),
                parts.group(4)));
    }

    private Map<String, String> identity() {
        Map<String, String> fieldBySource = new LinkedHashMap<>();
        for (String pair : all("--identity")) {
            int equals = pair.indexOf('=');
            if (equals <= 0 || equals == pair.length() - 1) {
                problems.add("--identity: \"" + pair + "\" is not FIELD=SOURCE; for example api_key=header:x-client");
                continue;
            }
            fieldBySource.put(pair.substring(equals + 1), pair.substring(0, equals));
        }
        return fieldBySource;
    }

    private Optional<ZoneId> zone(String name) {
        try {
            return Optional.of(ZoneId.of(name));
        } catch (DateTimeException e) {
            problems.add("--tz: \"" + name + "\" is no time zone; for example +07:00 or Asia/Bangkok");
            return Optional.empty();
        }
    }

    /** RFC 3339, or local time in the given zone (UTC where none is given); a date alone is its first moment. */
    private Optional<Instant> instant(String option, String time, Optional<ZoneId> zone) {
        String iso = time.replace(' ', 'T').toUpperCase(Locale.ROOT);
        ZoneId local = zone.orElse(ZoneOffset.UTC);
        try {
            if (iso.length() == "2026-11-30".length()) {
                return Optional.of(LocalDate.parse(iso).atStartOfDay(local).toInstant());
            }
            boolean zoned = iso.endsWith("Z") || iso.lastIndexOf('+') > 0 || iso.lastIndexOf('-') > iso.indexOf('T');
            return Optional.of(
                    zoned
                            ? OffsetDateTime.parse(iso).toInstant()
                            : LocalDateTime.parse(iso).atZone(local).toInstant());
        } catch (DateTimeParseException e) {
            problems.add(option + ": \"" + time
                    + "\" is no time; for example 2026-11-30T19:04:30Z, or 2026-11-30T19:04:30 with --tz");
            return Optional.empty();
        }
    }

    private int threads(String text) {
        try {
            int threads = Integer.parseInt(text);
            if (threads >= 1 && threads <= 1024) {
                return threads;
            }
        } catch (NumberFormatException e) {
            // said below, together with numbers out of range
        }
        problems.add("--threads: \"" + text + "\" is no whole number from 1 to 1024");
        return 1;
    }

    private int megabytes(String text) {
        Matcher size = MEMORY.matcher(text);
        if (size.matches()) {
            long megabytes = Long.parseLong(size.group(1)) * (size.group(2).equalsIgnoreCase("g") ? 1024 : 1);
            if (megabytes >= 64 && megabytes <= Integer.MAX_VALUE) {
                return (int) megabytes;
            }
        }
        problems.add("--memory: \"" + text + "\" is no size of at least 64M; for example 512M or 2G");
        return DEFAULT_MEMORY_MEGABYTES;
    }
}
