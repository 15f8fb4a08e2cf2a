package dev.why429.analyzers.replay;

/** What every twin has besides its arithmetic: it can be led by observed decisions, and copied. */
abstract class Twin implements Limiter, Cloneable {
    abstract Decision step(long nowMicros, long cost, Taking taking);

    @Override
    public final Decision decide(long nowMicros, long cost) {
        return step(nowMicros, cost, Taking.AS_DECIDED);
    }

    @Override
    public final Decision look(long nowMicros, long cost) {
        return step(nowMicros, cost, Taking.LOOK);
    }

    @Override
    public final Decision follow(long nowMicros, long cost, boolean allowed) {
        return step(nowMicros, cost, allowed ? Taking.ALWAYS : Taking.NEVER);
    }

    /** A twin whose state holds arrays copies these too. */
    @Override
    public Twin copy() {
        try {
            return (Twin) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every twin can be cloned", e);
        }
    }
}
