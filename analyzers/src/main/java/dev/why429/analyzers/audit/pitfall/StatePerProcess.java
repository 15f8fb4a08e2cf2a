package dev.why429.analyzers.audit.pitfall;

import static dev.why429.analyzers.audit.pitfall.Findings.related;

import dev.why429.analyzers.audit.fact.Facts;
import dev.why429.analyzers.audit.fact.Instances;
import dev.why429.analyzers.audit.fact.Limiter;
import java.util.Optional;

/** Counters in the memory of one process, and several processes: the limit is multiplied. */
final class StatePerProcess implements PitfallCheck {
    @Override
    public void look(Facts facts, Findings findings) {
        for (Limiter limiter : facts.limiters()) {
            if (limiter.store() != Limiter.Store.IN_PROCESS) {
                continue;
            }
            Optional<Instances> several = facts.surroundings().severalFor(limiter.place());
            if (several.filter(i -> i.kind() == Instances.Kind.SERVERLESS).isPresent()) {
                Instances functions = several.get();
                findings.report(
                        "code",
                        "state-per-process",
                        "counters live in one function instance, and " + functions.place()
                                + " runs as many as there are calls at a time: each starts with " + limiter.budget(),
                        limiter.place(),
                        related(functions.place(), functions.what()));
                continue;
            }
            several.ifPresent(instances -> findings.report(
                    "code",
                    "state-per-process",
                    "counters live in one process, and " + instances.place() + " runs " + instances.most() + ": up to "
                            + effective(limiter, instances),
                    limiter.place(),
                    related(instances.place(), instances.what())));
        }
    }

    private static String effective(Limiter limiter, Instances instances) {
        if (limiter.limit().isEmpty()) {
            return instances.most() + " times the limit";
        }
        double each = limiter.limit().getAsDouble();
        return Limiter.plain(each * instances.most()) + " instead of " + limiter.budget();
    }
}
