package dev.why429.analyzers.attribute;

import dev.why429.analyzers.attribute.FingerprintSet.Recognition;
import dev.why429.analyzers.attribute.quota.QuotaTable;
import dev.why429.analyzers.capture.Captures;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.join.Join;
import dev.why429.analyzers.join.LogFile;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.rules.Rulebook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Attributes each denial to its layer, component and reason; fills {@code attributions} and {@code denial_classes}. The denied lines are found and
 * grouped in the database; only groups that look alike are judged here, so the cost does not grow with the log.
 */
public final class Attribution {
    /** Reason of a 429 by design: a standby's health answer, a full queue. In the tables; the case says unknown. */
    static final String NOT_A_LIMIT = "not_a_limit";

    private static final int MAX_EVIDENCE = 5;
    private static final int CAPTURE_SKEW_SECONDS = 3;

    private final CaseStore store;
    private final FingerprintSet set;
    private final Join.Result joined;

    private Attribution(CaseStore store, Rulebook rulebook, Join.Result joined) {
        this.store = store;
        this.set = FingerprintSet.of(rulebook);
        this.joined = joined;
    }

    /** What was found, as parts of the case. */
    public record Result(
            Case.Denials denials,
            List<Case.CaptureVerdict> captures,
            List<Case.Skipped> skipped,
            List<Case.BlindSpot> blindSpots) {}

    /** Needs {@code requests}, {@code notices}, {@code inputs}, {@code captures} and what {@link Join} left on this connection. */
    public static Result run(CaseStore store, Rulebook rulebook, Join.Result joined) {
        return new Attribution(store, rulebook, joined).attribute();
    }

    private Result attribute() {
        store.execute("CREATE TABLE attributions(exchange BIGINT, visible BOOLEAN, layer VARCHAR, component VARCHAR,"
                + " reason VARCHAR, confidence DOUBLE, class INTEGER, file INTEGER, line BIGINT, capture INTEGER)");
        store.execute("CREATE TABLE denial_classes(class INTEGER, layer VARCHAR, component VARCHAR, reason VARCHAR,"
                + " confidence DOUBLE, because VARCHAR[], evidence VARCHAR[])");
        Captures.match(store, CAPTURE_SKEW_SECONDS);
        QuotaTable.fill(store);
        Map<Integer, String> servers = new HashMap<>();
        Map<Integer, String> components = new HashMap<>();
        store.forEach(
                "SELECT file, coalesce(component, '') AS component, coalesce(format, '') AS format FROM inputs",
                row -> {
                    components.put((int) row.integer("file"), row.text("component"));
                    servers.put((int) row.integer("file"), row.text("component") + " " + row.text("format"));
                });
        MarkerSql markers = new MarkerSql(set, servers);
        new DenialTables(store, markers).fill();
        List<Signature> signatures = Signature.group(store, markers);
        List<Captures.Stored> captures = Captures.all(store);
        Witnesses witnesses = new Witnesses(store, set, captures);
        Judgement judgement = new Judgement(set, servers, components, layerByDepth());
        Map<String, List<Case.DenialClass>> parts = new LinkedHashMap<>();
        Map<String, Long> byLayer = new TreeMap<>();
        Map<String, Long> hiddenByLayer = new TreeMap<>();
        store.execute("CREATE TEMP TABLE verdicts(signature VARCHAR, layer VARCHAR, component VARCHAR, reason VARCHAR,"
                + " confidence DOUBLE)");
        for (Signature signature : signatures) {
            Judgement.Verdict verdict = judgement.of(signature, witnesses.of(signature));
            store.execute(
                    "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?)",
                    Long.toUnsignedString(signature.id()),
                    verdict.layer(),
                    verdict.component(),
                    verdict.reason(),
                    verdict.confidence());
            add(byLayer, verdict.layer(), signature.count());
            add(hiddenByLayer, verdict.layer(), signature.hidden());
            Case.DenialClass own = new Case.DenialClass(
                    verdict.layer(),
                    verdict.component(),
                    verdict.reason(),
                    signature.count(),
                    verdict.confidence(),
                    verdict.because(),
                    signature.evidence());
            parts.computeIfAbsent(key(own), k -> new ArrayList<>()).add(own);
        }
        List<UnloggedCaptures.Denial> unlogged = new UnloggedCaptures(store, joined, byLayer).of(captures, witnesses);
        for (UnloggedCaptures.Denial denial : unlogged) {
            Case.DenialClass own = denial.asClass();
            add(byLayer, own.layer(), 1);
            parts.computeIfAbsent(key(own), k -> new ArrayList<>()).add(own);
        }
        List<Case.DenialClass> classes = parts.values().stream()
                .map(Attribution::merged)
                .sorted(java.util.Comparator.comparingLong((Case.DenialClass c) -> -c.count())
                        .thenComparing(Case.DenialClass::layer)
                        .thenComparing(Case.DenialClass::component))
                .toList();
        write(classes, unlogged);
        Case.Denials denials = new Case.Denials(
                byLayer.values().stream().mapToLong(Long::longValue).sum(),
                byLayer,
                hiddenByLayer,
                classes.stream()
                        .filter(c -> c.count() > 0)
                        .map(Attribution::published)
                        .toList());
        return new Result(
                denials,
                CaptureVerdicts.of(store, captures, witnesses),
                List.of(),
                new BlindSpots(joined, signatures).find(DryRuns.find(store)));
    }

