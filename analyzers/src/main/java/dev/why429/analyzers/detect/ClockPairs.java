package dev.why429.analyzers.detect;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Requests that two nodes logged: each bounds the offset of the inner node's clock against the outer's. What the inner node did lies within what
 * the outer did, so {@code endInner − endOuter ≤ offset ≤ startInner − startOuter}; the resolution of the stamps widens both.
 */
final class ClockPairs {
    private final String outer;
    private final String inner;
    private final long[] outerMicros;
    private final long[] innerMicros;
    private final double[] lowSeconds;
    private final double[] highSeconds;
    private final double[] middleSeconds;
    private final double coarseSeconds;
    private final List<String> evidence;

    ClockPairs(
            String outer,
            String inner,
            long[] outerMicros,
            long[] innerMicros,
            double[] lowSeconds,
            double[] highSeconds,
            double[] middleSeconds,
            double coarseSeconds,
            List<String> evidence) {
        this.outer = outer;
        this.inner = inner;
        this.outerMicros = outerMicros;
        this.innerMicros = innerMicros;
        this.lowSeconds = lowSeconds;
        this.highSeconds = highSeconds;
        this.middleSeconds = middleSeconds;
        this.coarseSeconds = coarseSeconds;
        this.evidence = evidence;
    }

    String outer() {
        return outer;
    }

    String inner() {
        return inner;
    }

    /** When, by the outer clock. */
    long[] outerMicros() {
        return outerMicros;
    }

    /** When, by the inner clock. */
    long[] innerMicros() {
        return innerMicros;
    }

    /** Lower bounds of the offset, inner minus outer. */
    double[] lowSeconds() {
        return lowSeconds;
    }

    /** Upper bounds. */
    double[] highSeconds() {
        return highSeconds;
    }

    /** Best guesses of the single requests. */
    double[] middleSeconds() {
        return middleSeconds;
    }

    /** The coarser resolution of the two stamps. */
    double coarseSeconds() {
        return coarseSeconds;
    }

    /** A few line ids. */
    List<String> evidence() {
        return evidence;
    }

    /**
     * Lines that share a request id which occurs once in each of two files. Ids that a layer made up for itself, or that clients repeat, do not
     * pair lines that are not the same request.
     */
    static final String SHARED_IDS = """
            CREATE TEMP TABLE clock_pairs AS
            WITH ids AS (SELECT r.file, r.request_id, any_value(r.line) AS line, count(*) AS times FROM requests r
                          WHERE r.request_id IS NOT NULL AND r.request_id <> '' GROUP BY r.file, r.request_id HAVING count(*) = 1),
                  ranked AS (SELECT *, CASE layer WHEN 'cdn' THEN 0 WHEN 'gateway' THEN 1 WHEN 'app' THEN 2 ELSE 3 END AS rank FROM inputs)
             SELECT d.file AS outer_file, d.line AS outer_line, u.file AS inner_file, u.line AS inner_line
             FROM ids d JOIN ids u ON u.request_id = d.request_id AND u.file <> d.file
             JOIN ranked di ON di.file = d.file JOIN ranked ui ON ui.file = u.file AND ui.rank > di.rank""";

    private static final String BOUNDS = """
            WITH ends AS (
                SELECT r.file, r.line, epoch_us(r.logged_at) AS stamp,
                       CAST(i.time_resolution_seconds * 1000000 AS BIGINT) AS resolution,
                       coalesce(nullif(i.node, ''), i.layer) AS node,
                       CASE WHEN r.arrival_uncertainty_micros IS NOT NULL THEN epoch_us(r.arrived_at) END AS start_low,
                       CASE WHEN r.arrival_uncertainty_micros IS NOT NULL AND r.duration_micros IS NOT NULL
                                THEN epoch_us(r.arrived_at) + r.duration_micros
                            WHEN r.arrival_uncertainty_micros IS NULL THEN epoch_us(r.logged_at) END AS end_low
                FROM requests r JOIN inputs i ON i.file = r.file WHERE r.logged_at IS NOT NULL)
            SELECT d.node AS outer_node, u.node AS inner_node, d.stamp AS outer_us, u.stamp AS inner_us,
                   (coalesce(u.end_low, u.start_low) - (d.end_low + d.resolution)) / 1e6 AS low,
                   (coalesce(u.start_low, u.end_low) + u.resolution - d.start_low) / 1e6 AS high,
                   ((coalesce(u.end_low, u.start_low) - d.end_low) + (coalesce(u.start_low, u.end_low) - d.start_low)
                     + (u.resolution - d.resolution)) / 2e6 AS middle,
                   greatest(u.resolution, d.resolution) / 1e6 AS coarse, 'F' || u.file || ':' || u.line AS id
            FROM clock_pairs p JOIN ends d ON d.file = p.outer_file AND d.line = p.outer_line
            JOIN ends u ON u.file = p.inner_file AND u.line = p.inner_line
            WHERE d.start_low IS NOT NULL AND d.end_low IS NOT NULL AND d.node <> u.node
            ORDER BY outer_node, inner_node, d.file, d.line
            """;

