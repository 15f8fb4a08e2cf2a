class RateLimiter {
    boolean allow(String user) {
        String key = "rl:" + user;
        Long count = redis.opsForValue().increment(key);
        if (count == 1) {
            redis.expire(key, Duration.ofMinutes(1));
        }
        return count <= 100;
    }
}
