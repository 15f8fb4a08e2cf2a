package dev.why429.rules;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.Comparator;
import java.util.List;

/** The JSON Schema of one kind of rule; names the line of each fault. */
public final class RuleSchema {
    private final Schema schema;

    private RuleSchema(Schema schema) {
        this.schema = schema;
    }

    public static RuleSchema of(RuleKind<?> kind) {
        String text = RuleFile.resource(kind.schemaResource())
                .orElseThrow(() -> new IllegalStateException("no schema \"" + kind.schemaResource() + "\""));
        return new RuleSchema(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text, com.networknt.schema.InputFormat.JSON));
    }

    /** Every fault of the document, in the order of its lines. */
    public List<RuleProblem> check(RuleFile file, YamlDocument document) {
        return schema.validate(document.tree()).stream()
                .map(error -> problem(file, document, error))
                .sorted(Comparator.comparingInt(RuleProblem::line).thenComparing(RuleProblem::message))
                .toList();
    }

    private static RuleProblem problem(RuleFile file, YamlDocument document, Error error) {
        String pointer = error.getInstanceLocation().toString();
        String at = pointer.startsWith("/") ? pointer : "";
        return new RuleProblem(file.path(), document.lineOf(at), (at.isEmpty() ? "" : at + ": ") + error.getMessage());
    }
}
