package dev.why429.analyzers.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How much reaches the protected side each second of the clock. Takes arrivals in order.
 */
final class Rates {
    private static final long SECOND = 1_000_000;

    private final List<Integer> counts = new ArrayList<>();
    private long firstSecond = -1;
    private long lastSecond = -1;
    private long second = -1;
    private int count;

    /** @param passes whether it reaches the protected side; a request that does not still tells how long the traffic lasted */
    void at(long micros, boolean passes) {
        long now = micros / SECOND;
        if (firstSecond < 0) {
            firstSecond = now;
        }
        lastSecond = now;
        if (passes) {
            if (now != second) {
                close();
                second = now;
            }
            count++;
        }
    }

    private void close() {
        if (count > 0) {
            counts.add(count);
        }
        count = 0;
    }

    int peak() {
        close();
        return counts.isEmpty() ? 0 : Collections.max(counts);
    }

    /** The least number that 99 of 100 seconds do not exceed, quiet ones included. */
    int percentile99() {
        close();
        if (firstSecond < 0) {
            return 0;
        }
        long seconds = lastSecond - firstSecond + 1;
        long quiet = seconds - counts.size();
        long place = (99 * seconds + 99) / 100; // from 1
        if (place <= quiet) {
            return 0;
        }
        List<Integer> sorted = new ArrayList<>(counts);
        Collections.sort(sorted);
        return sorted.get((int) (place - quiet) - 1);
    }
}
