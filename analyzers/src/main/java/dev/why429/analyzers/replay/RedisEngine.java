package dev.why429.analyzers.replay;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where reference limiters decide besides their Java twins: a private Redis, one given by its address, or none. On a foreign Redis only our
 * scripts run, on keys under {@code why429:<run>:} that have a TTL and are removed afterwards; nothing is flushed, listed or configured.
 */
public final class RedisEngine implements AutoCloseable {
    /** What a foreign server may hold before it looks like one that others need. */
    private static final long MANY_KEYS = 10_000;

    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final String name;
    private final Optional<PrivateRedis> server;
    private final Optional<Link> link;

    private record Link(
            ClientResources resources,
            RedisClient client,
            StatefulRedisConnection<byte[], byte[]> connection,
            String runId,
            String prefix,
            Map<String, String> loaded,
            AtomicInteger runs) {}

    private RedisEngine(String name, Optional<PrivateRedis> server, Optional<Link> link) {
        this.name = name;
        this.server = server;
        this.link = link;
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
            return new RedisEngine("java twin", Optional.empty(), Optional.empty());
        }
        if (where.equals("embedded")) {
            PrivateRedis server = PrivateRedis.start();
            try {
                Link link = connect(server.uri());
                return new RedisEngine("redis " + version(link), Optional.of(server), Optional.of(link));
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
        }
        if (!where.startsWith("redis://") && !where.startsWith("rediss://") && !where.startsWith("redis-sentinel://")) {
            throw new RedisProblem(
                    "\"" + where + "\" is no Redis: embedded, none, or an address redis://host:port is expected");
        }
        Link link = connect(where);
        RedisEngine engine = new RedisEngine("redis " + version(link), Optional.empty(), Optional.of(link));
        try {
            if (!evenProduction) {
                refuseProduction(link);
            }
            return engine;
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private static Link connect(String uri) {
        ClientResources resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
        RedisClient client = null;
        try {
            RedisURI address = RedisURI.create(uri);
            address.setTimeout(TIMEOUT);
            client = RedisClient.create(resources, address);
            client.setOptions(ClientOptions.builder()
                    // a lost connection must end the run: commands sent again would count twice
                    .autoReconnect(false)
                    .protocolVersion(ProtocolVersion.RESP2)
                    .timeoutOptions(TimeoutOptions.enabled(TIMEOUT))
                    .socketOptions(SocketOptions.builder()
                            .connectTimeout(Duration.ofSeconds(5))
                            .build())
                    .build());
            StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
            String runId = field(info(connection, "server"), "run_id");
            byte[] run = new byte[6];
            new java.security.SecureRandom().nextBytes(run);
            String prefix = "why429:" + java.util.HexFormat.of().formatHex(run) + ":";
            return new Link(resources, client, connection, runId, prefix, new HashMap<>(), new AtomicInteger());
        } catch (RedisException | IllegalArgumentException e) {
            end(Optional.ofNullable(client), resources);
            throw new RedisProblem(
                    "cannot reach the Redis at \"" + uri.replaceAll("//[^@/]*@", "//…@") + "\": " + reason(e)
                            + "; check the address, or give --redis embedded or --redis none",
                    e);
        }
    }

    private static void end(Optional<RedisClient> client, ClientResources resources) {
        client.ifPresent(c -> c.shutdown(0, 2, TimeUnit.SECONDS));
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }

    private static String reason(Throwable e) {
        return e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
    }

    private static void refuseProduction(Link link) {
        String replication = info(link.connection(), "replication");
        String role = field(replication, "role");
        String replicas = field(replication, "connected_slaves");
        long keys = link.connection().sync().dbsize();
        List<String> reasons = new ArrayList<>();
        if (!role.equals("master")) {
            reasons.add("it is a replica");
        }
        if (!replicas.isEmpty() && !replicas.equals("0")) {
            reasons.add("it has " + replicas + " replicas");
        }
        if (keys > MANY_KEYS) {
            reasons.add("it holds " + keys + " keys");
        }
        if (!reasons.isEmpty()) {
            throw new RedisProblem("this Redis looks like one that others need: " + String.join(", ", reasons)
                    + "; take another, or --redis embedded");
        }
    }

    private static String info(StatefulRedisConnection<byte[], byte[]> connection, String section) {
        return connection.sync().info(section);
    }

    /** The value of {@code name:value} in INFO's text; empty when absent. */
    private static String field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    private static String version(Link link) {
        String text = info(link.connection(), "server");
        String valkey = field(text, "valkey_version");
        return valkey.isEmpty() ? field(text, "redis_version") : valkey + " (valkey)";
    }

    /** {@code redis 7.0.15}, or {@code java twin}. */
    public String name() {
        return name;
    }

    public boolean hasRedis() {
        return link.isPresent();
    }

    /** Requests in the order in which a limiter decides them. */
    public interface Requests {
        int size();

        /** A short name of the key, unique within the call. */
        String key(int request);

        long nowMicros(int request);

        long cost(int request);

        /** In the order of {@code limiter.yaml}; the same array each time where they do not change. */
        long[] parameters(int request);
    }

    /** Takes Redis's decisions, in order. */
    public interface Decisions {
        void decided(int request, Decision decision);
    }

    /**
     * Lets the script of a limiter decide, in mode replay, every request in its order; the keys are new and are removed afterwards.
     *
     * @throws RedisProblem when Redis fails, restarts or forgets the script in between: nothing decided then counts
     */
    public void decide(String script, Requests requests, Decisions decisions) {
        Link redis = link.orElseThrow(() -> new IllegalStateException("there is no Redis behind this engine"));
        String scope = redis.prefix() + redis.runs().incrementAndGet() + ":";
        String sha = load(redis, ScriptPipeline.forManyRequests(script));
        ScriptPipeline pipeline = new ScriptPipeline(redis.connection(), sha, scope);
        try {
            pipeline.run(requests, decisions);
            if (!field(info(redis.connection(), "server"), "run_id").equals(redis.runId())) {
                throw new RedisProblem("the Redis was restarted during the replay; run it again");
            }
        } catch (RedisException e) {
            throw new RedisProblem("the Redis failed during the replay: " + reason(e) + "; run it again", e);
        } finally {
            pipeline.removeKeys();
        }
    }

    /** SCRIPT LOAD before anything is sent: a script that turns out missing in mid-pipeline would change the order. */
    private static String load(Link redis, String script) {
        return redis.loaded().computeIfAbsent(script, text -> {
            try {
                return redis.connection().sync().scriptLoad(text.getBytes(StandardCharsets.UTF_8));
            } catch (RedisException e) {
                throw new RedisProblem("the Redis does not take the limiter's script: " + reason(e), e);
            }
        });
    }

    /** How many keys the server holds, ours or not. */
    long keysOnServer() {
        return link.map(redis -> redis.connection().sync().dbsize()).orElse(0L);
    }

    @Override
    public void close() {
        link.ifPresent(redis -> {
            redis.connection().close();
            end(Optional.of(redis.client()), redis.resources());
        });
        server.ifPresent(PrivateRedis::close);
    }
}
