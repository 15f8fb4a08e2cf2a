package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody flushes scripts or keys while a replay runs: it begins again, and the result is the same. */
class DisturbedRedisTest {
    private interface Disturbance {
        void to(RedisClient client);
    }

    @ParameterizedTest
    @ValueSource(strings = {"script", "keys", "connection"})
    void theReplayBeginsAgainWithTheSameResult(String what) {
        Disturbance disturbance = client -> {
            try (var connection = client.connect()) {
                switch (what) {
                    case "script" -> connection.sync().scriptFlush();
                    case "keys" -> connection.sync().flushall();
                    default ->
                        connection
                                .sync()
                                .clientKill(io.lettuce.core.KillArgs.Builder.typeNormal()
                                        .skipme());
                }
            }
        };
        EventStream events = RandomTraffic.of("token-bucket", 4000, new Random(11));
        try (PrivateRedis server = PrivateRedis.start();
                RedisEngine engine = RedisEngine.open(server.uri())) {
            RedisClient other = RedisClient.create(server.uri());
            Decision[] decisions = new Decision[events.size()];
            int[] begun = {0};
            engine.decide(ReferenceLimiters.rule("token-bucket").script(), events, new RedisEngine.Decisions() {
                @Override
                public void decided(int request, Decision decision) {
                    if (request == 1500 && begun[0] == 0) {
                        disturbance.to(other);
                    }
                    decisions[request] = decision;
                }

                @Override
                public void beginAgain() {
                    begun[0]++;
                }
            });
            other.shutdown();
            assertThat(begun[0]).isEqualTo(1);
            assertThat(List.of(decisions)).isEqualTo(events.byTwin("token-bucket"));
        }
    }

    @Test
    void aServerThatOthersNeedIsRefusedUnlessInsistedUpon() {
        try (PrivateRedis server = PrivateRedis.start()) {
            RedisClient other = RedisClient.create(server.uri());
            try (var connection = other.connect()) {
                connection
                        .sync()
                        .eval(
                                "for i = 1, 10001 do redis.call('SET', 'k' .. i, 1) end return 1",
                                io.lettuce.core.ScriptOutputType.INTEGER);
            }
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> RedisEngine.open(server.uri())))
                    .isInstanceOf(RedisProblem.class)
                    .hasMessageContaining("it holds 10001 keys")
                    .hasMessageContaining("--redis-force");
            try (RedisEngine engine = RedisEngine.open(server.uri(), true)) {
                assertThat(engine.hasRedis()).isTrue();
            }
            other.shutdown();
        }
    }
}
