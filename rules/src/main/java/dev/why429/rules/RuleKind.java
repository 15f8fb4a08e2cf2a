package dev.why429.rules;

import java.util.List;

/**
 * A kind of knowledge: where its folders lie, which file describes one, and what it becomes. The schema of a kind is
 * {@code schema/<singular>.schema.json}.
 *
 * @param <T> the record that one rule of this kind is
 * @param folder folder of the kind, {@code formats}
 * @param depth how many folders below it a rule lies: 1 for {@code formats/<id>}, 2 for {@code pitfalls/<tech>/<id>}
 */
public record RuleKind<T>(String folder, int depth, String singular, Binder<T> binder) {
    public static final RuleKind<Format> FORMAT = new RuleKind<>("formats", 1, "format", Format::from);
    public static final RuleKind<LimiterRule> LIMITER = new RuleKind<>("limiters", 1, "limiter", LimiterRule::from);
    public static final RuleKind<Fingerprint> FINGERPRINT =
            new RuleKind<>("fingerprints", 2, "fingerprint", Fingerprint::from);
    public static final RuleKind<Detector> DETECTOR = new RuleKind<>("detectors", 1, "detector", Detector::from);
    public static final RuleKind<Pitfall> PITFALL = new RuleKind<>("pitfalls", 2, "pitfall", Pitfall::from);

    /** Turns a document that is valid against the schema into a rule; adds what a schema cannot say to the problems. */
    public interface Binder<T> {
        T bind(RuleFile file, YamlDocument document, List<RuleProblem> problems);
    }

    public String fileName() {
        return singular + ".yaml";
    }

    String schemaResource() {
        return RuleFile.ROOT + "/schema/" + singular + ".schema.json";
    }
}
