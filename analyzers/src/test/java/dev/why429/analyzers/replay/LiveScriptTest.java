package dev.why429.analyzers.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts as production calls them: the clock is Redis's, callers are several, keys expire. */
class LiveScriptTest {
    private static PrivateRedis server;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> redis;

    @BeforeAll
    static void start() {
        server = PrivateRedis.start();
        client = RedisClient.create(server.uri());
        redis = client.connect();
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        server.close();
    }

    static List<String> limiters() {
        return ReferenceLimiters.ids();
    }

    private static List<Object> call(String script, String key, String... arguments) {
        return redis.sync().eval(script, ScriptOutputType.MULTI, new String[] {key}, arguments);
    }

    private static String[] arguments(String limiter, String mode, String now, String cost) {
        List<String> arguments = new ArrayList<>(List.of(mode, now, cost));
        DecisionTable.of(limiter).rows().get(0).parameters().forEach(p -> arguments.add(p.toString()));
        return arguments.toArray(new String[0]);
    }

    @Test
    void ofThreeCallersAtOnceWithOneTokenLeftOnePasses() throws Exception {
        String script = ReferenceLimiters.rule("token-bucket").script();
        for (int round = 0; round < 20; round++) {
            String key = "race" + round;
            assertThat(allowed(atOnce(
                            3,
                            connection -> connection
                                    .async()
                                    .eval(
                                            script,
                                            ScriptOutputType.MULTI,
                                            new String[] {key},
                                            "live",
                                            "",
                                            "1",
                                            "1",
                                            "1",
                                            "3600000000"))))
                    .isEqualTo(1);
        }
    }

    @Test
    void readingThenWritingLetsAllThreePass() throws Exception {
        redis.sync().set("tokens", "1");
        CyclicBarrier allHaveRead = new CyclicBarrier(3);
        List<Boolean> passed = together(3, connection -> {
            long tokens = Long.parseLong(connection.sync().get("tokens"));
            allHaveRead.await();
            if (tokens < 1) {
                return false;
            }
            connection.sync().set("tokens", Long.toString(tokens - 1), new SetArgs());
            return true;
        });
        assertThat(passed).containsExactly(true, true, true);
    }

    private interface Send {
        RedisFuture<List<Object>> to(StatefulRedisConnection<String, String> connection);
    }

    private interface Work<T> {
        T with(StatefulRedisConnection<String, String> connection) throws Exception;
    }

