package dev.why429.analyzers.audit.limit;

import dev.why429.analyzers.audit.read.Sources;
import java.util.List;

/** Finds the declared limits of one family of configurations. */
interface LimitReader {
    void read(Sources sources, List<DeclaredLimit> into);
}
