package dev.why429.analyzers.replay;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.reconstruct.DecisionLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reference limiter led by the decisions that a real one took: at each request it says what it would decide, and its state goes on from what was
 * in fact decided. So the first difference is the first one, and does not bring forth others. Stamps only bound the moment of each decision, so each
 * request is decided twice: as mildly as the stamps allow (all before it early, itself late) and as harshly (all before it late, itself early). Where
 * the two differ the stamps leave it open.
 */
public final class TeacherForced {
    /** Between a request's stamp and its decision lie a few of these: the way to the store, the turn of an event loop. */
    private static final long SLACK_MICROS = 4_000;

    private static final int SHOWN = 10;

    private final DecisionLog log;
    private final boolean deniedCount;

    /**
     * @param decisions all that were looked at
     * @param open those that the stamps leave open
     * @param agreeing of the others
     * @param differing the first others that do not, by their place in the log
     */
    public record Result(long decisions, long open, long agreeing, List<Integer> differing) {
        /** Share of the decisions that stamps determine; 1 when there are none. */
        public double agreement() {
            return decisions == open ? 1 : (double) agreeing / (decisions - open);
        }
    }

    /** @param deniedCount whether a denied request is counted too */
    public TeacherForced(DecisionLog log, boolean deniedCount) {
        this.log = log;
        this.deniedCount = deniedCount;
    }

    /** The likeliest of the policies that a limiter may be, and how far it agrees; empty where no reference limiter counts so. */
    public static Optional<Case.Replay> of(Case.Limiter limiter, DecisionLog log) {
        List<Policy> policies = LimiterPolicies.of(limiter);
        if (policies.isEmpty() || notComputed(limiter).isPresent()) {
            return Optional.empty();
        }
        TeacherForced forced = new TeacherForced(log, limiter.deniedCount().orElse(false));
        Result best = null;
        Policy bestPolicy = policies.get(0);
        for (Policy policy : policies) {
            Result result = forced.run(policy);
            if (best == null || result.agreeing() > best.agreeing()) {
                best = result;
                bestPolicy = policy;
            }
        }
        return Optional.of(forced.replay(bestPolicy.text(), best));
    }

    /**
     * Why agreement with a limiter is not computed though reference limiters count so. The decisions of a log name neither the tier of each key nor
     * the price of each path, and choosing for each key what fits it best would only flatter.
     */
    static Optional<String> notComputed(Case.Limiter limiter) {
        if (limiter.tiers().filter(tiers -> !tiers.isEmpty()).isPresent()) {
            return Optional.of("its limit differs by key, and which key has which is known for some of them only");
        }
        if (limiter.cost().filter(cost -> !cost.isEmpty()).isPresent()) {
            return Optional.of("its requests cost differently by path, and its decisions are kept without their paths");
        }
        return Optional.empty();
    }

    private Case.Replay replay(String policy, Result result) {
        long allowedWouldDeny =
                result.differing().stream().filter(i -> !log.denied()[i]).count();
        long deniedWouldAllow = result.differing().size() - allowedWouldDeny;
        long denied = log.denials() + allowedWouldDeny - deniedWouldAllow;
        List<Case.Difference> differences = result.differing().stream()
                .limit(SHOWN)
                .map(i -> new Case.Difference(
                        log.evidence(i),
                        "",
                        log.denied()[i] ? "denied" : "allowed",
                        log.denied()[i] ? "allowed" : "denied"))
                .toList();
        Rates rates = new Rates();
        long[] inOrder = new long[log.size()];
        Integer[] order = new Integer[log.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, java.util.Comparator.comparingLong(i -> log.arrivalMicros()[i]));
        for (int i : order) {
            inOrder[i] = log.arrivalMicros()[i];
            rates.at(inOrder[i], !log.denied()[i]);
        }
        int peak = rates.peak();
        int p99 = rates.percentile99();
        return new Case.Replay(
                policy,
                "java twin",
                log.size() - denied,
                denied,
                log.size() == 0 ? 1 : 1 - (double) result.differing().size() / log.size(),
                allowedWouldDeny,
                deniedWouldAllow,
                Optional.of(new Case.ReplayDetail(
                        "teacher_forced",
                        result.open(),
                        result.agreement(),
                        0,
                        peak,
                        p99,
                        peak,
                        p99,
                        Optional.empty(),
                        differences,
                        Optional.empty(),
                        Optional.empty())));
    }

