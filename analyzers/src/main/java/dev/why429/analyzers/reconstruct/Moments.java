package dev.why429.analyzers.reconstruct;

import dev.why429.analyzers.store.Columns;
import java.util.Arrays;

/** When each row of a limiter's logs can have arrived, narrowed down by the order of the lines and by what other layers know; micros. */
final class Moments {
    /** Stamps of another log are believed about a request when they lie so close to its own. */
    private static final long AGREE_MICROS = 50_000;

    private static final long COARSE_MICROS = 100_000;
    /** A request whose duration was not logged is taken to have been answered within this. */
    private static final long UNKNOWN_DURATION_MICROS = 50_000;
    /** What a proxy itself takes beside the duration it logs. */
    private static final long OWN_MICROS = 5_000;

    private final int n;
    private final long[] stamp;
    private final long[] resolution;
    private final long[] duration;
    private final boolean[] endStamp;
    private final long[] early;
    private final long[] late;
    /** Where each stands among the others: the middle of its range, for coarse stamps moved by the order of the lines. */
    private final long[] place;

    /** @param file number of each row's log; rows stand file after file, each in the order of its stamps */
    Moments(Columns rows, int[] file) {
        this.n = rows.rows();
        this.stamp = rows.longs("stamp");
        this.resolution = rows.longs("resolution");
        this.duration = rows.longs("duration");
        this.endStamp = new boolean[n];
        this.early = new long[n];
        this.late = new long[n];
        this.place = new long[n];
        long[] start = rows.longs("start_stamp");
        for (int i = 0; i < n; i++) {
            endStamp[i] = start[i] == 0;
        }
        tightest(rows);
        int from = 0;
        while (from < n) {
            int to = from;
            while (to < n && file[to] == file[from]) {
                to++;
            }
            ofFile(from, to);
            from = to;
        }
        if (n > 0 && file[0] != file[n - 1]) {
            byOuterLog(rows);
        }
    }

    /** Coarse lines of several logs within one second: which came first is told by the order in which the outer log has them. */
    private void byOuterLog(Columns rows) {
        long[] outerFile = rows.longs("outer_file");
        long[] outerLine = rows.longs("outer_line");
        boolean[] wanted = new boolean[n];
        for (int i = 0; i < n; i++) {
            wanted[i] = coarse(i) && outerLine[i] >= 0 && outerFile[i] == outerFile[0];
        }
        int[] order = order(wanted);
        int from = 0;
        while (from < order.length) {
            int to = from + 1;
            while (to < order.length && stamp[order[to]] == stamp[order[from]]) {
                to++;
            }
            long[] lines = new long[to - from];
            long[] places = new long[to - from];
            for (int k = from; k < to; k++) {
                // the line's number carries the row along
                lines[k - from] = (outerLine[order[k]] << 24) | (k - from);
                places[k - from] = place[order[k]];
            }
            Arrays.sort(lines);
            for (int k = 0; k < lines.length; k++) {
                place[order[from + (int) (lines[k] & 0xFFFFFF)]] = places[k];
            }
            from = to;
        }
    }

    long stamp(int row) {
        return stamp[row];
    }

    long early(int row) {
        return early[row];
    }

    long late(int row) {
        return late[row];
    }

    /** The tightest moment of arrival: the own stamp, or where that is coarse what the other layers know, if the two agree. */
    private void tightest(Columns rows) {
        long[] own = rows.longs("own_arrival");
        long[] uncertainty = rows.longs("own_uncertainty");
        long[] elsewhere = rows.longs("arrival");
        long[] elsewhereUncertainty = rows.longs("uncertainty");
        long[] guessed = rows.longs("guessed");
        for (int i = 0; i < n; i++) {
            early[i] = uncertainty[i] < 0 ? own[i] - UNKNOWN_DURATION_MICROS : own[i];
            late[i] = uncertainty[i] < 0 ? own[i] + resolution[i] : own[i] + uncertainty[i];
            // requests that were paired by their content may be exchanged for their like a moment apart
            boolean finer = guessed[i] == 0
                    && elsewhereUncertainty[i] >= 0
                    && elsewhereUncertainty[i] < COARSE_MICROS
                    && coarse(i);
            // a request of unknown duration may have arrived long before its stamp
            long reach = uncertainty[i] < 0 ? 30_000_000 : AGREE_MICROS;
            if (finer && elsewhere[i] >= early[i] - reach && elsewhere[i] <= late[i] + AGREE_MICROS) {
                early[i] = elsewhere[i];
                late[i] = elsewhere[i] + elsewhereUncertainty[i];
            }
        }
    }

