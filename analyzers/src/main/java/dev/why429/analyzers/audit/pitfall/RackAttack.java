package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.AuditFinding.Related;
import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.rules.Pitfall.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rack::Attack: where its counters live, whose address it counts. */
final class RackAttack implements PitfallCheck {
    private static final Pattern RUBY_MEMORY =
            Pattern.compile("cache\\.store\\s{0,3}=\\s{0,3}[\\w:]{0,60}(?:MemoryStore|FileStore)");
    private static final Pattern RUBY_LEFTMOST = Pattern.compile(
            "X[-_]FORWARDED[-_]FOR[^\\n]{0,60}\\.split\\([^\\n]{0,60}\\.first", Pattern.CASE_INSENSITIVE);

    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".rb")) {
            ruby(facts, findings, file, CodeText.blanked(file, "#"));
        }
    }

    private static void ruby(Facts facts, Findings findings, SourceFile file, String text) {
        if (!text.contains("Rack::Attack") || !text.contains("throttle")) {
            return;
        }
        Matcher memory = RUBY_MEMORY.matcher(text);
        if (memory.find()) {
            Place place = file.at(memory.start());
            facts.surroundings().instances().stream()
                    .filter(i -> i.most() > 1)
                    .findFirst()
                    .ifPresent(i -> findings.report(
                            "rack-attack",
                            "state-per-process",
                            "the cache lives in one process, and " + i.place() + " runs " + i.most() + ": up to "
                                    + i.most() + " times the limit",
                            place,
                            related(i.place(), i.what())));
        }
        Matcher leftmost = RUBY_LEFTMOST.matcher(text);
        if (leftmost.find()) {
            List<Related> related = new ArrayList<>();
            int safe = text.indexOf("safelist");
            if (safe >= 0 && text.indexOf("127.0.0.1", safe) >= 0) {
                related.add(related(file.at(safe), "lets a caller skip all limits by sending 127.0.0.1"));
            }
            findings.report(
                    "rack-attack",
                    "key-spoofable",
                    Severity.HIGH,
                    "the key is the leftmost X-Forwarded-For entry, which the caller writes: a new value is a new bucket",
                    file.at(leftmost.start()),
                    related);
        }
    }
}
