package dev.why429.analyzers.ticket;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.ticket.Ticket.Side;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers a ticket from a case's tables and findings. */
public final class Tickets {
    /** Faults of the client's own program. */
    private static final Set<String> THEIR_KINDS = Set.of(
            "retry_storm",
            "synchronized_retries",
            "retry_after_unit",
            "client_clock_skew",
            "sync_herd",
            "genuine_limit");
    /** What the log is like, or a habit of the limiter that denies nobody: no cause of a denial. */
    private static final Set<String> NO_CAUSE = Set.of(
            "sampled_log",
            "missing_lines",
            "reordered_log",
            "clock_skew",
            "clock_drift",
            "clock_step",
            "cost_based",
            "hot_key",
            "quota_header_on_login",
            "boundary_burst",
            "pods_changed",
            "ipv6_rotation",
            "trust_proxy_spoof",
            "check_then_set_race",
            "limiter_fail_open");

    /** Faults of ours that make a denial worse to live with, and deny nobody. */
    private static final Set<String> DENIES_NOBODY =
            Set.of("missing_retry_after", "wrong_retry_after", "cors_masked_429", "status_not_429", "limit_changed");

    private static final double MINUTE_SECONDS = 60;
    private static final int SAMPLES = 5;
    /** Parameters found from a log are this sure at most. */
    private static final double MARGIN = 1.02;

    private final CaseStore store;
    private final Case theCase;
    private final TicketQuestion question;
    private final ClientRequests requests;

    private Tickets(CaseStore store, Case theCase, TicketQuestion question, ClientRequests requests) {
        this.store = store;
        this.theCase = theCase;
        this.question = question;
        this.requests = requests;
    }

    /** Empty when the case holds no request of this client. */
    public static Optional<Ticket> answer(CaseStore store, Case theCase, TicketQuestion question) {
        ClientRequests requests = ClientRequests.of(store, question);
        return requests.isEmpty()
                ? Optional.empty()
                : Optional.of(new Tickets(store, theCase, question, requests).answer());
    }

    private Ticket answer() {
        List<Long> times = requests.times();
        Optional<Case.Limiter> met = limiterMet();
        Optional<Ticket.Limit> limit = met.flatMap(limiter -> limit(limiter, times));
        Optional<Ticket.Claim> claim = question.claim().map(said -> claim(said, times));
        List<Ticket.Cause> causes = causes();
        double window =
                limit.map(Ticket.Limit::windowSeconds).filter(w -> w > 0).orElse(MINUTE_SECONDS);
        Ticket.Headers headers = requests.headers(store);
        return new Ticket(
                side(limit, claim, causes, headers),
                question.shown(),
                question.by(),
                Optional.of(instant(times.get(0))),
                Optional.of(instant(times.get(times.size() - 1))),
                times.size(),
                times.size() - requests.denied(),
                requests.denied(),
                requests.layers(),
                requests.reasons(),
                limit,
                load(times, window),
                claim,
                limit.filter(met2 -> requests.denied() > 0).map(met2 -> needed(met2, times)),
                headers,
                requests.processed(store),
                requests.samples(SAMPLES),
                causes);
    }

    /** The limiter of the layer that denied most of this client's requests. */
    private Optional<Case.Limiter> limiterMet() {
        Optional<String> layer = requests.layers().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
        return theCase.limiters().stream()
                .filter(limiter -> layer.isEmpty() || limiter.layer().equals(layer.get()))
                .max(Comparator.comparingLong(Case.Limiter::decisions));
    }

    private Optional<Ticket.Limit> limit(Case.Limiter limiter, List<Long> times) {
        Optional<Double> rate = limiter.ratePerSecond().flatMap(Tickets::most);
        Optional<Double> count =
                limiter.burst().flatMap(Tickets::most).or(() -> limiter.limit().flatMap(Tickets::most));
        double window = limiter.windowSeconds().flatMap(Tickets::most).orElse(0.0);
        if (count.isEmpty() || (rate.isEmpty() && window <= 0)) {
            return Optional.empty();
        }
        boolean perNode = limiter.scope().equals("per_node");
        double allowed = count.get() * (perNode ? Math.max(1, limiter.nodes().orElse(1)) : 1);
        boolean exceeded = rate.isPresent()
                ? Arrivals.burstNeeded(times, rate.get() * MARGIN) > allowed * MARGIN
                : Arrivals.most(times, window) > allowed * MARGIN;
        return Optional.of(new Ticket.Limit(
                limiter.layer(),
                limiter.component(),
                limiter.algorithm(),
                limiter.key(),
                allowed,
                rate.isPresent() ? 0 : window,
                rate.orElse(0.0),
                exceeded));
    }

    private static Optional<Double> most(Interval interval) {
        return interval.high().or(interval::low);
    }

