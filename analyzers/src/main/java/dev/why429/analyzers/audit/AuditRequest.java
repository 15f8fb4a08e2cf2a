package dev.why429.analyzers.audit;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to audit.
 *
 * @param root folder that paths are told relative to; nothing outside it is read
 * @param paths files and folders below the root; empty = the root
 * @param exclude patterns of paths that are not read, {@code legacy/**}
 * @param select ids of the pitfalls to look for; empty = all
 * @param ignore ids not to look for
 * @param baseline file of fingerprints that are known already
 * @param changedSince git revision: only findings count that touch a file changed since
 */
public record AuditRequest(
        Path root,
        List<Path> paths,
        List<String> exclude,
        Set<String> select,
        Set<String> ignore,
        Optional<Path> baseline,
        Optional<String> changedSince) {
    public AuditRequest {
        paths = List.copyOf(paths);
        exclude = List.copyOf(exclude);
        select = Set.copyOf(select);
        ignore = Set.copyOf(ignore);
    }

    public static AuditRequest of(Path root) {
        return new AuditRequest(root, List.of(), List.of(), Set.of(), Set.of(), Optional.empty(), Optional.empty());
    }

    public AuditRequest withPaths(List<Path> some) {
        return new AuditRequest(root, some, exclude, select, ignore, baseline, changedSince);
    }

    public AuditRequest selecting(Set<String> ids) {
        return new AuditRequest(root, paths, exclude, ids, ignore, baseline, changedSince);
    }

    public AuditRequest ignoring(Set<String> ids) {
        return new AuditRequest(root, paths, exclude, select, ids, baseline, changedSince);
    }

    public AuditRequest knowing(Path file) {
        return new AuditRequest(root, paths, exclude, select, ignore, Optional.of(file), changedSince);
    }

    public AuditRequest excluding(List<String> patterns) {
        return new AuditRequest(root, paths, patterns, select, ignore, baseline, changedSince);
    }

    public AuditRequest since(String revision) {
        return new AuditRequest(root, paths, exclude, select, ignore, baseline, Optional.of(revision));
    }
}
