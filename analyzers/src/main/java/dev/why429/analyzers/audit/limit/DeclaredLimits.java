package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.FileWalk;
import dev.why429.analyzers.audit.read.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The limits that configuration and code declare, with where they stand; for {@code investigate --limiter-config} and {@code replay}. */
public final class DeclaredLimits {
    /**
     * What was found.
     *
     * @param limits in the order of their places
     * @param unread files, or parts of them, about which nothing is known
     */
    public record Found(List<DeclaredLimit> limits, List<AuditReport.Unread> unread) {
        public Found {
            limits = List.copyOf(limits);
            unread = List.copyOf(unread);
        }
    }

    private static final List<LimitReader> READERS = List.of(
            new NginxDeclared(),
            new GatewayDeclared(),
            new EnvoyDeclared(),
            new FrameworkDeclared(),
            new CloudDeclared(),
            new LineDeclared(),
            new CodeDeclared());

    private DeclaredLimits() {}

    /**
     * Reads one file, or every file of a folder. nginx includes are followed inside the file's folder only.
     *
     * @throws InputProblem when the path is not there or nothing of it can be read
     */
    public static Found read(Path path) {
        try {
            Path real = path.toRealPath();
            if (Files.isDirectory(real)) {
                return found(Sources.read(FileWalk.of(real, List.of(real))));
            }
            Path root = real.getParent() == null ? real : real.getParent();
            boolean mayInclude =
                    real.getFileName().toString().toLowerCase(Locale.ROOT).contains("conf");
            FileWalk walk = FileWalk.withFile(root, real, mayInclude);
            return found(Sources.read(walk));
        } catch (IOException e) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("\"" + path + "\" cannot be read (" + e.getClass().getSimpleName()
                            + "); give a limiter's configuration, or a folder of them"));
        }
    }

    private static Found found(Sources sources) {
        if (sources.files().isEmpty() && !sources.unread().isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.NO_USABLE_INPUT,
                    sources.unread().stream()
                            .map(u -> u.place() + ": " + u.reason())
                            .toList());
        }
        return new Found(in(sources, new Facts(sources)), sources.unread());
    }

    /** All declared limits of files that were read already. */
    public static List<DeclaredLimit> in(Sources sources, Facts facts) {
        List<DeclaredLimit> limits = new ArrayList<>();
        READERS.forEach(reader -> reader.read(sources, limits));
        CodeDeclared.libraries(facts, limits);
        return limits.stream()
                .sorted(Comparator.comparing(DeclaredLimit::place))
                .distinct()
                .toList();
    }
}
