package dev.why429.analyzers.replay;

/** One embedded Redis for all tests of this JVM; it ends with the JVM. */
final class TestRedis {
    private static final RedisEngine ENGINE = RedisEngine.open("embedded");

    private TestRedis() {}

    static RedisEngine engine() {
        return ENGINE;
    }
}
