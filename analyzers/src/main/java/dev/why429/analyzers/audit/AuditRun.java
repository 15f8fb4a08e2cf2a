package dev.why429.analyzers.audit;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.limit.DeclaredLimits;
import dev.why429.analyzers.audit.pitfall.Findings;
import dev.why429.analyzers.audit.pitfall.PitfallChecks;
import dev.why429.analyzers.audit.read.FileWalk;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.analyzers.audit.read.Sources;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Audits limiter configuration and code against the pitfalls. Nothing is executed, rendered or fetched. */
public final class AuditRun {
    private AuditRun() {}

    /** @throws InputProblem when a path, an id or the baseline is wrong, or nothing could be read */
    public static AuditReport run(AuditRequest request) {
        return run(request, Rulebook.builtIn());
    }

    /** @throws InputProblem when a path, an id or the baseline is wrong, or nothing could be read */
    public static AuditReport run(AuditRequest request, Rulebook rulebook) {
        checkIds(request, rulebook);
        Set<String> known = baseline(request);
        Optional<Set<String>> changed =
                request.changedSince().map(revision -> ChangedFiles.since(request.root(), revision));
        FileWalk walk = walk(request);
        Sources sources = Sources.read(walk);
        if (!walk.files().isEmpty() && sources.files().isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.NO_USABLE_INPUT,
                    sources.unread().stream()
                            .map(u -> u.place() + ": " + u.reason())
                            .toList());
        }
        Facts facts = new Facts(sources);
        Findings findings = new Findings(rulebook, sources);
        PitfallChecks.look(facts, findings);
        return report(
                request,
                sources,
                facts,
                touched(findings.sorted(), changed),
                known,
                walk.files().size());
    }

    /** Findings of which the limiter or what breaks it stands in a changed file. */
    private static List<AuditFinding> touched(List<AuditFinding> found, Optional<Set<String>> changed) {
        return changed.isEmpty()
                ? found
                : found.stream()
                        .filter(f -> changed.get().contains(f.place().file())
                                || f.related().stream()
                                        .anyMatch(r ->
                                                changed.get().contains(r.place().file())))
                        .toList();
    }

    private static AuditReport report(
            AuditRequest request,
            Sources sources,
            Facts facts,
            List<AuditFinding> found,
            Set<String> known,
            int filesSeen) {
        List<AuditFinding> open = new ArrayList<>();
        List<AuditFinding> inBaseline = new ArrayList<>();
        List<AuditReport.Silenced> silenced = new ArrayList<>();
        for (AuditFinding finding : found) {
            String id = finding.rule().id();
            if (request.ignore().contains(id)
                    || (!request.select().isEmpty() && !request.select().contains(id))) {
                continue;
            }
            Optional<SourceFile> file = sources.file(finding.place().file());
            Optional<AuditReport.Silenced> comment = file.flatMap(f -> Suppressions.find(finding, f));
            if (comment.isPresent()) {
                silenced.add(comment.get());
            } else if (known.contains(finding.fingerprint())) {
                inBaseline.add(finding);
            } else {
                open.add(finding);
            }
        }
        return new AuditReport(
                open,
                silenced,
                inBaseline,
                sources.unread(),
                filesSeen,
                sources.files().size(),
                DeclaredLimits.in(sources, facts));
    }

    private static void checkIds(AuditRequest request, Rulebook rulebook) {
        if (request.select().isEmpty() && request.ignore().isEmpty()) {
            return;
        }
        Set<String> ids = new TreeSet<>();
        rulebook.all(RuleKind.PITFALL).forEach(rule -> ids.add(rule.id()));
        List<String> problems = new ArrayList<>();
        for (Set<String> wanted : List.of(request.select(), request.ignore())) {
            for (String id : new TreeSet<>(wanted)) {
                if (!ids.contains(id)) {
                    problems.add("no pitfall \"" + id + "\"; try: why429 rules");
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, problems);
        }
    }

    private static Set<String> baseline(AuditRequest request) {
        if (request.baseline().isEmpty()) {
            return Set.of();
        }
        Path file = request.baseline().get();
        try {
            return Baseline.read(file);
        } catch (IOException e) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("the baseline \"" + file + "\" cannot be read; write one with --write-baseline"));
        }
    }

    private static FileWalk walk(AuditRequest request) {
        List<String> problems = new ArrayList<>();
        List<Path> starts = new ArrayList<>();
        try {
            Path root = request.root().toRealPath();
            for (Path path : request.paths()) {
                Path absolute = root.resolve(path);
                if (!Files.exists(absolute)) {
                    problems.add("\"" + path + "\" is not there; give a file or a folder");
                } else if (!absolute.toRealPath().startsWith(root)) {
                    problems.add(
                            "\"" + path + "\" lies outside \"" + root + "\"; run why429 from a folder that holds it");
                } else {
                    starts.add(absolute.toRealPath());
                }
            }
            if (problems.isEmpty()) {
                return FileWalk.of(root, starts.isEmpty() ? List.of(root) : starts, request.exclude());
            }
        } catch (IOException e) {
            problems.add("\"" + request.root() + "\" cannot be read: " + e.getMessage());
        }
        throw new InputProblem(InputProblem.Kind.USAGE, problems);
    }
}
