package dev.why429.analyzers.source;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.InvestigationRequest.AsHint;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What the sources file and {@code --as} say about files. For each property the first hint that matches and says it counts; --as before the file. */
final class Hints {
    static final List<String> LAYERS = List.of("cdn", "gateway", "app", "third_party");

    private final List<Hint> hints;
    private final Set<Hint> used = new HashSet<>();

    private Hints(List<Hint> hints) {
        this.hints = List.copyOf(hints);
    }

    /** @param where how to name the hint in a message: {@code sources.yaml:3} or {@code --as} */
    record Hint(
            String where,
            Glob glob,
            boolean anyFolder,
            Optional<String> layer,
            Optional<String> component,
            Optional<String> node,
            Optional<String> logFormat,
            Optional<ZoneId> zone) {
        boolean matches(Path file) {
            return glob.matches(file) || (anyFolder && glob.matchesName(file));
        }
    }

    /** @throws InputProblem with every fault of the hints of {@code --as} */
    static Hints of(List<AsHint> as, List<Hint> ofFile, Path workingFolder) {
        List<Hint> all = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (AsHint hint : as) {
            if (!LAYERS.contains(hint.layer())) {
                problems.add("--as: \"" + hint.layer() + "\" is no layer; expected one of " + String.join(", ", LAYERS)
                        + ": --as gateway/nginx@edge='edge.access.log*'");
                continue;
            }
            try {
                all.add(new Hint(
                        "--as",
                        Glob.of(hint.glob(), workingFolder),
                        true,
                        Optional.of(hint.layer()),
                        hint.component(),
                        hint.node(),
                        Optional.empty(),
                        Optional.empty()));
            } catch (IllegalArgumentException e) {
                problems.add("--as: \"" + hint.glob() + "\" is no glob: " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, problems);
        }
        all.addAll(ofFile);
        return new Hints(all);
    }

    List<Hint> matching(Path file) {
        List<Hint> matching = hints.stream().filter(hint -> hint.matches(file)).toList();
        used.addAll(matching);
        return matching;
    }

    static <T> Optional<T> first(List<Hint> matching, Function<Hint, Optional<T>> property) {
        return matching.stream().map(property).flatMap(Optional::stream).findFirst();
    }

    /** A sentence for each hint that matched nothing. */
    List<String> unused() {
        return hints.stream()
                .filter(hint -> !used.contains(hint))
                .map(hint -> hint.where() + ": \"" + hint.glob() + "\" matches none of the inputs")
                .toList();
    }
}