    private static List<List<Object>> atOnce(int callers, Send send) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(callers);
        return together(callers, connection -> {
            barrier.await();
            return send.to(connection).get();
        });
    }

    private static <T> List<T> together(int callers, Work<T> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                Callable<T> task = () -> {
                    try (StatefulRedisConnection<String, String> connection = client.connect()) {
                        return work.with(connection);
                    }
                };
                futures.add(threads.submit(task));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdown();
        }
    }

    private static long allowed(List<List<Object>> replies) {
        return replies.stream().filter(reply -> reply.get(0).equals(1L)).count();
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void theClockIsRedissAndTheKeyLivesUntilItsStateSaysNothing(String limiter) {
        String key = "live:" + limiter;
        List<Object> reply = call(ReferenceLimiters.rule(limiter).script(), key, arguments(limiter, "live", "", "1"));
        long resetMicros = (Long) reply.get(3);
        long ttlMillis = redis.sync().pttl(key);
        assertThat(reply.get(0)).isEqualTo(1L);
        assertThat(resetMicros).isPositive();
        // some time may pass between the two calls; the slack is 2 s
        assertThat(ttlMillis).isBetween(resetMicros / 1000 - 5000, resetMicros / 1000 + 2001);
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void calledOnceARequestTheScriptDecidesAsTheTableSays(String limiter) {
        String sha = redis.sync().scriptLoad(ReferenceLimiters.rule(limiter).script());
        DecisionTable table = DecisionTable.of(limiter);
        EventStream events = table.events();
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            List<String> arguments = new ArrayList<>(
                    List.of("replay", Long.toString(events.nowMicros(i)), Long.toString(events.cost(i))));
            for (long parameter : events.parameters(i)) {
                arguments.add(Long.toString(parameter));
            }
            String key = limiter + events.key(i);
            decisions.add(decision(() -> redis.sync()
                    .evalsha(sha, ScriptOutputType.MULTI, new String[] {key}, arguments.toArray(new String[0]))));
        }
        assertThat(table.differences(decisions)).isEmpty();
    }

    private static Decision decision(java.util.function.Supplier<List<Object>> call) {
        try {
            List<Object> reply = call.get();
            return new Decision(
                    reply.get(0).equals(1L) ? Decision.Outcome.ALLOWED : Decision.Outcome.DENIED,
                    (Long) reply.get(1),
                    (Long) reply.get(2),
                    (Long) reply.get(3),
                    (Long) reply.get(4));
        } catch (RedisCommandExecutionException e) {
            assertThat(e).hasMessageStartingWith("COST_EXCEEDS_CAPACITY ");
            return Decision.costExceedsCapacity();
        }
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void lookingLeavesNothingBehind(String limiter) {
        String key = "look:" + limiter;
        List<Object> reply = call(ReferenceLimiters.rule(limiter).script(), key, arguments(limiter, "live", "", "0"));
        assertThat(reply.get(0)).isEqualTo(1L);
        assertThat(redis.sync().exists(key)).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "-", textBlock = """
                    BAD_MODE       ; now    ; 1   ; 1   ; 10
                    BAD_NOW        ; live   ; 1   ; 1   ; 10
                    BAD_NOW        ; replay ; ''  ; 1   ; 10
                    BAD_NOW        ; replay ; 1.5 ; 1   ; 10
                    BAD_NOW        ; replay ; -1  ; 1   ; 10
                    BAD_NOW        ; replay ; 99999999999999999999 ; 1 ; 10
                    BAD_COST       ; replay ; 1   ; 1.5 ; 10
                    BAD_COST       ; replay ; 1   ; "1" ; 10
                    BAD_COST       ; replay ; 1   ; inf ; 10
                    BAD_PARAMETERS ; replay ; 1   ; 1   ; 0
                    BAD_PARAMETERS ; replay ; 1   ; 1   ; 1e3
                    COST_EXCEEDS_CAPACITY ; replay ; 1 ; 11 ; 10
                    """)
    void whatIsNoNumberIsRefusedWithItsCode(String code, String mode, String now, String cost, String limit) {
        for (String limiter : List.of("fixed-window", "fixed-window-first", "sliding-log", "sliding-counter")) {
            String script = ReferenceLimiters.rule(limiter).script();
            assertThatThrownBy(() -> call(script, "bad", mode, now, cost, limit, "1000000"))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageStartingWith(code + " ");
        }
        for (String limiter : List.of("token-bucket", "gcra")) {
            String script = ReferenceLimiters.rule(limiter).script();
            assertThatThrownBy(() -> call(script, "bad", mode, now, cost, limit, "1", "1000000"))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageStartingWith(code + " ");
        }
    }

    @ParameterizedTest
    @MethodSource("limiters")
    void aMissingOrExtraArgumentIsRefused(String limiter) {
        String script = ReferenceLimiters.rule(limiter).script();
        assertThatThrownBy(() -> call(script, "bad", "replay", "1", "1", "1")).hasMessageStartingWith("BAD_PARAMETERS");
        assertThatThrownBy(() -> call(script, "bad", "replay", "1", "1", "1", "1", "1", "1", "1"))
                .hasMessageStartingWith("BAD_PARAMETERS");
    }

    @Test
    void aTimeToLiveThatIsTooShortIsNoticed() {
        // EXPIRE 60 whatever capacity and rate: 600 at 1/s is full again after a minute of silence
        String fixed = MutantTest.mutant(
                "token-bucket", List.of("expire(up(full - level, tokens))", "redis.call('EXPIRE', KEYS[1], 60)"));
        call(fixed, "ttl", "live", "", "600", "600", "1", "1000000");
        assertThat(redis.sync().pttl("ttl")).isLessThanOrEqualTo(60_000);
        assertThat(ttlCoversReset("token-bucket", fixed)).isFalse();
        assertThat(ttlCoversReset(
                        "token-bucket", ReferenceLimiters.rule("token-bucket").script()))
                .isTrue();
    }

    @Test
    void aTimeToLiveOfZeroIsNoticed() {
        // seconds rounded down: a capacity below half the rate gives 0, so nothing is stored and nothing limited
        String rounded = MutantTest.mutant(
                "token-bucket",
                List.of("math.floor((reset + 999) / 1000) + 2000", "math.floor(reset / 1000000) * 1000"));
        assertThat(ttlCoversReset("token-bucket", rounded)).isFalse();
    }

    @Test
    void noTimeToLiveAtAllIsNoticed() {
        String immortal = MutantTest.mutant("fixed-window", List.of("redis.call('PEXPIRE', KEYS[1], digits(ttl))", ""));
        assertThat(ttlCoversReset("fixed-window", immortal)).isFalse();
    }

    /** Whether keys of several limits live as long as their state means something, and no longer than that and a little. */
    private static boolean ttlCoversReset(String limiter, String script) {
        String[][] parameters = limiter.equals("token-bucket")
                ? new String[][] {{"600", "1", "1000000"}, {"1", "10", "1000000"}, {"1000", "1000", "3600000000"}}
                : new String[][] {{"10", "60000000"}, {"10", "1000"}};
        boolean covers = true;
        for (String[] p : parameters) {
            String key = "cover:" + script.hashCode() + String.join(":", p);
            List<String> arguments = new ArrayList<>(List.of("live", "", p[0]));
            arguments.addAll(List.of(p));
            long resetMillis =
                    (Long) call(script, key, arguments.toArray(new String[0])).get(3) / 1000;
            long ttl = redis.sync().pttl(key);
            covers &= ttl > 0 && ttl >= resetMillis && ttl <= resetMillis + 2001;
        }
        return covers;
    }
}
