package dev.why429.analyzers.join;

import java.util.ArrayList;
import java.util.List;

/**
 * Pairs two sequences of moments in their order: as many pairs as possible, and of those pairings the one whose moments lie nearest. Fed in the
 * order of time, group by group; wherever nothing happens for longer than two moments of a pair may be apart, what lies before is settled.
 */
final class OrderedPairs {
    /** Above this many combinations the nearest partner in order is taken at once: the exact search would cost too much. */
    private static final long MAX_CELLS = 4_000_000;

    private final long tolerance;
    private final List<Long> outerTimes = new ArrayList<>();
    private final List<Long> outerKeys = new ArrayList<>();
    private final List<Long> innerTimes = new ArrayList<>();
    private final List<Long> innerKeys = new ArrayList<>();
    private String group = "";
    private long last = Long.MIN_VALUE;

    OrderedPairs(long tolerance) {
        this.tolerance = tolerance;
    }

    /** @param found takes the keys of the pairs: outer, inner, outer, inner, … */
    void add(String newGroup, boolean outer, long time, long key, List<Long> found) {
        // the offset shifts one side, so that order by time holds only within twice the tolerance
        if (!newGroup.equals(group) || (last != Long.MIN_VALUE && time - last > 2 * tolerance)) {
            finish(found);
            group = newGroup;
        }
        last = Math.max(last, time);
        (outer ? outerTimes : innerTimes).add(time);
        (outer ? outerKeys : innerKeys).add(key);
    }

    void finish(List<Long> found) {
        int n = outerTimes.size();
        int m = innerTimes.size();
        if (n > 0 && m > 0) {
            if ((long) n * m <= MAX_CELLS) {
                exact(n, m, found);
            } else {
                nearest(n, m, found);
            }
        }
        outerTimes.clear();
        outerKeys.clear();
        innerTimes.clear();
        innerKeys.clear();
        last = Long.MIN_VALUE;
    }

    /** Alignment by dynamic programming: most pairs first, then the least distance in milliseconds. */
    private void exact(int n, int m, List<Long> found) {
        long[][] worth = new long[n + 1][m + 1];
        long pairWorth = (tolerance / 1000 + 1) * (Math.min(n, m) + 1L);
        for (int i = n - 1; i >= 0; i--) {
            for (int j = m - 1; j >= 0; j--) {
                long best = Math.max(worth[i + 1][j], worth[i][j + 1]);
                long apart = Math.abs(outerTimes.get(i) - innerTimes.get(j));
                if (apart <= tolerance) {
                    best = Math.max(best, worth[i + 1][j + 1] + pairWorth - apart / 1000);
                }
                worth[i][j] = best;
            }
        }
        int i = 0;
        int j = 0;
        while (i < n && j < m) {
            long apart = Math.abs(outerTimes.get(i) - innerTimes.get(j));
            if (apart <= tolerance && worth[i][j] == worth[i + 1][j + 1] + pairWorth - apart / 1000) {
                found.add(outerKeys.get(i++));
                found.add(innerKeys.get(j++));
            } else if (worth[i][j] == worth[i + 1][j]) {
                i++;
            } else {
                j++;
            }
        }
    }

    private void nearest(int n, int m, List<Long> found) {
        int i = 0;
        for (int j = 0; j < m; j++) {
            while (i < n && outerTimes.get(i) < innerTimes.get(j) - tolerance) {
                i++;
            }
            if (i < n && outerTimes.get(i) <= innerTimes.get(j) + tolerance) {
                found.add(outerKeys.get(i++));
                found.add(innerKeys.get(j));
            }
        }
    }
}
