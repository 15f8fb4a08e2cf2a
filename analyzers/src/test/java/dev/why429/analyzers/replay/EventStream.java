package dev.why429.analyzers.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests for a limiter, made up by a test, and what twin and script decide on them. */
final class EventStream implements RedisEngine.Requests {

    private final List<String> keys = new ArrayList<>();
    private final List<Long> nows = new ArrayList<>();
    private final List<Long> costs = new ArrayList<>();
    private final List<long[]> parameters = new ArrayList<>();

    void add(String key, long nowMicros, long cost, long... parametersInForce) {
        keys.add(key);
        nows.add(nowMicros);
        costs.add(cost);
        parameters.add(parametersInForce);
    }

    List<Decision> byTwin(String limiter) {
        Map<String, Limiter> states = new HashMap<>();
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            long[] inForce = parameters.get(i);
            Limiter state = states.computeIfAbsent(keys.get(i), key -> ReferenceLimiters.twin(limiter, inForce));
            state.change(inForce);
            decisions.add(state.decide(nows.get(i), costs.get(i)));
        }
        return decisions;
    }

    List<Decision> byScript(String script) {
        return byScript(script, TestRedis.engine());
    }

    List<Decision> byScript(String script, RedisEngine engine) {
        Decision[] decisions = new Decision[size()];
        engine.decide(script, this, new RedisEngine.Decisions() {
            @Override
            public void decided(int request, Decision decision) {
                decisions[request] = decision;
            }

            @Override
            public void beginAgain() {
                Arrays.fill(decisions, null);
            }
        });
        return Arrays.asList(decisions);
    }

    String describe(int i) {
        return "event " + i + " key " + keys.get(i) + " now " + nows.get(i) + " cost " + costs.get(i) + " parameters "
                + Arrays.toString(parameters.get(i));
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    public String key(int request) {
        return keys.get(request);
    }

    @Override
    public long nowMicros(int request) {
        return nows.get(request);
    }

    @Override
    public long cost(int request) {
        return costs.get(request);
    }

    @Override
    public long[] parameters(int request) {
        return parameters.get(request);
    }
}
