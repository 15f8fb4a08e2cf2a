/**
 * What correct limiters would have done with the traffic of a case. {@link dev.why429.analyzers.replay.Policy} says which limiter,
 * {@link dev.why429.analyzers.replay.Replay} runs the case's requests through it: the Java twins decide, and a real Redis, reached through
 * {@link dev.why429.analyzers.replay.RedisEngine}, confirms with the scripts of {@code rules/limiters}. The only place that knows Lettuce.
 */
package dev.why429.analyzers.replay;
