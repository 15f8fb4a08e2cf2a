package dev.why429.analyzers.reconstruct;

import java.util.Arrays;

/**
 * What decisions cost when denials come by habit, without a limiter: each is foretold from the one before it under the same key and the one before it
 * in the log. Stretches of denials, as of a backend that was down for a while, are cheap so. An adaptive code (Krichevsky and Trofimov's estimator).
 */
final class Habits {
    private static final int STATES = 3;

    private Habits() {}

    static double bits(DecisionLog log, Grouping key) {
        double[][] seen = new double[STATES * STATES][2];
        int[] ofKey = new int[key.groups()];
        Arrays.fill(ofKey, 2);
        int last = 2;
        double nats = 0;
        for (int i = 0; i < log.size(); i++) {
            int g = key.group()[i];
            int now = log.denied()[i] ? 1 : 0;
            double[] counts = seen[(g < 0 ? 2 : ofKey[g]) * STATES + last];
            nats -= Math.log((counts[now] + 0.5) / (counts[0] + counts[1] + 1));
            counts[now]++;
            last = now;
            if (g >= 0) {
                ofKey[g] = now;
            }
        }
        return nats / Math.log(2);
    }
}
