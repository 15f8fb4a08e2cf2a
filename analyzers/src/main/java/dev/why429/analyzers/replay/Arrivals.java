package dev.why429.analyzers.replay;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** When requests came, what became of them, and which are attempts at the same thing: columns that all policies share. */
final class Arrivals {
    /** A repetition after a denial counts as a retry of it within this time; longer than clients' usual backoff of a minute at most. */
    static final long RETRY_MICROS = 60_000_000;

    final int size;
    /** the likeliest arrival, microseconds, never less than that of the request before */
    final long[] likely;
    /** the earliest and the latest arrival that the stamps allow */
    final long[] earliest;

    final long[] latest;
    /** requests in the order in which all come as early as they can */
    final int[] byEarliest;

    final boolean[] denied;
    /** number of the chain of attempts, of which each but the last was denied */
    final int[] chain;

    /** microseconds since the denial that this attempt repeats; -1: it is a first attempt */
    final long[] sinceDenial;

    final int chains;
    /** how long it took, microseconds; 0 unknown */
    final long[] duration;

    final int[] file;
    final long[] line;

    private Arrivals(Builder b) {
        size = b.size;
        likely = Arrays.copyOf(b.likely, size);
        earliest = Arrays.copyOf(b.earliest, size);
        latest = Arrays.copyOf(b.latest, size);
        denied = Arrays.copyOf(b.denied, size);
        chain = Arrays.copyOf(b.chain, size);
        sinceDenial = Arrays.copyOf(b.sinceDenial, size);
        chains = b.chains;
        duration = Arrays.copyOf(b.duration, size);
        file = Arrays.copyOf(b.file, size);
        line = Arrays.copyOf(b.line, size);
        byEarliest = new int[size];
        for (int i = 0; i < size; i++) {
            byEarliest[b.rank[i]] = i;
        }
    }

    /** Whether it is an attempt at something that was denied within the last minute. */
    boolean retry(int request) {
        return sinceDenial[request] >= 0;
    }

    /** Whether every stamp says exactly when. */
    boolean exact() {
        return Arrays.equals(earliest, latest);
    }

    /** {@code F2:48211}; empty for requests that stand in no log. */
    String evidence(int request) {
        return file[request] == 0 ? "" : "F" + file[request] + ":" + line[request];
    }

    /** Takes requests in the order of their likeliest arrival. */
    static final class Builder {
        private record Attempt(long micros, int chain) {}

        private long[] likely = new long[1024];
        private long[] earliest = new long[1024];
        private long[] latest = new long[1024];
        private int[] rank = new int[1024];
        private boolean[] denied = new boolean[1024];
        private int[] chain = new int[1024];
        private long[] sinceDenial = new long[1024];
        private long[] duration = new long[1024];
        private int[] file = new int[1024];
        private long[] line = new long[1024];
        private int size;
        private int chains;
        private final Map<String, Attempt> deniedLast = new HashMap<>();

        int size() {
            return size;
        }

        /**
         * @param latestArrival the latest arrival that the stamp allows
         * @param rankByEarliest place of the request, from 0, when all are ordered by their earliest arrival
         * @param what who asked for what: requests with the same text can be attempts at the same thing; empty: unknown
         * @throws IllegalArgumentException when an arrival lies before the last one's, or before 1970
         */
        void add(
                long arrival,
                long earliestArrival,
                long latestArrival,
                int rankByEarliest,
                boolean wasDenied,
                String what) {
            if (earliestArrival < 0 || (size > 0 && arrival < likely[size - 1])) {
                throw new IllegalArgumentException("arrival \"" + arrival + "\" is out of order or before 1970");
            }
            if (size == likely.length) {
                grow();
            }
            likely[size] = arrival;
            earliest[size] = earliestArrival;
            latest[size] = Math.max(latestArrival, arrival);
            rank[size] = rankByEarliest;
            denied[size] = wasDenied;
            chain[size] = chainOf(arrival, wasDenied, what);
            size++;
        }

        private int chainOf(long arrival, boolean wasDenied, String what) {
            Attempt before = what.isEmpty() ? null : deniedLast.remove(what);
            boolean again = before != null && arrival - before.micros() <= RETRY_MICROS;
            sinceDenial[size] = again ? arrival - before.micros() : -1;
            int number = again ? before.chain() : chains++;
            if (wasDenied && !what.isEmpty()) {
                deniedLast.put(what, new Attempt(arrival, number));
            }
            return number;
        }

        /** Where the last request stands in the logs, and how long it took. */
        void describe(int inFile, long atLine, long durationMicros) {
            file[size - 1] = inFile;
            line[size - 1] = atLine;
            duration[size - 1] = durationMicros;
        }

        private void grow() {
            int more = size * 2;
            likely = Arrays.copyOf(likely, more);
            earliest = Arrays.copyOf(earliest, more);
            latest = Arrays.copyOf(latest, more);
            rank = Arrays.copyOf(rank, more);
            denied = Arrays.copyOf(denied, more);
            chain = Arrays.copyOf(chain, more);
            sinceDenial = Arrays.copyOf(sinceDenial, more);
            duration = Arrays.copyOf(duration, more);
            file = Arrays.copyOf(file, more);
            line = Arrays.copyOf(line, more);
        }

        Arrivals build() {
            return new Arrivals(this);
        }
    }
}