    private static final int EVIDENCE = 3;

    int size() {
        return outerMicros.length;
    }

    /** For each inner node the pairs with the outer node that it shares most requests with. */
    static List<ClockPairs> of(CaseStore store) {
        List<ClockPairs> all = new ArrayList<>();
        Growing growing = new Growing();
        store.forEach(BOUNDS, row -> {
            String outer = row.text("outer_node");
            String inner = row.text("inner_node");
            if (!outer.equals(growing.outer) || !inner.equals(growing.inner)) {
                growing.finishInto(all);
                growing.start(outer, inner);
            }
            growing.add(
                    row.integer("outer_us"),
                    row.integer("inner_us"),
                    row.number("low"),
                    row.number("high"),
                    row.number("middle"),
                    row.number("coarse"),
                    row.text("id"));
        });
        growing.finishInto(all);
        return all.stream()
                .filter(pairs ->
                        all.stream().noneMatch(other -> other.inner.equals(pairs.inner) && other.size() > pairs.size()))
                .toList();
    }

    private static final class Growing {
        private String outer = "";
        private String inner = "";
        private long[] times = new long[2048];
        private double[] bounds = new double[3072];
        private int count;
        private double coarse;
        private List<String> evidence = new ArrayList<>();

        void start(String outerNode, String innerNode) {
            outer = outerNode;
            inner = innerNode;
            count = 0;
            coarse = 0;
            evidence = new ArrayList<>();
        }

        void add(long outerAt, long innerAt, double low, double high, double middle, double resolution, String id) {
            if (count * 2 == times.length) {
                times = Arrays.copyOf(times, times.length * 2);
                bounds = Arrays.copyOf(bounds, bounds.length * 2);
            }
            times[count * 2] = outerAt;
            times[count * 2 + 1] = innerAt;
            bounds[count * 3] = low;
            bounds[count * 3 + 1] = high;
            bounds[count * 3 + 2] = middle;
            coarse = Math.max(coarse, resolution);
            if (evidence.size() < EVIDENCE) {
                evidence.add(id);
            }
            count++;
        }

        void finishInto(List<ClockPairs> all) {
            if (count == 0) {
                return;
            }
            long[] outerAt = new long[count];
            long[] innerAt = new long[count];
            double[] low = new double[count];
            double[] high = new double[count];
            double[] middle = new double[count];
            for (int i = 0; i < count; i++) {
                outerAt[i] = times[i * 2];
                innerAt[i] = times[i * 2 + 1];
                low[i] = bounds[i * 3];
                high[i] = bounds[i * 3 + 1];
                middle[i] = bounds[i * 3 + 2];
            }
            all.add(new ClockPairs(outer, inner, outerAt, innerAt, low, high, middle, coarse, List.copyOf(evidence)));
        }
    }

    /** The pairs in the order of one of the two clocks. */
    ClockPairs sortedBy(boolean byOuter) {
        long[] key = byOuter ? outerMicros : innerMicros;
        int[] order = java.util.stream.IntStream.range(0, size())
                .boxed()
                .sorted(java.util.Comparator.comparingLong(i -> key[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        return new ClockPairs(
                outer,
                inner,
                Arrays.stream(order).mapToLong(i -> outerMicros[i]).toArray(),
                Arrays.stream(order).mapToLong(i -> innerMicros[i]).toArray(),
                Arrays.stream(order).mapToDouble(i -> lowSeconds[i]).toArray(),
                Arrays.stream(order).mapToDouble(i -> highSeconds[i]).toArray(),
                Arrays.stream(order).mapToDouble(i -> middleSeconds[i]).toArray(),
                coarseSeconds,
                evidence);
    }
}
