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
 * @param select ids of the pitfalls to look for; empty = all
 * @param ignore ids not to look for
 * @param baseline file of fingerprints that are known already
 */
public record AuditRequest(
        Path root, List<Path> paths, Set<String> select, Set<String> ignore, Optional<Path> baseline) {
    public AuditRequest {
        paths = List.copyOf(paths);
        select = Set.copyOf(select);
        ignore = Set.copyOf(ignore);
    }

    public static AuditRequest of(Path root) {
        return new AuditRequest(root, List.of(), Set.of(), Set.of(), Optional.empty());
    }
}