    /** Follows the log under one policy whose requests all cost the same. */
    public Result run(Policy policy) {
        Map<List<Integer>, List<Integer>> byKey = new HashMap<>();
        int[] columns = columns(policy.key());
        for (int i = 0; i < log.size(); i++) {
            byKey.computeIfAbsent(key(policy.key(), columns, i), k -> new ArrayList<>())
                    .add(i);
        }
        long open = 0;
        long agreeing = 0;
        List<Integer> differing = new ArrayList<>();
        for (List<Integer> requests : byKey.values()) {
            OneKey one = new OneKey(policy, requests);
            open += one.open;
            agreeing += one.agreeing;
            differing.addAll(one.differing);
        }
        differing.sort(Integer::compare);
        return new Result(log.size(), open, agreeing, List.copyOf(differing));
    }

    private int[] columns(PolicyKey key) {
        return key.fields().stream()
                .mapToInt(field -> log.keyNames().indexOf(field))
                .toArray();
    }

    /** Values of the key's parts; of a chain the first that the request has. */
    private List<Integer> key(PolicyKey key, int[] columns, int request) {
        List<Integer> values = new ArrayList<>();
        List<String> fields = key.fields();
        for (List<String> chain : key.parts()) {
            int value = -1;
            for (int c = 0; c < chain.size() && value < 0; c++) {
                String field = chain.get(c);
                int column = columns[fields.indexOf(field)];
                int there =
                        field.equals("node") ? log.node()[request] : column < 0 ? -1 : log.keyValue()[column][request];
                value = there < 0 ? -1 : there * 16 + c;
            }
            values.add(value);
        }
        return values;
    }

    /** The decisions of one key under one policy. */
    private final class OneKey {
        private long open;
        private long agreeing;
        private final List<Integer> differing = new ArrayList<>();
        private final Limiter early;
        private final Limiter late;
        /** those that may have come after the request at hand, under the late limiter */
        private final Deque<Integer> pending = new ArrayDeque<>();

        /** what each request costs: policies whose costs differ by path are not followed */
        private final long cost;

        private Limiter harsh;
        private long harshAt = Long.MIN_VALUE;

        OneKey(Policy policy, List<Integer> requests) {
            cost = policy.costs().otherwise();
            early = policy.newLimiter();
            late = policy.newLimiter();
            harsh = late;
            int before = -1;
            for (int request : requests) {
                decide(request, before);
                before = request;
            }
        }

        private void decide(int request, int before) {
            long from = Math.max(0, log.arrivalMicros()[request]);
            long to = latest(request);
            boolean mild = early.look(to, cost).allowed();
            early.follow(from, cost, takes(request));
            boolean allowed = harshAt(from, before).look(from, cost).allowed();
            pending.add(request);
            boolean observed = !log.denied()[request];
            if (mild != allowed) {
                open++;
            } else if (mild == observed) {
                agreeing++;
            } else {
                differing.add(request);
            }
        }

        /** The late limiter as it is at an instant: what may have come later than that came at that instant. */
        private Limiter harshAt(long now, int before) {
            boolean committed = false;
            while (!pending.isEmpty() && latest(pending.peek()) <= now) {
                int request = pending.remove();
                late.follow(latest(request), cost, takes(request));
                committed = true;
            }
            if (pending.isEmpty()) {
                harsh = late;
            } else if (!committed && now == harshAt && harsh != late) {
                harsh.follow(now, cost, takes(before));
            } else {
                harsh = late.copy();
                for (int request : pending) {
                    harsh.follow(now, cost, takes(request));
                }
            }
            harshAt = now;
            return harsh;
        }

        private long latest(int request) {
            return Math.max(0, log.arrivalMicros()[request])
                    + Math.max(0, log.uncertaintyMicros()[request])
                    + SLACK_MICROS;
        }

        private boolean takes(int request) {
            return deniedCount || !log.denied()[request];
        }
    }
}
