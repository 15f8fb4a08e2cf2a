package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PrivateRedisTest {
    /** Starts a server, tells where, and waits to be killed. */
    public static final class Victim {
        private Victim() {}

        public static void main(String[] args) throws Exception {
            PrivateRedis redis = PrivateRedis.start();
            System.out.println(
                    redis.folder() + " " + redis.serverHandle().orElseThrow().pid());
            Thread.sleep(60_000);
        }
    }

    @Test
    void closingEndsTheServerAndRemovesItsFolder() {
        PrivateRedis redis = PrivateRedis.start();
        ProcessHandle server = redis.serverHandle().orElseThrow();
        assertThat(server.isAlive()).isTrue();
        assertThat(redis.folder()).isDirectory();
        redis.close();
        assertThat(server.isAlive()).isFalse();
        assertThat(redis.folder()).doesNotExist();
    }

    @Test
    void aKilledRunLeavesNothingBehind() throws Exception {
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(run.getInputStream(), StandardCharsets.UTF_8))) {
            String[] told = out.readLine().split(" ", -1);
            ProcessHandle server = ProcessHandle.of(Long.parseLong(told[1])).orElseThrow();
            run.destroyForcibly().waitFor();
            server.onExit().get(20, TimeUnit.SECONDS);
            Path folder = Path.of(told[0]);
            for (int i = 0; i < 500 && Files.exists(folder); i++) {
                Thread.sleep(10);
            }
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void whatIsNoRedisIsSaid() {
        assertThatThrownBy(() -> RedisEngine.open("sqlite"))
                .isInstanceOf(RedisProblem.class)
                .hasMessageContaining("\"sqlite\"")
                .hasMessageContaining("embedded, none, or an address");
        assertThatThrownBy(() -> RedisEngine.open("redis://:secret@127.0.0.1:1"))
                .isInstanceOf(RedisProblem.class)
                .hasMessageContaining("cannot reach")
                .hasMessageNotContaining("secret");
    }

    @Test
    void anotherRedisIsLeftAsItWasFound() {
        try (PrivateRedis foreign = PrivateRedis.start();
                RedisEngine engine = RedisEngine.open(foreign.uri());
                RedisEngine watching = RedisEngine.open(foreign.uri())) {
            assertThat(engine.name()).startsWith("redis 7");
            EventStream events = new EventStream();
            for (int i = 0; i < 2500; i++) {
                events.add("k" + i, i, 1, 10, 1_000_000);
            }
            engine.decide(ReferenceLimiters.rule("fixed-window").script(), events, (request, decision) -> {});
            assertThat(watching.keysOnServer()).isZero();
        }
    }

    @Test
    void aRedisThatDiesLeavesTheTwinsResultWithAReason() {
        try (PrivateRedis dying = PrivateRedis.start();
                RedisEngine engine = RedisEngine.open(dying.uri())) {
            dying.serverHandle().orElseThrow().destroyForcibly();
            RequestStream stream = new RequestStream.Builder()
                    .add(0, "k", 1, false)
                    .add(1, "k", 1, true)
                    .build();
            Replay.Result result = Replay.replay(stream, Policy.parse("fixed-window:limit=1,window=1s"), engine);
            assertThat(result.summary().denied()).isEqualTo(1);
            assertThat(result.summary().engine()).startsWith("java twin (not confirmed: ");
        }
    }
}
