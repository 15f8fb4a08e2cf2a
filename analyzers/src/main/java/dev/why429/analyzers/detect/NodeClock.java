package dev.why429.analyzers.detect;

import dev.why429.analyzers.store.CaseStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the requests that two nodes share say about their clocks.
 *
 * @param constant the best offset that does not change
 * @param line the best offset that changes evenly
 * @param step where one of the clocks was set, if that explains what a line does not
 */
record NodeClock(ClockPairs pairs, ClockFit constant, ClockFit line, Optional<ClockFit.Step> step) {
    /** Fewer requests than this say nothing. */
    private static final int FEWEST_PAIRS = 20;
    /** Stamps are taken a little after the fact, later under load: bounds may contradict each other by this much. */
    static final double SLACK_SECONDS = 0.02;
    /** The smallest change of a clock that is worth a word. */
    static final double LEAST_CHANGE_SECONDS = 0.1;

    static List<NodeClock> of(CaseStore store) {
        return ClockPairs.of(store).stream()
                .filter(pairs -> pairs.size() >= FEWEST_PAIRS)
                .map(NodeClock::of)
                .toList();
    }

    static NodeClock of(ClockPairs pairs) {
        ClockPairs byOuter = pairs.sortedBy(true);
        ClockFit constant = ClockFit.constant(byOuter);
        ClockFit line = ClockFit.line(byOuter);
        boolean bent = line.marginSeconds() < -SLACK_SECONDS;
        Optional<ClockFit.Step> step = bent
                ? java.util.stream.Stream.of(byOuter, pairs.sortedBy(false))
                        .map(ClockFit.Step::in)
                        .flatMap(Optional::stream)
                        .max(java.util.Comparator.comparingDouble(ClockFit.Step::marginSeconds))
                        .filter(found -> found.marginSeconds() > -SLACK_SECONDS)
                        .filter(found -> Math.abs(found.changeSeconds()) > LEAST_CHANGE_SECONDS)
                : Optional.empty();
        return new NodeClock(pairs, constant, line, step);
    }

    /** Whether the offset changes evenly, and more than the bounds leave open. */
    boolean drifts() {
        double change = Math.abs(line.slope() * line.secondsSpanned());
        return step.isEmpty()
                && constant.marginSeconds() < -SLACK_SECONDS
                && line.marginSeconds() > -SLACK_SECONDS
                && change > LEAST_CHANGE_SECONDS / 2;
    }

    /** The offset and how far it may be wrong, in seconds. */
    Offset offset() {
        boolean coarse = pairs.coarseSeconds() >= 0.5;
        double bound = Math.abs(constant.marginSeconds()) + (coarse ? 0 : pairs.coarseSeconds());
        if (!coarse) {
            return new Offset(constant.offsetSeconds(), bound);
        }
        // whole seconds leave a gap of up to a second; the mean over many phases lies much closer
        double mean = IntStream.range(0, pairs.size())
                .mapToDouble(i -> pairs.middleSeconds()[i])
                .average()
                .orElse(0);
        double variance = IntStream.range(0, pairs.size())
                .mapToDouble(i -> Math.pow(pairs.middleSeconds()[i] - mean, 2))
                .average()
                .orElse(0);
        double low = constant.offsetSeconds() - Math.max(0, constant.marginSeconds());
        double high = constant.offsetSeconds() + Math.max(0, constant.marginSeconds());
        double point = Math.max(low, Math.min(high, mean));
        return new Offset(point, Math.min(bound, 2.5 * Math.sqrt(variance / pairs.size()) + 0.01));
    }

    /** Whether the offset cannot be an effect of stamps and delays. */
    boolean isOff() {
        double least = pairs.coarseSeconds() >= 0.5 ? 0.25 : LEAST_CHANGE_SECONDS;
        double sureSide = Math.abs(constant.offsetSeconds()) - Math.abs(constant.marginSeconds());
        return step.isEmpty() && !drifts() && sureSide > least && Math.abs(constant.offsetSeconds()) > 10 * slack();
    }

    /** How far the bounds contradict each other. */
    private double slack() {
        return Math.max(0, -constant.marginSeconds());
    }

    /** @param boundSeconds the truth lies within the offset plus or minus this */
    record Offset(double seconds, double boundSeconds) {}
}
