package dev.why429.analyzers.replay;

import io.lettuce.core.RedisException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where reference limiters decide besides their Java twins: a private Redis, one given by its address (a server, a master behind Sentinels, a
 * cluster), or none. On a foreign Redis only our scripts run, on keys under {@code why429:<run>:} that have a TTL and are removed afterwards;
 * nothing is flushed, listed or configured.
 */
public final class RedisEngine implements AutoCloseable {
    /** What a foreign server may hold before it looks like one that others need. */
    private static final long MANY_KEYS = 10_000;
    /** A run that was disturbed is begun again this often. */
    private static final int ATTEMPTS = 3;

    private static final Duration MARK_LIFE = Duration.ofDays(1);
    private static final List<String> SCHEMES =
            List.of("redis://", "rediss://", "redis-sentinel://", "rediss-sentinel://");

    private final String name;
    private final Optional<PrivateRedis> server;
    private final Optional<String> address;
    private final String prefix;
    private final Map<String, String> loaded = new HashMap<>();
    private Optional<RedisLink> link;
    private int runs;

    private RedisEngine(
            String name, Optional<PrivateRedis> server, Optional<String> address, Optional<RedisLink> link) {
        this.name = name;
        this.server = server;
        this.address = address;
        this.link = link;
        byte[] run = new byte[6];
        new SecureRandom().nextBytes(run);
        prefix = "why429:" + HexFormat.of().formatHex(run) + ":";
    }

    /**
     * Opens an engine; connecting takes a second or two in a fresh JVM.
     *
     * @param where {@code embedded}, {@code none}, or an address {@code redis://…}, {@code rediss://…}, {@code redis-sentinel://…}
     * @throws RedisProblem when it cannot be started or reached, or looks like a production server
     */
    public static RedisEngine open(String where) {
        return open(where, false);
    }

    /** @param evenProduction use a foreign server even if it has replicas or many keys */
    public static RedisEngine open(String where, boolean evenProduction) {
        if (where.equals("none")) {
            return new RedisEngine("java twin", Optional.empty(), Optional.empty(), Optional.empty());
        }
        if (where.equals("embedded")) {
            PrivateRedis server = PrivateRedis.start();
            try {
                RedisLink link = RedisLink.to(server.uri());
                return new RedisEngine(link.name(), Optional.of(server), Optional.of(server.uri()), Optional.of(link));
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
        }
        if (SCHEMES.stream().noneMatch(where::startsWith)) {
            throw new RedisProblem(
                    "\"" + where
                            + "\" is no Redis: embedded, none, or an address redis://host:port, rediss://… or redis-sentinel://… is expected");
        }
        RedisLink link = RedisLink.to(where);
        try {
            List<String> reasons = evenProduction ? List.of() : link.looksLikeProduction(MANY_KEYS);
            if (!reasons.isEmpty()) {
                throw new RedisProblem("this Redis looks like one that others need: " + String.join(", ", reasons)
                        + "; take another, or --redis embedded, or insist with --redis-force");
            }
            return new RedisEngine(link.name(), Optional.empty(), Optional.of(where), Optional.of(link));
        } catch (RedisException e) {
            link.close();
            throw new RedisProblem("the Redis does not say what it is: " + RedisLink.reason(e), e);
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    /** {@code redis 7.0.15}, or {@code java twin}. */
    public String name() {
        return name;
    }

    public boolean hasRedis() {
        return address.isPresent();
    }

    /** Requests in the order in which a limiter decides them. */
    public interface Requests {
        int size();

        /** A short name of the key, unique within the call. */
        String key(int request);

        /** Keys that a request is counted under at once; more than one only for limiters that take several. */
        default int keysEach() {
            return 1;
        }

        /** @param which from 0 to {@link #keysEach()} - 1 */
        default String key(int request, int which) {
            return key(request);
        }

        long nowMicros(int request);

        long cost(int request);

        /** In the order of {@code limiter.yaml}; the same array each time where they do not change. */
        long[] parameters(int request);

        /** Whether each request has a last parameter of its own, {@link #lastParameter(int)}, in place of that of {@link #parameters(int)}. */
        default boolean lastParameterVaries() {
            return false;
        }

        default long lastParameter(int request) {
            return parameters(request)[parameters(request).length - 1];
        }
    }

    /** Takes Redis's decisions; those of one key come in order. */
    public interface Decisions {
        void decided(int request, Decision decision);

        /** What was decided so far does not count: the Redis was disturbed, and every request is decided anew. */
        default void beginAgain() {
            throw new RedisProblem("the Redis was disturbed during the replay; run it again");
        }
    }

    /** A run that does not count, since the Redis was restarted, changed its master, forgot the script, or lost keys meanwhile. */
    static final class Disturbed extends RuntimeException {
        Disturbed(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Lets the script of a limiter decide, in mode replay, every request in its order; the keys are new and are removed afterwards. A Redis that
     * restarts, fails over or forgets the script in between makes the run begin again.
     *
     * @throws RedisProblem when Redis fails for good: nothing decided then counts
     */
    public void decide(String script, Requests requests, Decisions decisions) {
        String whole = ScriptPipeline.forManyRequests(script);
        for (int attempt = 1; ; attempt++) {
            try {
                once(whole, requests, decisions);
                return;
            } catch (Disturbed e) {
                if (attempt == ATTEMPTS) {
                    throw new RedisProblem(
                            "the Redis was disturbed " + ATTEMPTS + " times during the replay: " + e.getMessage()
                                    + "; let it rest, or give --redis embedded",
                            e);
                }
                connectAgain();
                decisions.beginAgain();
            }
        }
    }

    private void connectAgain() {
        link.ifPresent(RedisLink::close);
        link = Optional.empty();
        loaded.clear();
        link = Optional.of(RedisLink.to(address.orElseThrow()));
    }

    private void once(String script, Requests requests, Decisions decisions) {
        RedisLink redis = link.orElseThrow(() -> new IllegalStateException("there is no Redis behind this engine"));
        String scope = prefix + ++runs + ":";
        List<byte[]> marks = new ArrayList<>();
        for (int lane = 0; lane < redis.lanes(); lane++) {
            marks.add(redis.key(scope, lane, "mark"));
        }
        ScriptPipeline pipeline = new ScriptPipeline(redis, scope);
        try {
            String before = redis.identity();
            redis.mark(marks, MARK_LIFE);
            pipeline.run(loaded.computeIfAbsent(script, redis::load), requests, decisions);
            if (!redis.identity().equals(before)) {
                throw new Disturbed("it was restarted", null);
            }
            if (!redis.marked(marks)) {
                throw new Disturbed("keys were taken away", null);
            }
        } catch (RedisException e) {
            throw new Disturbed(RedisLink.reason(e), e);
        } finally {
            if (redis.isOpen()) {
                pipeline.removeKeys();
                redis.remove(marks);
            }
        }
    }

    /** How many keys the server holds, ours or not. */
    long keysOnServer() {
        return link.map(RedisLink::keysHeld).orElse(0L);
    }

    @Override
    public void close() {
        link.ifPresent(RedisLink::close);
        server.ifPresent(PrivateRedis::close);
    }
}