    private static Ticket.Claim claim(TicketQuestion.Claim said, List<Long> times) {
        long most = Arrivals.most(times, said.perSeconds());
        return new Ticket.Claim(said.text(), said.count(), said.perSeconds(), most, most <= said.count());
    }

    private static Ticket.Load load(List<Long> times, double windowSeconds) {
        double minutes = Math.max(1, (times.get(times.size() - 1) - times.get(0)) / 60e6);
        return new Ticket.Load(
                Arrivals.most(times, 1),
                Optional.of(instant(Arrivals.busiest(times, 1))),
                Arrivals.most(times, windowSeconds),
                windowSeconds,
                Optional.of(instant(Arrivals.busiest(times, windowSeconds))),
                Arrivals.most(times, MINUTE_SECONDS),
                Math.rint(times.size() / minutes * 10) / 10);
    }

    private static Ticket.Needed needed(Ticket.Limit limit, List<Long> times) {
        return limit.perSecond() > 0
                ? new Ticket.Needed(Arrivals.burstNeeded(times, limit.perSecond()), 0, limit.perSecond(), true)
                : new Ticket.Needed(Arrivals.most(times, limit.windowSeconds()), limit.windowSeconds(), 0, false);
    }

    private Side side(
            Optional<Ticket.Limit> limit,
            Optional<Ticket.Claim> claim,
            List<Ticket.Cause> causes,
            Ticket.Headers headers) {
        if (requests.denied() == 0) {
            return Side.INCONCLUSIVE;
        }
        boolean ours =
                causes.stream().anyMatch(cause -> cause.side() == Side.OURS && !DENIES_NOBODY.contains(cause.kind()));
        boolean theirs = causes.stream().anyMatch(cause -> cause.side() == Side.THEIRS);
        long notLimits = requests.reasons().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("_error"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        long passedOn = requests.layers().getOrDefault("third_party", 0L);
        if (notLimits + passedOn > requests.denied() / 2) {
            return theirs ? Side.MIXED : Side.OURS;
        }
        boolean exceeded = limit.map(Ticket.Limit::exceeded).orElse(false)
                || claim.map(said -> !said.kept()).orElse(false);
        boolean within = claim.map(Ticket.Claim::kept).orElse(false);
        if (exceeded) {
            // within what was promised, and over what is enforced: the promise is ours, the bursts are theirs
            return ours || within ? Side.MIXED : Side.THEIRS;
        }
        if (ours || within || limit.isPresent()) {
            return theirs ? Side.MIXED : Side.OURS;
        }
        return theirs ? Side.THEIRS : headers.withSomethingLeft() > 0 ? Side.OURS : Side.INCONCLUSIVE;
    }

    /** Findings that touch this client: those about it, and those about a limiter or a layer that denied it. */
    private List<Ticket.Cause> causes() {
        if (requests.denied() == 0) {
            return List.of();
        }
        List<Ticket.Cause> causes = new ArrayList<>();
        for (Case.Finding finding : theCase.findings()) {
            boolean heavy =
                    finding.severity().equals("high") || finding.severity().equals("medium");
            boolean known = causes.stream().anyMatch(cause -> cause.kind().equals(finding.kind()));
            if (heavy && !known && !NO_CAUSE.contains(finding.kind()) && touches(finding)) {
                causes.add(new Ticket.Cause(
                        finding.kind(),
                        finding.title(),
                        THEIR_KINDS.contains(finding.kind()) ? Side.THEIRS : Side.OURS,
                        finding.fix().client(),
                        finding.fix().operator()));
            }
        }
        return Collections.unmodifiableList(causes);
    }

    private boolean touches(Case.Finding finding) {
        Set<String> own = requests.identities(store);
        boolean aboutSomebody = false;
        for (Map.Entry<String, String> about : finding.subject().entrySet()) {
            switch (about.getKey()) {
                case "layer" -> {
                    if (!about.getValue().isEmpty() && !requests.layers().containsKey(about.getValue())) {
                        return false;
                    }
                }
                case "component", "node", "policy", "path", "prefix", "user_agent" -> {
                    // a part of the system, not a person
                }
                default -> {
                    aboutSomebody = true;
                    if (own.contains(about.getValue())) {
                        return true;
                    }
                }
            }
        }
        // what is about somebody else is nobody else's business
        return !aboutSomebody
                && (finding.denialsExplained() > 0 || !THEIR_KINDS.contains(finding.kind()))
                && overlaps(finding);
    }

    private boolean overlaps(Case.Finding finding) {
        Instant first = instant(requests.times().get(0));
        Instant last = instant(requests.times().get(requests.times().size() - 1));
        return finding.from().map(from -> !from.isAfter(last)).orElse(true)
                && finding.to().map(to -> !to.isBefore(first)).orElse(true);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
