package dev.why429.analyzers.replay;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.reconstruct.DecisionLog;
import dev.why429.analyzers.reconstruct.DecisionLogs;
import dev.why429.analyzers.store.CaseStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The limiters that were found in a case, each as a reference limiter led by the decisions of its own layer. */
public final class FoundLimiters {
    private FoundLimiters() {}

    /** One result for each limiter that a reference limiter can stand for, in their order. */
    public static List<Case.Replay> replay(CaseStore store, List<Case.Limiter> limiters) {
        if (limiters.isEmpty()) {
            return List.of();
        }
        List<DecisionLog> logs = DecisionLogs.from(store);
        List<Case.Replay> replays = new ArrayList<>();
        for (Case.Limiter limiter : limiters) {
            logOf(limiter, logs).flatMap(log -> TeacherForced.of(limiter, log)).ifPresent(replays::add);
        }
        return List.copyOf(replays);
    }

    /** One sentence for each limiter that {@link #replay} leaves out for what its log cannot tell, and one where there is no limiter at all. */
    public static List<String> leftOut(List<Case.Limiter> limiters) {
        if (limiters.isEmpty()) {
            return List.of("No limiter was found in these logs, so there is none to replay; name one with --policy, "
                    + "or give the logs in which its denials are.");
        }
        List<String> sentences = new ArrayList<>();
        for (Case.Limiter limiter : limiters) {
            TeacherForced.notComputed(limiter)
                    .ifPresent(why -> sentences.add(
                            "The limiter of \"" + limiter.component() + "\" is not replayed: " + why + "."));
        }
        return List.copyOf(sentences);
    }

    /** The decisions that the limiter was found in: its layer's and component's, of the time for which it holds. */
    static Optional<DecisionLog> logOf(Case.Limiter limiter, List<DecisionLog> logs) {
        return logs.stream()
                .filter(log ->
                        log.layer().equals(limiter.layer()) && log.component().equals(limiter.component()))
                .map(log -> log.only(during(log, limiter)))
                .filter(log -> log.size() > 0)
                .min(Comparator.comparingLong(log -> Math.abs(log.size() - limiter.decisions())));
    }

    private static boolean[] during(DecisionLog log, Case.Limiter limiter) {
        long from = micros(limiter.from());
        long to = micros(limiter.to());
        boolean[] wanted = new boolean[log.size()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = log.arrivalMicros()[i] >= from && log.arrivalMicros()[i] <= to;
        }
        return wanted;
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
