package dev.why429.analyzers.replay;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One ordered run of decisions. A limiter's script, unchanged, is the body of a function that one call runs for many requests; several calls are
 * on their way at once. Requests of one key always go the same way, so their order is kept; in a cluster keys are grouped by slot.
 */
final class ScriptPipeline {
    /** Requests a call: about half a millisecond of Redis's time, and few enough not to hold up others. */
    private static final int REQUESTS_A_CALL = 64;

    private static final int CALLS_UNDER_WAY = 16;
    /** Further errors of a Redis that is not itself; what the script refuses has a code of its own. */
    private static final List<String> DISTURBANCES = List.of(
            "READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "MOVED", "ASK", "TRYAGAIN", "BUSY", "UNBLOCKED");

    private final RedisLink link;
    private final String scope;
    private final List<Map<String, byte[]>> keys = new ArrayList<>();
    private final Deque<Call> underWay = new ArrayDeque<>();
    private String sha = "";

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Call(int[] requests, RedisFuture<byte[]> reply) {}

    ScriptPipeline(RedisLink link, String scope) {
        this.link = link;
        this.scope = scope;
        for (int lane = 0; lane < link.lanes(); lane++) {
            keys.add(new HashMap<>());
        }
    }

    /**
     * The script as a function, and a loop around it. ARGV: how many parameters, how many keys a request, 1 if the last parameter is each
     * request's own, the parameters, then of each request its keys' numbers, now, cost, and its last parameter.
     */
    static String forManyRequests(String script) {
        return "local decide = function(KEYS, ARGV)\n" + script + "\nend\n" + """
                local count, each, own = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
                local call, replies, keys = {'replay'}, {}, {}
                for i = 1, count do call[3 + i] = ARGV[3 + i] end
                for i = count + 4, #ARGV, each + 2 + own do
                  for k = 1, each do keys[k] = KEYS[tonumber(ARGV[i + k - 1])] end
                  call[2], call[3] = ARGV[i + each], ARGV[i + each + 1]
                  if own == 1 then call[3 + count] = ARGV[i + each + 2] end
                  local reply = decide(keys, call)
                  if not reply.err then
                    replies[#replies + 1] = string.format('%d %.0f %.0f %.0f %.0f', reply[1], reply[2], reply[3], reply[4], reply[5])
                  elseif string.find(reply.err, 'COST_EXCEEDS_CAPACITY', 1, true) then
                    replies[#replies + 1] = '2 0 0 0 0'
                  else
                    return reply
                  end
                end
                return table.concat(replies, ' ')
                """;
    }

    void run(String scriptSha, RedisEngine.Requests requests, RedisEngine.Decisions decisions) {
        sha = scriptSha;
        link.buffered(true);
        try {
            if (keys.size() == 1 || requests.keysEach() > 1) {
                inOneLane(requests, decisions);
            } else {
                inLanes(requests, decisions);
            }
            link.flush();
            readDownTo(0, decisions);
        } finally {
            link.buffered(false);
        }
    }

    private void inOneLane(RedisEngine.Requests requests, RedisEngine.Decisions decisions) {
        int from = 0;
        while (from < requests.size()) {
            int to = endOfCall(requests, from);
            int[] call = new int[to - from];
            int first = from;
            Arrays.setAll(call, i -> first + i);
            send(requests, call, 0, decisions);
            from = to;
        }
    }

    private static int endOfCall(RedisEngine.Requests requests, int from) {
        long[] parameters = requests.parameters(from);
        int most = Math.min(requests.size(), from + REQUESTS_A_CALL);
        int to = from + 1;
        while (to < most && requests.parameters(to) == parameters) {
            to++;
        }
        return to;
    }

    private void inLanes(RedisEngine.Requests requests, RedisEngine.Decisions decisions) {
        int lanes = keys.size();
        int[][] waiting = new int[lanes][REQUESTS_A_CALL];
        int[] count = new int[lanes];
        for (int i = 0; i < requests.size(); i++) {
            int lane = Math.floorMod(requests.key(i).hashCode(), lanes);
            boolean others = count[lane] > 0 && requests.parameters(waiting[lane][0]) != requests.parameters(i);
            if (others || count[lane] == REQUESTS_A_CALL) {
                send(requests, Arrays.copyOf(waiting[lane], count[lane]), lane, decisions);
                count[lane] = 0;
            }
            waiting[lane][count[lane]++] = i;
        }
        for (int lane = 0; lane < lanes; lane++) {
            if (count[lane] > 0) {
                send(requests, Arrays.copyOf(waiting[lane], count[lane]), lane, decisions);
            }
        }
    }

    private void send(RedisEngine.Requests requests, int[] call, int lane, RedisEngine.Decisions decisions) {
        long[] parameters = requests.parameters(call[0]);
        int each = requests.keysEach();
        boolean own = requests.lastParameterVaries();
        byte[][] arguments = new byte[3 + parameters.length + (each + (own ? 3 : 2)) * call.length][];
        int at = 0;
        arguments[at++] = ascii(parameters.length);
        arguments[at++] = ascii(each);
        arguments[at++] = ascii(own ? 1 : 0);
        for (long parameter : parameters) {
            arguments[at++] = ascii(parameter);
        }
        Map<String, byte[]> known = keys.get(lane);
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int request : call) {
            for (int which = 0; which < each; which++) {
                String key = each == 1 ? requests.key(request) : requests.key(request, which);
                Integer place = places.get(key);
                if (place == null) {
                    place = places.size() + 1;
                    places.put(key, place);
                }
                arguments[at++] = ascii(place);
            }
            arguments[at++] = ascii(requests.nowMicros(request));
            arguments[at++] = ascii(requests.cost(request));
            if (own) {
                arguments[at++] = ascii(requests.lastParameter(request));
            }
        }
        byte[][] names = new byte[places.size()][];
        int name = 0;
        for (String key : places.keySet()) {
            names[name++] = known.computeIfAbsent(key, k -> link.key(scope, lane, k));
        }
        underWay.add(new Call(call, link.call(sha, names, arguments)));
        if (underWay.size() >= CALLS_UNDER_WAY) {
            link.flush();
            readDownTo(CALLS_UNDER_WAY / 2, decisions);
        }
    }

