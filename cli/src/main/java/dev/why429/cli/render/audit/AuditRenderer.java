package dev.why429.cli.render.audit;

import dev.why429.analyzers.audit.AuditReport;
import java.io.PrintWriter;

/** Writes an audit's report in one format. What is written never decides the exit code. */
public interface AuditRenderer {
    void render(AuditReport report, PrintWriter out);
}
