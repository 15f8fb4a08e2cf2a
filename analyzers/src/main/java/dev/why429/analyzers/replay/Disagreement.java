package dev.why429.analyzers.replay;

/** The script on Redis decided otherwise than its twin: a defect of why429, or a Redis that is none. Never hidden. */
public final class Disagreement extends RuntimeException {
    public Disagreement(String limiter, int event, long nowMicros, long cost, Object twin, Object redis) {
        super(
                "the limiter \"" + limiter + "\" and its Java twin disagree at event " + event + " (now_us " + nowMicros
                        + ", cost " + cost + "): twin " + twin + ", Redis " + redis
                        + ". This is a defect of why429, or the server is no true Redis: run again with --redis embedded, and report it");
    }
}
