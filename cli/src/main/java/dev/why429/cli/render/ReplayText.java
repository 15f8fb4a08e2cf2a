package dev.why429.cli.render;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.Printable;
import java.util.List;

/** What policies would have done, one after the other, as text. */
public final class ReplayText {
    private static final int SHOWN_DIFFERENCES = 3;

    private ReplayText() {}

    /** Beside what was observed. */
    public static String of(List<Case.Replay> replays) {
        StringBuilder text = new StringBuilder();
        if (replays.isEmpty()) {
            text.append(
                    "No limiter that was found can be replayed, and nothing can be suggested; give --policy, for example"
                            + " token-bucket:rate=20/s,burst=40,key=api_key\n");
        }
        replays.forEach(replay -> one(text, replay, true));
        return text.toString();
    }

    /** Of traffic that nobody has observed. */
    public static String simulated(List<Case.Replay> replays) {
        StringBuilder text = new StringBuilder();
        replays.forEach(replay -> one(text, replay, false));
        return text.toString();
    }

    private static void one(StringBuilder text, Case.Replay replay, boolean observed) {
        text.append(Printable.of(replay.policy())).append('\n');
        replay.detail().flatMap(Case.ReplayDetail::suggestedBecause).ifPresent(why -> line(text, "suggested: " + why));
        line(
                text,
                "allows " + Wording.count(replay.allowed()) + ", denies " + Wording.count(replay.denied())
                        + (observed
                                ? "; agrees with " + Wording.share(replay.agreement()) + " of what was observed"
                                : "")
                        + " (" + replay.engine() + ")");
        if (observed) {
            line(
                    text,
                    "was allowed, would be denied: " + Wording.count(replay.observedAllowedWouldDeny())
                            + " · was denied, would be allowed: " + Wording.count(replay.observedDeniedWouldAllow()));
        }
        replay.detail().ifPresent(detail -> detail(text, detail, observed));
    }

    private static void detail(StringBuilder text, Case.ReplayDetail detail, boolean observed) {
        if (detail.mode().equals("teacher_forced")) {
            line(
                    text,
                    "led by the decisions that were observed: agrees with "
                            + Wording.share(detail.agreementDetermined()) + " of those that the stamps determine");
        }
        if (detail.open() > 0) {
            line(text, Wording.count(detail.open()) + " decisions are left open by the stamps");
        }
        if (detail.neverAllowed() > 0) {
            line(text, Wording.count(detail.neverAllowed()) + " requests cost more than it can ever allow");
        }
        if (!detail.mode().equals("teacher_forced")) {
            line(
                    text,
                    "lets through at most " + Wording.count(detail.peakPerSecond()) + " a second, "
                            + Wording.count(detail.p99PerSecond()) + " in 99 of 100 seconds"
                            + (observed
                                    ? " (was " + Wording.count(detail.observedPeakPerSecond()) + " and "
                                            + Wording.count(detail.observedP99PerSecond()) + ")"
                                    : " (asked for: " + Wording.count(detail.observedPeakPerSecond()) + " and "
                                            + Wording.count(detail.observedP99PerSecond()) + ")"));
        }
        detail.retryAware()
                .filter(retries -> retries.fellAway() > 0)
                .ifPresent(retries -> line(
                        text,
                        Wording.count(retries.fellAway()) + " of " + Wording.count(retries.observedRetries())
                                + " retries would not have come; without them it allows "
                                + Wording.count(retries.allowed()) + ", denies " + Wording.count(retries.denied())));
        if (observed) {
            detail.differences().stream()
                    .limit(SHOWN_DIFFERENCES)
                    .forEach(each -> line(
                            text,
                            each.request() + " was " + each.observed() + ", would be " + each.policy()
                                    + (each.key().isEmpty() ? "" : " (" + each.key() + ")")));
        }
        detail.configuration()
                .ifPresent(configuration -> configuration
                        .lines()
                        .forEach(each ->
                                text.append("    ").append(Printable.of(each)).append('\n')));
    }

    private static void line(StringBuilder text, String words) {
        text.append("  ").append(Printable.of(words)).append('\n');
    }
}
