package dev.why429.analyzers.replay;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One connection to one server, to the master that Sentinels name, or to all masters of a cluster: which of them it is, the server is asked.
 * A command that fails is not sent again, since it might count twice.
 */
final class RedisLink implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Groups of keys in a cluster, each in one slot: enough to spread over its masters, few enough for full batches. */
    private static final int CLUSTER_LANES = 48;

    private final ClientResources resources;
    private final AutoCloseable client;
    private final StatefulConnection<byte[], byte[]> connection;
    private final List<RedisClusterCommands<byte[], byte[]>> masters;
    private final RedisClusterAsyncCommands<byte[], byte[]> async;
    private final boolean cluster;

    private RedisLink(
            ClientResources resources,
            AutoCloseable client,
            StatefulConnection<byte[], byte[]> connection,
            List<RedisClusterCommands<byte[], byte[]>> masters,
            RedisClusterAsyncCommands<byte[], byte[]> async,
            boolean cluster) {
        this.resources = resources;
        this.client = client;
        this.connection = connection;
        this.masters = masters;
        this.async = async;
        this.cluster = cluster;
    }

    /** @throws RedisProblem when the address is none, or nobody answers there */
    static RedisLink to(String uri) {
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
                    .autoReconnect(false)
                    .protocolVersion(ProtocolVersion.RESP2)
                    .timeoutOptions(TimeoutOptions.enabled(TIMEOUT))
                    .socketOptions(socket())
                    .build());
            StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
            if (field(connection.sync().info("cluster"), "cluster_enabled").equals("1")) {
                connection.close();
                client.shutdown(0, 2, TimeUnit.SECONDS);
                client = null;
                return toCluster(resources, address);
            }
            return new RedisLink(resources, client, connection, List.of(connection.sync()), connection.async(), false);
        } catch (RedisException | IllegalArgumentException e) {
            if (client != null) {
                client.shutdown(0, 2, TimeUnit.SECONDS);
            }
            end(resources);
            throw new RedisProblem(
                    "cannot reach the Redis at \"" + withoutSecret(uri) + "\": " + reason(e)
                            + "; check the address, or give --redis embedded or --redis none",
                    e);
        }
    }

    private static RedisLink toCluster(ClientResources resources, RedisURI address) {
        RedisClusterClient client = RedisClusterClient.create(resources, address);
        try {
            client.setOptions(ClusterClientOptions.builder()
                    .autoReconnect(false)
                    .protocolVersion(ProtocolVersion.RESP2)
                    .timeoutOptions(TimeoutOptions.enabled(TIMEOUT))
                    .socketOptions(socket())
                    .build());
            StatefulRedisClusterConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
            List<RedisClusterCommands<byte[], byte[]>> masters = new ArrayList<>();
            for (RedisClusterNode node : connection.getPartitions()) {
                if (node.is(RedisClusterNode.NodeFlag.UPSTREAM)
                        && !node.getSlots().isEmpty()) {
                    masters.add(connection.getConnection(node.getNodeId()).sync());
                }
            }
            return new RedisLink(resources, client, connection, masters, connection.async(), true);
        } catch (RedisException e) {
            client.shutdown(0, 2, TimeUnit.SECONDS);
            throw e;
        }
    }

    private static SocketOptions socket() {
        return SocketOptions.builder().connectTimeout(Duration.ofSeconds(5)).build();
    }

    private static String withoutSecret(String uri) {
        return uri.replaceAll("//[^@/]*@", "//…@");
    }

    static String reason(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    /** The value of {@code name:value} in INFO's text; empty when absent. */
    private static String field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** {@code redis 7.0.15}, {@code redis 7.0.15, cluster of 3}. */
    String name() {
        String text = masters.get(0).info("server");
        String valkey = field(text, "valkey_version");
        String version = valkey.isEmpty() ? field(text, "redis_version") : valkey + " (valkey)";
        return "redis " + version + (cluster ? ", cluster of " + masters.size() : "");
    }

    /** Another one after a restart or a failover. */
    String identity() {
        return masters.stream()
                .map(master -> field(master.info("server"), "run_id"))
                .sorted()
                .collect(Collectors.joining(" "));
    }

    /** Why this may be a server that others need; empty: nothing speaks for it. */
    List<String> looksLikeProduction(long manyKeys) {
        List<String> reasons = new ArrayList<>();
        for (RedisClusterCommands<byte[], byte[]> master : masters) {
            String replication = master.info("replication");
            String replicas = field(replication, "connected_slaves");
            long keys = master.dbsize();
            if (!field(replication, "role").equals("master")) {
                reasons.add("it is a replica");
            }
            if (!replicas.isEmpty() && !replicas.equals("0")) {
                reasons.add("it has " + replicas + " replicas");
            }
            if (keys > manyKeys) {
                reasons.add(String.format(Locale.ROOT, "it holds %d keys", keys));
            }
        }
        return reasons.stream().distinct().toList();
    }

    /** Loads a script on every master, so that none finds it missing in mid-run. */
    String load(String script) {
        byte[] text = script.getBytes(StandardCharsets.UTF_8);
        String sha = "";
        for (RedisClusterCommands<byte[], byte[]> master : masters) {
            sha = master.scriptLoad(text);
        }
        return sha;
    }

    /** How many groups of keys may go different ways; all keys of a call are of one group. */
    int lanes() {
        return cluster ? CLUSTER_LANES : 1;
    }

    /** The name of a key in its group. */
    byte[] key(String scope, int lane, String key) {
        return (cluster ? scope + "{" + lane + "}" + key : scope + key).getBytes(StandardCharsets.UTF_8);
    }

    RedisFuture<byte[]> call(String sha, byte[][] keys, byte[]... arguments) {
        return async.evalsha(sha, ScriptOutputType.VALUE, keys, arguments);
    }

    /** Commands wait for {@link #flush()}; a cluster's do not, since each of its connections has a queue of its own. */
    void buffered(boolean buffered) {
        if (!cluster) {
            connection.setAutoFlushCommands(!buffered);
        }
    }

    void flush() {
        if (!cluster) {
            connection.flushCommands();
        }
    }

    /** Keys that only a flush can take away while the run lasts: one on each master, as far as groups reach. */
    void mark(List<byte[]> marks, Duration life) {
        for (byte[] mark : marks) {
            RedisException failed = get(async.set(mark, new byte[] {'1'}, SetArgs.Builder.px(life)));
            if (failed != null) {
                throw failed;
            }
        }
    }

    boolean marked(List<byte[]> marks) throws RedisException {
        for (byte[] mark : marks) {
            RedisFuture<Long> there = async.exists(mark);
            RedisException failed = get(there);
            if (failed != null) {
                throw failed;
            }
            if (there.toCompletableFuture().getNow(0L) == 0) {
                return false;
            }
        }
        return true;
    }

    void remove(List<byte[]> keys) {
        for (int from = 0; from < keys.size(); from += 1000) {
            List<byte[]> some = keys.subList(from, Math.min(keys.size(), from + 1000));
            get(async.unlink(some.toArray(new byte[0][]))); // what stays has a TTL
        }
    }

    private static RedisException get(RedisFuture<?> future) {
        try {
            if (!future.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                return new RedisException("no answer within " + TIMEOUT.toSeconds() + " s");
            }
            String error = future.getError();
            return error == null ? null : new RedisException(error);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new RedisException("interrupted", e);
        }
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    long keysHeld() {
        return masters.stream().mapToLong(RedisClusterCommands::dbsize).sum();
    }

    @Override
    public void close() {
        connection.close();
        if (client instanceof RedisClient one) {
            one.shutdown(0, 2, TimeUnit.SECONDS);
        } else if (client instanceof RedisClusterClient all) {
            all.shutdown(0, 2, TimeUnit.SECONDS);
        }
        end(resources);
    }

    private static void end(ClientResources resources) {
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
