package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.read.SourceFile;
import dev.why429.rules.Pitfall.Severity;
import java.util.List;
import java.util.Optional;

/** Django REST framework's throttles: where they count, and by what. */
final class DjangoThrottles implements PitfallCheck {
    @Override
    public void look(Facts facts, Findings findings) {
        for (SourceFile file : facts.sources().ending(".py")) {
            if (file.text().contains("DEFAULT_THROTTLE")) {
                django(facts, findings, file, CodeText.blanked(file, "#"));
            }
        }
    }

    private static void django(Facts facts, Findings findings, SourceFile file, String text) {
        int rates = text.indexOf("DEFAULT_THROTTLE");
        boolean shared = text.contains("CACHES") && !text.contains("LocMemCache");
        boolean elsewhere = text.contains("import *");
        Optional<Instances> several = facts.surroundings().instances().stream()
                .filter(i -> i.most() > 1)
                .findFirst();
        if (!shared && !elsewhere && several.isPresent()) {
            findings.report(
                    "django",
                    "state-per-process",
                    "throttles count in the default cache, which lives in one process, and "
                            + several.get().place() + " runs " + several.get().most() + ": up to "
                            + several.get().most() + " times the rate",
                    file.at(rates),
                    related(several.get().place(), several.get().what()));
            findings.report(
                    "django",
                    "store-race",
                    Severity.LOW,
                    "throttles read, change and write their history without a lock: calls that come together can pass together",
                    file.at(rates),
                    List.of());
        }
        boolean anonymous = text.contains("AnonRateThrottle") || text.contains("\"anon\"") || text.contains("'anon'");
        if (anonymous && !text.contains("NUM_PROXIES") && !elsewhere) {
            facts.surroundings()
                    .inFrontOf(file.at(1, 1))
                    .ifPresent(proxy -> findings.report(
                            "django",
                            "key-whole-xff",
                            "NUM_PROXIES is not set, so the key is the whole X-Forwarded-For: whoever puts a value in front gets a new bucket",
                            file.at(rates),
                            related(proxy.place(), proxy.what())));
        }
    }
}
