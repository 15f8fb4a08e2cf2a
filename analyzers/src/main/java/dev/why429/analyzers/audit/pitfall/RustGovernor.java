package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.read.SourceFile;

/** Rust: tower_governor and actix-governor. */
final class RustGovernor implements PitfallCheck {
    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".rs")) {
            rust(facts, findings, file, CodeText.blanked(file, "//"));
        }
    }

    private static void rust(Facts facts, Findings findings, SourceFile file, String text) {
        int builder = text.indexOf("GovernorConfigBuilder");
        int smart = text.indexOf("SmartIpKeyExtractor", Math.max(0, builder));
        int used = text.indexOf(".key_extractor(");
        if (builder < 0 || text.indexOf("GovernorConfigBuilder::default()") < 0) {
            return;
        }
        if (used >= 0 && smart >= 0 && facts.overwritesForwarded().isEmpty()) {
            findings.report(
                    "rust",
                    "key-spoofable",
                    "SmartIpKeyExtractor takes the key from headers that the caller writes: a new value is a new bucket",
                    file.at(
                            text.indexOf("SmartIpKeyExtractor", used) >= 0
                                    ? text.indexOf("SmartIpKeyExtractor", used)
                                    : used));
        } else if (used < 0) {
            int at = text.indexOf("GovernorConfigBuilder::default()");
            facts.surroundings()
                    .inFrontOf(file.at(1, 1))
                    .ifPresent(proxy -> findings.report(
                            "rust",
                            "key-proxy-collapse",
                            "the default key is the peer's address, and " + proxy.place() + " puts " + proxy.what()
                                    + " in front: all clients share one bucket",
                            file.at(at),
                            related(proxy.place(), proxy.what())));
        }
    }
}