    private static String key(Case.DenialClass part) {
        return part.layer() + "\n" + part.component() + "\n" + part.reason();
    }

    /** The case knows no reason of its own for a 429 that is no limit: what it is stands in the component and among the reasons. */
    private static Case.DenialClass published(Case.DenialClass c) {
        return c.reason().equals(NOT_A_LIMIT)
                ? new Case.DenialClass(
                        c.layer(), c.component(), "unknown", c.count(), c.confidence(), c.because(), c.evidence())
                : c;
    }

    private static void add(Map<String, Long> counts, String layer, long n) {
        if (n > 0) {
            counts.merge(layer, n, Long::sum);
        }
    }

    private Map<Integer, String> layerByDepth() {
        Map<Integer, String> layers = new HashMap<>();
        for (LogFile file : joined.files()) {
            layers.put(joined.depthByFile().get(file.file()), file.layer());
        }
        return layers;
    }

    private static Case.DenialClass merged(List<Case.DenialClass> parts) {
        long count = parts.stream().mapToLong(Case.DenialClass::count).sum();
        double weighed = parts.stream()
                .mapToDouble(part -> part.confidence() * Math.max(1, part.count()))
                .sum();
        double weight =
                parts.stream().mapToDouble(part -> Math.max(1, part.count())).sum();
        Set<String> because = new LinkedHashSet<>();
        Set<String> evidence = new LinkedHashSet<>();
        parts.forEach(part -> because.addAll(part.because()));
        for (int i = 0; i < MAX_EVIDENCE && evidence.size() < MAX_EVIDENCE; i++) {
            for (Case.DenialClass part : parts) {
                if (i < part.evidence().size()) {
                    evidence.add(part.evidence().get(i));
                }
            }
        }
        Case.DenialClass first = parts.get(0);
        return new Case.DenialClass(
                first.layer(),
                first.component(),
                first.reason(),
                count,
                Math.round(100 * weighed / weight) / 100.0,
                because.stream().limit(10).toList(),
                evidence.stream().limit(MAX_EVIDENCE).toList());
    }

    private void write(List<Case.DenialClass> classes, List<UnloggedCaptures.Denial> unlogged) {
        int number = 0;
        for (Case.DenialClass c : classes) {
            number++;
            store.execute(
                    "INSERT INTO denial_classes VALUES (?, ?, ?, ?, ?, string_split(?, chr(10)), string_split(?, chr(10)))",
                    number,
                    c.layer(),
                    c.component(),
                    c.reason(),
                    c.confidence(),
                    String.join("\n", c.because()),
                    String.join("\n", c.evidence()));
        }
        store.execute("""
                INSERT INTO attributions
                SELECT s.exchange, s.seen, v.layer, v.component, v.reason, v.confidence, c.class, s.file::INTEGER, s.line, NULL
                FROM signed s JOIN verdicts v ON v.signature = s.signature
                JOIN denial_classes c ON c.layer = v.layer AND c.component = v.component AND c.reason = v.reason""");
        for (UnloggedCaptures.Denial denial : unlogged) {
            store.execute(
                    """
                    INSERT INTO attributions
                    SELECT NULL, TRUE, layer, component, reason, ?, class, NULL, NULL, ? FROM denial_classes
                    WHERE layer = ? AND component = ? AND reason = ?""",
                    denial.verdict().confidence(),
                    denial.capture(),
                    denial.verdict().layer(),
                    denial.verdict().component(),
                    denial.verdict().reason());
        }
        for (String table : List.of("signed", "verdicts", "trails", "denied", "store_failures", "coverage")) {
            store.execute("DROP TABLE " + table);
        }
    }

    static Optional<Recognition> enough(Optional<Recognition> recognition) {
        return recognition.filter(r -> r.confidence() >= Judgement.ENOUGH);
    }
}
