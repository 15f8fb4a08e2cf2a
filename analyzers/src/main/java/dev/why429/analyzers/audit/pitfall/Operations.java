package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Limiter;
import dev.why429.analyzers.audit.fact.Refusals;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.ConfigNode;
import dev.why429.analyzers.audit.read.Syntax;
import dev.why429.rules.Pitfall.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** What hurts in running a limiter: refusals nobody sees, counted refusals, jobs that all start together. */
final class Operations implements PitfallCheck {
    private static final Pattern TELLS = Pattern.compile(
            "(?i)\\blog|console\\.|metric|counter\\.|\\.inc\\(|statsd|sentry|prometheus|print\\(|pino|winston");
    private static final int JOBS = 3;

    @Override
    public void look(Facts facts, Findings findings) {
        for (Limiter limiter : facts.limiters(Limiter.OWN)) {
            silent(findings, limiter);
        }
        Map<String, ConfigNode.Entry> schedules = new HashMap<>();
        Map<String, Integer> count = new HashMap<>();
        for (ConfigNode document : facts.sources().documents()) {
            if (document.is("cronjob", "kind")) {
                document.get("spec").flatMap(s -> s.entry("schedule")).ifPresent(e -> {
                    schedules.putIfAbsent(e.value().text(), e);
                    count.merge(e.value().text(), 1, Integer::sum);
                });
            }
            document.walkEntries((map, entry) -> {
                if (entry.key().equals("StackBlockedRequests")
                        && entry.value().text().equals("true")) {
                    findings.report(
                            "aspnet",
                            "rejected-counted",
                            Severity.MEDIUM,
                            "refused calls are counted too: a client just over the limit is never admitted again until it is silent",
                            entry.place(),
                            List.of());
                }
            });
        }
        schedules.forEach((schedule, entry) -> {
            if (count.get(schedule) >= JOBS) {
                findings.report(
                        "kubernetes",
                        "sync-herd",
                        Severity.LOW,
                        count.get(schedule) + " jobs start at the same second (" + schedule
                                + "): their calls come as one burst",
                        entry.place(),
                        List.of());
            }
        });
    }

    private static void silent(Findings findings, Limiter limiter) {
        Code code = limiter.code();
        List<Syntax> refusals = Refusals.in(code);
        if (!refusals.isEmpty()
                && !TELLS.matcher(code.file().text().toLowerCase(Locale.ROOT)).find()) {
            findings.report(
                    "code",
                    "no-denial-log",
                    Severity.LOW,
                    "nothing is logged or counted when this limiter refuses: the next ticket has no evidence",
                    Refusals.place(refusals.get(0)),
                    List.of(related(limiter.place(), "the limiter")));
        }
    }
}