    private boolean coarse(int i) {
        return late[i] - early[i] >= COARSE_MICROS;
    }

    /**
     * Lines are written when a request ends, whatever the stamp means, and so stand in the order of the ends: coarse ones lie between their exact
     * neighbours.
     */
    private void ofFile(int from, int to) {
        int size = to - from;
        long[] low = new long[size];
        long[] high = new long[size];
        for (int k = 0; k < size; k++) {
            int i = from + k;
            boolean exact = !coarse(i) && duration[i] >= 0;
            long first = stamp[i] + (endStamp[i] ? 0 : Math.max(0, duration[i]));
            // an exact arrival says when the line was written, give or take what the proxy itself takes
            low[k] = exact ? Math.max(first, early[i] + duration[i]) : first;
            high[k] =
                    exact ? Math.min(first + resolution[i], late[i] + duration[i] + OWN_MICROS) : first + resolution[i];
            if (low[k] > high[k]) {
                low[k] = first;
                high[k] = first + resolution[i];
            }
        }
        for (int k = 1; k < size; k++) {
            low[k] = Math.max(low[k], Math.min(low[k - 1], high[k]));
        }
        for (int k = size - 2; k >= 0; k--) {
            high[k] = Math.min(high[k], Math.max(high[k + 1], low[k]));
        }
        place(from, low, high);
        for (int k = 0; k < size; k++) {
            narrow(from + k, low[k], high[k]);
        }
    }

    private void narrow(int i, long low, long high) {
        if (!coarse(i)) {
            return;
        }
        long took = Math.max(0, duration[i]);
        long newEarly = Math.max(early[i], low - took - (duration[i] >= 0 ? 0 : UNKNOWN_DURATION_MICROS));
        long newLate = Math.min(late[i], high - took);
        if (newEarly <= newLate) {
            early[i] = newEarly;
            late[i] = newLate;
        }
    }

    /** Spreads lines of one range over it, in their order, and takes off how long each request took. */
    private void place(int begin, long[] low, long[] high) {
        int from = 0;
        while (from < low.length) {
            int to = from + 1;
            while (to < low.length && low[to] == low[from] && high[to] == high[from]) {
                to++;
            }
            for (int k = from; k < to; k++) {
                int i = begin + k;
                long within = (high[k] - low[k]) * (k - from + 1) / (to - from + 1);
                place[i] = coarse(i) ? low[k] + within - Math.max(0, duration[i]) : (early[i] + late[i]) / 2;
            }
            from = to;
        }
    }

    /** The wanted rows by their places; those of one place as they stand. */
    int[] order(boolean[] wanted) {
        int size = 0;
        for (boolean w : wanted) {
            size += w ? 1 : 0;
        }
        int[] order = new int[size];
        int k = 0;
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i]) {
                order[k++] = i;
            }
        }
        int[] spare = new int[size];
        for (int width = 1; width < size; width *= 2) {
            for (int from = 0; from < size; from += 2 * width) {
                merge(order, spare, from, Math.min(size, from + width), Math.min(size, from + 2 * width));
            }
            int[] swap = order;
            order = spare;
            spare = swap;
        }
        return order;
    }

    private void merge(int[] from, int[] into, int begin, int middle, int end) {
        int left = begin;
        int right = middle;
        for (int k = begin; k < end; k++) {
            boolean takeLeft = left < middle && (right >= end || place[from[left]] <= place[from[right]]);
            into[k] = takeLeft ? from[left++] : from[right++];
        }
    }
}
