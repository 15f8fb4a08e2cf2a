package dev.why429.analyzers.source;

import dev.why429.analyzers.InvestigationRequest;
import dev.why429.analyzers.InvestigationRequest.AsHint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Finds what there is to read. */
public final class SourceFinder {
    /** First parts of names that say what a file is and not whose it is. */
    private static final Set<String> NAMES_NO_NODE = Set.of(
            "access",
            "error",
            "log",
            "logs",
            "stdout",
            "stderr",
            "output",
            "requests",
            "nginx",
            "haproxy",
            "apache",
            "apache2",
            "httpd");

    private final Path workingFolder;
    private final InputStream stdin;
    private final Hints hints;
    private final List<LogSource> logs = new ArrayList<>();
    private final List<CaptureSource> captures = new ArrayList<>();
    private final List<ConfigSource> configs = new ArrayList<>();
    private final List<NotRead> notRead = new ArrayList<>();

    private SourceFinder(Path workingFolder, InputStream stdin, Hints hints) {
        this.workingFolder = workingFolder;
        this.stdin = stdin;
        this.hints = hints;
    }

    /** As {@link #find(List, Optional, List, Path, InputStream)}, below the working folder and with the process's own standard input. */
    public static FoundSources find(InvestigationRequest request) {
        return find(request.inputs(), request.sourcesFile(), request.as(), Path.of(""), System.in);
    }

    /**
     * Looks at every input.
     *
     * @param inputs files, folders, globs, {@code -}; none: what the sources file names
     * @return never fails for what lies in the inputs: what cannot be read is named in it
     * @throws dev.why429.analyzers.InputProblem every fault of the sources file or of the hints
     */
    public static FoundSources find(
            List<String> inputs, Optional<Path> sourcesFile, List<AsHint> as, Path workingFolder, InputStream stdin) {
        Path folder = workingFolder.toAbsolutePath().normalize();
        List<Hints.Hint> ofFile =
                sourcesFile.map(file -> SourcesFile.read(folder.resolve(file))).orElse(List.of());
        Hints hints = Hints.of(as, ofFile, folder);
        InputWalk walk = new InputWalk(folder);
        if (inputs.isEmpty()) {
            Path base = sourcesFile.map(folder::resolve).map(Path::getParent).orElse(folder);
            ofFile.forEach(hint -> walk.add(base.resolve(hint.glob().toString()).toString()));
        } else {
            inputs.forEach(walk::add);
        }
        SourceFinder finder = new SourceFinder(folder, stdin, hints);
        if (walk.stdin()) {
            finder.add("stdin", folder.resolve("stdin"), new Content.OfPipe("stdin", finder.stdin));
        }
        for (InputWalk.FoundFile file : walk.files()) {
            finder.add(file);
        }
        List<NotRead> notRead = new ArrayList<>(walk.notRead());
        notRead.addAll(finder.notRead);
        Copies.Kept kept = Copies.among(finder.logs);
        notRead.addAll(kept.copies());
        List<String> warnings = new ArrayList<>(walk.warnings());
        warnings.addAll(hints.unused());
        return new FoundSources(kept.logs(), finder.captures, finder.configs, notRead, warnings);
    }

    private void add(InputWalk.FoundFile found) {
        try {
            if (Files.isRegularFile(found.file())) {
                add(found.name(), found.file(), new Content.OfFile(found.name(), found.file()));
            } else if (found.named()) {
                Content pipe = new Content.OfPipe(found.name(), Files.newInputStream(found.file()));
                add(found.name(), found.file(), pipe);
            }
        } catch (IOException e) {
            notRead.add(new NotRead(found.name(), "cannot be read: " + e.getMessage()));
        }
    }

    private void add(String name, Path file, Content content) {
        List<Hints.Hint> matching = hints.matching(file);
        ContentKind kind;
        try {
            kind = ContentKind.of(name, content.head(ContentKind.LOOK_AT_BYTES));
        } catch (IOException e) {
            notRead.add(new NotRead(name, "cannot be read: " + e.getMessage()));
            return;
        }
        boolean log = kind.kind() == ContentKind.Kind.LOG
                || (!matching.isEmpty()
                        && kind.kind() == ContentKind.Kind.NOT_READ
                        && kind.why().startsWith("free text"));
        if (log) {
            logs.add(new LogSource(
                    logs.size() + 1,
                    name,
                    Hints.first(matching, Hints.Hint::layer),
                    Hints.first(matching, Hints.Hint::component),
                    Hints.first(matching, Hints.Hint::node).orElseGet(() -> nodeOf(file)),
                    Hints.first(matching, Hints.Hint::zone),
                    Hints.first(matching, Hints.Hint::logFormat),
                    !matching.isEmpty(),
                    content));
        } else if (kind.kind() == ContentKind.Kind.CAPTURE) {
            captures.add(new CaptureSource(name, kind.capture().orElseThrow(), content));
        } else if (kind.kind() == ContentKind.Kind.CONFIG) {
            configs.add(new ConfigSource(name, kind.config(), content));
        } else {
            notRead.add(new NotRead(name, kind.why()));
        }
    }

    /** {@code pod1.ndjson.gz} is of pod1; {@code pod1/access.log} is too. */
    private String nodeOf(Path file) {
        String first = firstPart(file);
        if (!NAMES_NO_NODE.contains(first.toLowerCase(Locale.ROOT))) {
            return first;
        }
        Path folder = file.toAbsolutePath().normalize().getParent();
        boolean ownFolder = folder != null && !folder.equals(workingFolder) && folder.getFileName() != null;
        return ownFolder ? folder.getFileName().toString() : first;
    }

    private static String firstPart(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.indexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
}
