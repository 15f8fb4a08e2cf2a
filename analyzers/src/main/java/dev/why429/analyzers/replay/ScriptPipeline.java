package dev.why429.analyzers.replay;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
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
 * One ordered run of decisions on one connection. A limiter's script, unchanged, is the body of a function that one call runs for many requests;
 * several calls are on their way at once.
 */
final class ScriptPipeline {
    /** Requests a call: about half a millisecond of Redis's time, and few enough not to hold up others. */
    private static final int REQUESTS_A_CALL = 64;

    private static final int CALLS_UNDER_WAY = 16;

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final String sha;
    private final String scope;
    private final Map<String, byte[]> keys = new HashMap<>();
    private final Deque<Call> underWay = new ArrayDeque<>();
    private RedisEngine.Decisions decisions = (request, decision) -> {};

    private record Call(int from, int to, RedisFuture<byte[]> reply) {}

    ScriptPipeline(StatefulRedisConnection<byte[], byte[]> connection, String sha, String scope) {
        this.connection = connection;
        this.sha = sha;
        this.scope = scope;
    }

    /** The script as a function, and a loop around it. ARGV: how many parameters, they, then of each request its key's number, now, cost. */
    static String forManyRequests(String script) {
        return "local decide = function(KEYS, ARGV)\n" + script + "\nend\n" + """
                local count = tonumber(ARGV[1])
                local call, replies = {'replay'}, {}
                for i = 1, count do call[3 + i] = ARGV[1 + i] end
                for i = count + 2, #ARGV, 3 do
                  call[2], call[3] = ARGV[i + 1], ARGV[i + 2]
                  local reply = decide({KEYS[tonumber(ARGV[i])]}, call)
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

    void run(RedisEngine.Requests requests, RedisEngine.Decisions taker) {
        decisions = taker;
        connection.setAutoFlushCommands(false);
        try {
            int from = 0;
            while (from < requests.size()) {
                int to = endOfCall(requests, from);
                underWay.add(new Call(from, to, send(requests, from, to)));
                from = to;
                if (underWay.size() >= CALLS_UNDER_WAY) {
                    connection.flushCommands();
                    readDownTo(CALLS_UNDER_WAY / 2);
                }
            }
            connection.flushCommands();
            readDownTo(0);
        } finally {
            connection.setAutoFlushCommands(true);
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

    private RedisFuture<byte[]> send(RedisEngine.Requests requests, int from, int to) {
        long[] parameters = requests.parameters(from);
        byte[][] arguments = new byte[1 + parameters.length + 3 * (to - from)][];
        int at = 0;
        arguments[at++] = ascii(parameters.length);
        for (long parameter : parameters) {
            arguments[at++] = ascii(parameter);
        }
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int i = from; i < to; i++) {
            Integer place = places.computeIfAbsent(requests.key(i), key -> places.size() + 1);
            arguments[at++] = ascii(place);
            arguments[at++] = ascii(requests.nowMicros(i));
            arguments[at++] = ascii(requests.cost(i));
        }
        byte[][] names = places.keySet().stream()
                .map(key -> keys.computeIfAbsent(key, k -> (scope + k).getBytes(StandardCharsets.UTF_8)))
                .toArray(byte[][]::new);
        return connection.async().evalsha(sha, ScriptOutputType.VALUE, names, arguments);
    }

    private static byte[] ascii(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private void readDownTo(int left) {
        while (underWay.size() > left) {
            Call call = underWay.remove();
            byte[] reply = await(call.reply());
            int at = 0;
            long[] numbers = new long[5];
            for (int request = call.from(); request < call.to(); request++) {
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
            return future.get(RedisEngine.TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            throw new RedisProblem(
                    "the Redis did not answer within " + RedisEngine.TIMEOUT.toSeconds() + " s; run it again", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisProblem("interrupted while the Redis decided", e);
        }
    }

    private static RuntimeException failure(Throwable cause) {
        if (cause instanceof RedisNoScriptException) {
            return new RedisProblem(
                    "the Redis forgot the script during the replay (SCRIPT FLUSH?); run it again", cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            String text = cause.getMessage();
            int space = text.indexOf(' ');
            return new LimiterProblem(space < 0 ? text : text.substring(0, space), text);
        }
        return new RedisProblem("the Redis failed during the replay: " + cause.getMessage() + "; run it again", cause);
    }

    /** Removes every key that the run may have made. */
    void removeKeys() {
        if (!connection.isOpen()) {
            return;
        }
        List<byte[]> all = new ArrayList<>(keys.values());
        try {
            for (int from = 0; from < all.size(); from += 1000) {
                List<byte[]> some = all.subList(from, Math.min(all.size(), from + 1000));
                connection.sync().unlink(some.toArray(new byte[0][]));
            }
        } catch (RedisException e) {
            // they have a TTL
        }
    }
}