    private static byte[] ascii(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private void readDownTo(int left, RedisEngine.Decisions decisions) {
        while (underWay.size() > left) {
            Call call = underWay.remove();
            byte[] reply = await(call.reply());
            int at = 0;
            long[] numbers = new long[5];
            for (int request : call.requests()) {
                for (int n = 0; n < numbers.length; n++) {
                    long number = 0;
                    while (at < reply.length && reply[at] != ' ') {
                        number = number * 10 + reply[at++] - '0';
                    }
                    at++;
                    numbers[n] = number;
                }
                decisions.decided(request, decision(numbers));
            }
        }
    }

    private static Decision decision(long[] numbers) {
        return switch ((int) numbers[0]) {
            case 1 -> new Decision(Decision.Outcome.ALLOWED, numbers[1], numbers[2], numbers[3], numbers[4]);
            case 0 -> new Decision(Decision.Outcome.DENIED, numbers[1], numbers[2], numbers[3], numbers[4]);
            case 2 -> Decision.costExceedsCapacity();
            default ->
                throw new RedisProblem("the Redis answered \"" + Arrays.toString(numbers) + "\", which is no decision");
        };
    }

    private static byte[] await(RedisFuture<byte[]> future) {
        try {
            return future.get(RedisLink.TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            throw new RedisProblem(
                    "the Redis did not answer within " + RedisLink.TIMEOUT.toSeconds() + " s; run it again", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisProblem("interrupted while the Redis decided", e);
        }
    }

    private static RuntimeException failure(Throwable cause) {
        if (cause instanceof RedisNoScriptException) {
            return new RedisEngine.Disturbed("it forgot the script (SCRIPT FLUSH?)", cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            String text = cause.getMessage();
            int space = text.indexOf(' ');
            String code = space < 0 ? text : text.substring(0, space);
            return DISTURBANCES.contains(code)
                    ? new RedisEngine.Disturbed(text, cause)
                    : new LimiterProblem(code, text);
        }
        return new RedisEngine.Disturbed(RedisLink.reason(cause), cause);
    }

    /** Removes every key that the run may have made. */
    void removeKeys() {
        link.remove(keys.stream().flatMap(lane -> lane.values().stream()).toList());
    }
}
