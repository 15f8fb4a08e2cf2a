package dev.why429.analyzers.replay;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One ordered run of EVALSHA calls on one connection, flushed by batches, the next batch sent before the last is read. */
final class ScriptPipeline {
    private static final int DEPTH = 512;
    private static final byte[] REPLAY = ascii("replay");

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final String sha;
    private final String scope;
    private final Map<String, byte[]> keys = new HashMap<>();
    private long[] lastParameters = new long[0];
    private byte[][] lastEncoded = new byte[0][];

    ScriptPipeline(StatefulRedisConnection<byte[], byte[]> connection, String sha, String scope) {
        this.connection = connection;
        this.sha = sha;
        this.scope = scope;
    }

    void run(RedisEngine.Requests requests, RedisEngine.Decisions decisions) {
        connection.setAutoFlushCommands(false);
        try {
            List<RedisFuture<List<Object>>> sent = List.of();
            int sentFrom = 0;
            for (int from = 0; from < requests.size(); from += DEPTH) {
                int to = Math.min(requests.size(), from + DEPTH);
                List<RedisFuture<List<Object>>> next = new ArrayList<>(to - from);
                for (int i = from; i < to; i++) {
                    next.add(connection
                            .async()
                            .evalsha(
                                    sha,
                                    ScriptOutputType.MULTI,
                                    new byte[][] {keys.computeIfAbsent(requests.key(i), k -> ascii(scope + k))},
                                    arguments(requests, i)));
                }
                connection.flushCommands();
                read(sent, sentFrom, decisions);
                sent = next;
                sentFrom = from;
            }
            read(sent, sentFrom, decisions);
        } finally {
            connection.setAutoFlushCommands(true);
        }
    }

    private byte[][] arguments(RedisEngine.Requests requests, int i) {
        long[] parameters = requests.parameters(i);
        if (parameters != lastParameters) {
            lastEncoded = new byte[parameters.length][];
            for (int p = 0; p < parameters.length; p++) {
                lastEncoded[p] = ascii(Long.toString(parameters[p]));
            }
            lastParameters = parameters;
        }
        byte[][] arguments = new byte[3 + lastEncoded.length][];
        arguments[0] = REPLAY;
        arguments[1] = ascii(Long.toString(requests.nowMicros(i)));
        arguments[2] = ascii(Long.toString(requests.cost(i)));
        System.arraycopy(lastEncoded, 0, arguments, 3, lastEncoded.length);
        return arguments;
    }

    private static void read(List<RedisFuture<List<Object>>> sent, int from, RedisEngine.Decisions decisions) {
        for (int i = 0; i < sent.size(); i++) {
            decisions.decided(from + i, decision(sent.get(i)));
        }
    }

    private static Decision decision(RedisFuture<List<Object>> future) {
        try {
            List<Object> reply = future.get(RedisEngine.TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS);
            return new Decision(
                    number(reply, 0) == 1 ? Decision.Outcome.ALLOWED : Decision.Outcome.DENIED,
                    number(reply, 1),
                    number(reply, 2),
                    number(reply, 3),
                    number(reply, 4));
        } catch (ExecutionException e) {
            return refusal(e.getCause());
        } catch (TimeoutException e) {
            throw new RedisProblem(
                    "the Redis did not answer within " + RedisEngine.TIMEOUT.toSeconds() + " s; run it again", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisProblem("interrupted while the Redis decided", e);
        }
    }

    private static Decision refusal(Throwable cause) {
        if (cause instanceof RedisNoScriptException) {
            throw new RedisProblem(
                    "the Redis forgot the script during the replay (SCRIPT FLUSH?); run it again", cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            String code = code(cause.getMessage());
            if (code.equals(Decision.Outcome.COST_EXCEEDS_CAPACITY.name())) {
                return Decision.costExceedsCapacity();
            }
            throw new LimiterProblem(code, cause.getMessage());
        }
        throw new RedisProblem("the Redis failed during the replay: " + cause.getMessage() + "; run it again", cause);
    }

    private static String code(String message) {
        String text = message.startsWith("ERR ") ? message.substring(4) : message;
        int space = text.indexOf(' ');
        return space < 0 ? text : text.substring(0, space);
    }

    private static long number(List<Object> reply, int index) {
        return (Long) reply.get(index);
    }

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

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
