package dev.why429.analyzers;

import dev.why429.analyzers.audit.read.NginxReader;
import dev.why429.analyzers.audit.read.NginxReader.Directive;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.parse.FormatDetector;
import dev.why429.analyzers.parse.FormatHint;
import dev.why429.analyzers.source.LogSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The log formats that an nginx configuration declares: {@code log_format} by name, and which {@code access_log} is written by which. Files
 * that it includes are read where they lie inside its own folder.
 */
final class NginxLogFormats {
    private static final int MOST_FILES = 500;
    private static final int LARGEST_BYTES = 4 << 20;
    private static final double NEARLY_ALL = 0.9;
    private static final String COMPONENT = "nginx";

    private final Map<String, String> formats = new LinkedHashMap<>();
    private final Map<String, String> formatOfLog = new TreeMap<>();
    private final Set<Path> seen = new HashSet<>();

    private NginxLogFormats() {}

    static NginxLogFormats none() {
        return new NginxLogFormats();
    }

    /** @throws InputProblem when the file cannot be read, or declares no log format */
    static NginxLogFormats read(Path configuration) {
        NginxLogFormats found = new NginxLogFormats();
        Path file = configuration.toAbsolutePath().normalize();
        try {
            found.take(file, file.getParent());
        } catch (IOException e) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("--nginx-conf: \"" + configuration + "\" cannot be read: " + e.getMessage()));
        }
        if (found.formats.isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("--nginx-conf: \"" + configuration
                            + "\" declares no log_format; without one nginx writes combined, which needs no option"));
        }
        return found;
    }

    private void take(Path file, Path folder) throws IOException {
        if (seen.size() >= MOST_FILES || !seen.add(file) || Files.size(file) > LARGEST_BYTES) {
            return;
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        for (Directive top : NginxReader.read(new SourceFile(file.toString(), text), new ArrayList<>())) {
            List<Directive> all = new ArrayList<>();
            top.walk(all::add);
            for (Directive directive : all) {
                take(directive, folder);
            }
        }
    }

    private void take(Directive directive, Path folder) throws IOException {
        switch (directive.name()) {
            case "log_format" -> {
                List<String> parts = directive.words().stream()
                        .skip(1)
                        .filter(word -> !word.startsWith("escape="))
                        .toList();
                if (!parts.isEmpty()) {
                    formats.put(directive.word(0), String.join("", parts));
                }
            }
            case "access_log" -> {
                String log = directive.word(0);
                if (!directive.word(1).isEmpty() && !log.equals("off")) {
                    formatOfLog.put(log.substring(log.lastIndexOf('/') + 1), directive.word(1));
                }
            }
            case "include" -> include(directive.word(0), folder);
            default -> {
                // says nothing about logs
            }
        }
    }

    private void include(String pattern, Path folder) throws IOException {
        Path named = Path.of(pattern);
        Path parent = folder.resolve(named).normalize().getParent();
        if (parent == null || !parent.startsWith(folder) || !Files.isDirectory(parent)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(parent, String.valueOf(named.getFileName()))) {
            for (Path file : files) {
                if (Files.isRegularFile(file) && file.toRealPath().startsWith(folder.toRealPath())) {
                    take(file.normalize(), folder);
                }
            }
        }
    }

    /** How a log is written by what the configuration says: by its name, else by whichever format reads nearly all of its first lines. */
    Optional<FormatDetector.Verdict> detect(LogSource source, byte[] head, FormatDetector detector, FormatHint hint) {
        if (formats.isEmpty() || hint.logFormat().isPresent()) {
            return Optional.empty();
        }
        String name = source.path().substring(source.path().lastIndexOf('/') + 1);
        Optional<String> byName = formatOfLog.entrySet().stream()
                .filter(log -> name.equals(log.getKey()) || name.startsWith(log.getKey() + "."))
                .flatMap(log -> Optional.ofNullable(formats.get(log.getValue())).stream())
                .findFirst();
        List<String> tried = new ArrayList<>(byName.stream().toList());
        formats.values().stream().filter(format -> !tried.contains(format)).forEach(tried::add);
        FormatHint nginx = hint.component().isPresent() ? hint : hint.withComponent(COMPONENT);
        for (String format : tried) {
            Optional<FormatDetector.Verdict> verdict =
                    detector.detect(head, 0, head.length, nginx.withLogFormat(format));
            if (verdict.filter(found -> found.score() >= NEARLY_ALL).isPresent()) {
                return verdict;
            }
        }
        return Optional.empty();
    }
}
