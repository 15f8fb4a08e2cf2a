package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.limit.DeclaredLimit.Algorithm;
import dev.why429.analyzers.audit.limit.DeclaredLimit.Store;
import dev.why429.analyzers.audit.read.Durations;
import dev.why429.analyzers.audit.read.NginxReader.Directive;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Sources;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HAProxy's stick tables and the Caddy rate_limit module. */
final class LineDeclared implements LimitReader {
    private static final Pattern STORED = Pattern.compile("http_req_rate\\((\\d{1,9}(?:ms|s|m|h|d)?)\\)");
    private static final Pattern COMPARED =
            Pattern.compile("http_req_rate(?:\\([^)]{0,40}\\))?\\s{1,4}(?:gt|ge)\\s{1,4}(\\d{1,9})");
    private static final Pattern COMPARED_AS = Pattern.compile(
            "_http_req_rate\\([^)]{0,40}\\)\\s{0,3},?\\s{0,3}-m\\s{1,3}int\\s{1,3}(?:gt|ge)\\s{1,3}(\\d{1,9})");
    private static final Pattern TRACKED = Pattern.compile("track-sc\\d\\s{1,4}(\\S{1,80})");
    private static final Pattern STATUS = Pattern.compile("deny_status\\s{1,3}(\\d{3})");

    @Override
    public void read(Sources sources, List<DeclaredLimit> into) {
        for (SourceFile file : sources.ending(".cfg", ".conf")) {
            if (file.text().contains("stick-table") && file.text().contains("http_req_rate")) {
                haproxy(file, into);
            }
        }
        for (Sources.Blocks blocks : sources.caddy()) {
            blocks.directives()
                    .forEach(top -> top.walk(d -> {
                        if (d.name().equals("rate_limit")) {
                            d.block().forEach(zone -> caddy(zone, into));
                        }
                    }));
        }
    }

    private static void haproxy(SourceFile file, List<DeclaredLimit> into) {
        OptionalDouble window = OptionalDouble.empty();
        String key = "";
        for (int line = 1; line <= file.lineCount(); line++) {
            String text = file.line(line).strip();
            if (text.startsWith("#")) {
                continue;
            }
            Matcher stored = STORED.matcher(text);
            if (text.contains("stick-table") && stored.find()) {
                window = milliseconds(stored.group(1));
            }
            Matcher tracked = TRACKED.matcher(text);
            key = tracked.find() ? tracked.group(1) : key;
            Matcher compared = COMPARED.matcher(text);
            Matcher other = COMPARED_AS.matcher(text);
            boolean found = compared.find();
            if (found || other.find()) {
                Matcher status = STATUS.matcher(text);
                into.add(DeclaredLimit.of(
                                "haproxy",
                                Algorithm.SLIDING_WINDOW,
                                file.at(line, file.line(line).indexOf(text) + 1))
                        .limit(NginxDeclared.number(found ? compared.group(1) : other.group(1)))
                        .window(window)
                        .key(key)
                        .store(Store.LOCAL)
                        .status(status.find() ? NginxDeclared.number(status.group(1)) : OptionalDouble.empty())
                        .build());
            }
        }
    }

    /** A number without a unit is milliseconds here. */
    private static OptionalDouble milliseconds(String span) {
        return Character.isDigit(span.charAt(span.length() - 1))
                ? OptionalDouble.of(Double.parseDouble(span) / 1000)
                : Durations.seconds(span);
    }

    private static void caddy(Directive zone, List<DeclaredLimit> into) {
        OptionalDouble events =
                zone.child("events").map(d -> NginxDeclared.number(d.word(0))).orElse(OptionalDouble.empty());
        if (zone.name().equals("zone") && events.isPresent()) {
            into.add(DeclaredLimit.of("caddy", Algorithm.SLIDING_WINDOW, zone.place())
                    .name(zone.word(0))
                    .limit(events)
                    .window(zone.child("window")
                            .map(d -> Durations.seconds(d.word(0)))
                            .orElse(OptionalDouble.empty()))
                    .key(zone.child("key").map(d -> d.word(0)).orElse(""))
                    .store(Store.LOCAL)
                    .status(OptionalDouble.of(429))
                    .build());
        }
    }
}
