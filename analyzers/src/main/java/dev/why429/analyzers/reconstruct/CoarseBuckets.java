package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Buckets behind stamps of whole seconds. Within a second a bucket refills several times, so that hardly any decision is forced on its own; what
 * tells is how they follow each other. So moments are drawn that the stamps and the order of the lines allow, buckets are run along them, and after
 * each decision those go on that would have decided so: a particle filter. The share that would have is the decision's probability. The moments
 * are drawn once, and every rate and capacity is tried on the same ones.
 */
final class CoarseBuckets {
    /** Stamps that leave more than this open are coarse. */
    private static final long COARSE_MICROS = 100_000;

    private static final long NEARLY_SECOND_MICROS = 900_000;
    private static final float FINE = -1;
    private static final double COARSE_SHARE = 0.15;
    private static final int PARTICLES = 32;
    /** What a decision that no particle foresaw is taken to be worth of a particle. */
    private static final double UNFORESEEN = 0.15;
    /** What it costs to name a capacity. */
    private static final double CAPACITY_BITS = 5;
    /** Rates and capacities that are at most so much worse than the best belong to the interval; sampling adds a little noise to odds of 1 in 30. */
    private static final double INTERVAL_BITS = 10;

    private static final double[] STEPS = {0.2, 0.08, 0.03, 0.012};
    private static final double[] SHIFTS = {0.01, 0.025, 0.05, 0.08, 0.13, 0.2, 0.3, 0.5};
    private static final int MOST_STARTS = 8;
    private static final double CAPACITY_DOUBT = 0.25;
    private static final double LEAST_DOUBT = 0.04;
    private static final double UNKNOWN_SECONDS = 0.25;
    private static final int RENEWED = 4;
    private static final int MOST_GRAINS = 12;
    /** Tokens a request may cost where they come in whole numbers. */
    private static final int MOST_COST = 5;
    /** So often a bucket's requests of a second come in a burst, and as often over a part that reaches its beginning or its end. */
    private static final double BURSTS = 0.2;
    /** How evenly those come that are sent at a fixed pace. */
    private static final double EVEN_JITTER = 0.3;

    private final Grouping key;
    private final Series series;
    /**
     * Where in the rest of its stretch each moment lies, by decision and particle; {@link #FINE}: the stamp is fine; below it: minus two, minus where
     * in its own range, which is known to be shorter than a second.
     */
    private final float[] part;

    /** The stretch of its second over which a bucket's requests are spread, where its first one of the second stands. */
    private final float[] begin;

    private final float[] end;
    private final boolean[] sameSecond;
    private final double busiestSecond;
    private final boolean[] unforeseen;

    /** Whether enough stamps of a log are coarse. */
    static boolean suits(Stamps stamps) {
        int coarse = 0;
        for (int i = 0; i < stamps.early().length; i++) {
            coarse += coarse(stamps.early()[i], stamps.late()[i]) ? 1 : 0;
        }
        return coarse > COARSE_SHARE * stamps.early().length;
    }

    private boolean narrowed(int i) {
        return series.late[i] - series.early[i] < NEARLY_SECOND_MICROS;
    }

    private static boolean coarse(long early, long late) {
        return late - early >= COARSE_MICROS;
    }

    CoarseBuckets(Grouping key, Series series) {
        this.key = key;
        this.series = series;
        this.busiestSecond = series.busiestSecond();
        this.unforeseen = new boolean[series.size()];
        this.part = new float[series.size() * PARTICLES];
        this.begin = new float[part.length];
        this.end = new float[part.length];
        this.sameSecond = new boolean[series.size()];
        draw();
    }

    private static long second(long early, long late) {
        return Math.floorDiv((early + late) / 2, 1_000_000L);
    }

    /**
     * A bucket's requests of one second are spread over a stretch of it, half of the time evenly, as of a client that sends at a fixed pace, half
     * of the time by chance: of k moments left in the stretch the next then lies at 1 − U^(1/k) of the rest of it.
     */
    private void draw() {
        SplittableRandom random = new SplittableRandom(429);
        for (int g = 0; g < series.buckets(); g++) {
            int i = series.start[g];
            while (i < series.start[g + 1]) {
                int to = i + 1;
                long second = second(series.early[i], series.late[i]);
                while (to < series.start[g + 1] && second(series.early[to], series.late[to]) == second) {
                    sameSecond[to] = true;
                    to++;
                }
                for (int p = 0; p < PARTICLES; p++) {
                    stretch(random, i * PARTICLES + p);
                    boolean even = random.nextBoolean();
                    for (int k = i; k < to; k++) {
                        boolean coarse = coarse(series.early[k], series.late[k]);
                        double next = even
                                ? (k == i ? 0.5 : 1 + EVEN_JITTER * (random.nextDouble() - 0.5))
                                        / (to - k + (k == i ? 0 : 0.5))
                                : 1 - Math.pow(random.nextDouble(), 1.0 / (to - k));
                        part[k * PARTICLES + p] = !coarse
                                ? FINE
                                : narrowed(k) ? (float) (-2 - random.nextDouble()) : (float) Math.min(1, next);
                    }
                }
                i = to;
            }
        }
    }

    private void stretch(SplittableRandom random, int at) {
        double way = random.nextDouble();
        double some = random.nextDouble();
        if (way < BURSTS) {
            double width = random.nextDouble();
            begin[at] = (float) some;
            end[at] = (float) (some + (1 - some) * width * width);
        } else if (way < 2 * BURSTS) {
            begin[at] = random.nextBoolean() ? (float) some : 0;
            end[at] = begin[at] > 0 ? 1 : (float) some;
        } else {
            begin[at] = 0;
            end[at] = 1;
        }
    }

    private record Tried(double rate, double capacity, double bits, int above, int below) {
        boolean better(Tried other) {
            return other == null || bits < other.bits;
        }
    }

    /** A first look at a family: the best of a few rates and capacities. */
    Start start(Family family) {
        List<Double> rates = new ArrayList<>();
        List<Double> estimates = Spells.rates(series);
        for (double estimate : estimates) {
            if (family == Family.BUCKET_WHOLE_SECONDS) {
                // whole tokens a second, or a whole number of them for each request
                for (int cost = 1; cost <= MOST_COST; cost++) {
                    rates.add(Math.max(1, Math.rint(estimate * cost)) / cost);
                }
            } else {
                rates.add(estimate);
            }
        }
        double[] grid = Grids.rates(span(), (int) busiestSecond, List.of(), false);
        for (int k = 0; k < grid.length; k += Math.max(1, grid.length / MOST_STARTS)) {
            rates.add(family == Family.BUCKET_WHOLE_SECONDS ? Math.max(1, Math.rint(grid[k])) : grid[k]);
        }
        Tried best = null;
        double[] low = new double[series.size()];
        double[] high = new double[series.size()];
        for (double rate : rates.stream().distinct().toList()) {
            Buckets.continuous(series, rate, low, high);
            double most = Math.max(1, Math.ceil(atAllows(low)));
            for (double capacity : new double[] {most, Math.rint(1.4 * most) + 1}) {
                Tried tried = tried(family, rate, capacity);
                best = tried.better(best) ? tried : best;
            }
        }
        return new Start(this, family, best);
    }

    /** @param best the best of a first look */
    record Start(CoarseBuckets buckets, Family family, Tried best) {
        double bits() {
            return best.bits + buckets.key.priorBits() + family.priorBits();
        }

        /** The best rate and capacity, and what the decisions leave open about them. */
        Candidate refined() {
            Tried found = best;
            for (double s : STEPS) {
                found = buckets.climbed(family, found, s);
            }
            return buckets.candidate(family, found, true);
        }
    }

    /** A capacity that allows at least what was allowed, but for a few. */
    private double atAllows(double[] low) {
        double[] sorted = new double[low.length];
        int k = 0;
        for (int i = 0; i < low.length; i++) {
            if (!series.denied[i]) {
                sorted[k++] = low[i];
            }
        }
        Arrays.sort(sorted, 0, k);
        return k == 0 ? 1 : sorted[(int) (0.995 * (k - 1))] + 1;
    }

    private double span() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < series.size(); i++) {
            first = Math.min(first, series.early[i]);
            last = Math.max(last, series.late[i]);
        }
        return series.size() == 0 ? 0 : (last - first) / 1e6;
    }

    private Tried climbed(Family family, Tried from, double step) {
        Tried best = from;
        for (int round = 0; round < 6; round++) {
            Tried before = best;
            double more = Math.max(1, Math.rint(step * best.capacity));
            double[][] moves = family == Family.BUCKET_WHOLE_SECONDS
                    ? new double[][] {{1, more}, {1, -more}}
                    : new double[][] {
                        {1 + step, 0},
                        {1 / (1 + step), 0},
                        {1, more},
                        {1, -more},
                        {1 + step, -more},
                        {1 / (1 + step), more}
                    };
            for (double[] move : moves) {
                double capacity = before.capacity + move[1];
                if (capacity >= 1) {
                    Tried tried = tried(family, before.rate * move[0], capacity);
                    best = tried.better(best) ? tried : best;
                }
            }
            if (best.equals(before)) {
                break;
            }
        }
        return best;
    }

    /** A close look at rates and capacities around the best: all that do nearly as well. */
    private Candidate candidate(Family family, Tried start, boolean again) {
        List<Tried> around = new ArrayList<>();
        Tried best = ridge(family, start, around);
        around.add(best);
        if (family != Family.BUCKET_WHOLE_SECONDS) {
            for (int direction : new int[] {-1, 1}) {
                Tried last = best;
                for (double shift : SHIFTS) {
                    Tried next = ridge(
                            family,
                            new Tried(start.rate * Math.exp(direction * shift), last.capacity, 0, 0, 0),
                            around);
                    best = next.better(best) ? next : best;
                    last = next;
                    if (next.bits > best.bits + 2 * INTERVAL_BITS) {
                        break;
                    }
                }
            }
        }
        if (again && best.bits < start.bits - 1) {
            return candidate(family, best, false);
        }
        double rateLow = best.rate;
        double rateHigh = best.rate;
        double capacityLow = best.capacity;
        double capacityHigh = best.capacity;
        double enough = best.bits + INTERVAL_BITS;
        for (Tried tried : around) {
            if (tried.bits <= enough) {
                rateLow = Math.min(rateLow, tried.rate);
                rateHigh = Math.max(rateHigh, tried.rate);
                capacityLow = Math.min(capacityLow, tried.capacity);
                capacityHigh = Math.max(capacityHigh, tried.capacity);
            }
        }
        if (family != Family.BUCKET_WHOLE_SECONDS) {
            // the drawn moments are a sample, and clients come otherwise than they were drawn
            rateLow = Math.min(rateLow, best.rate * (1 - LEAST_DOUBT));
            rateHigh = Math.max(rateHigh, best.rate * (1 + LEAST_DOUBT));
        }
        // when within its second the first burst began is not known
        double unknown = 1 + Math.floor(UNKNOWN_SECONDS * best.rate);
        // traffic that comes by chance is explained by too large a bucket as well: measured, by up to a fifth
        double least = Math.min(capacityLow - unknown, Math.floor((1 - CAPACITY_DOUBT) * capacityLow));
        capacityLow = capacityLow > 1 ? Math.max(1, least) : 1;
        capacityHigh += capacityHigh > 1 ? unknown : 0;
        Range range = new Range(rateLow, rateHigh, capacityLow - 1, capacityHigh - 1);
        return candidate(family, best.rate, best.capacity, range);
    }

    /** The best capacity at a rate, looking outwards from one. */
    private Tried ridge(Family family, Tried from, List<Tried> around) {
        double grain = Math.max(1, Math.rint(0.03 * from.capacity));
        Tried best = null;
        for (int direction : new int[] {-1, 1}) {
            for (int k = direction > 0 ? 1 : 0; k < MOST_GRAINS && from.capacity + k * direction * grain >= 1; k++) {
                double capacity = from.capacity + k * direction * grain;
                Tried tried = tried(family, from.rate, capacity);
                around.add(tried);
                best = tried.better(best) ? tried : best;
                if (tried.bits > best.bits + INTERVAL_BITS) {
                    break;
                }
            }
        }
        return best;
    }

    /** The same weighed on these decisions. */
    Candidate at(Candidate other) {
        return candidate(
                other.family(),
                other.parameter(),
                other.fit().best(),
                other.range().orElseThrow());
    }

    private Candidate candidate(Family family, double rate, double capacity, Range range) {
        Tried tried = tried(family, rate, capacity);
        Threshold.Fit fit = new Threshold.Fit(
                (int) range.thresholdLow() + 1,
                (int) range.thresholdHigh() + 1,
                (int) capacity,
                tried.above,
                tried.below + series.deniedOutside,
                0,
                0,
                tried.bits,
                true,
                1);
        double bits =
                tried.bits + key.priorBits() + family.priorBits() + Grids.parameterBits(family, rate) + CAPACITY_BITS;
        return new Candidate(key, family, rate, 0, fit, Buckets.Levels.NONE, bits, Optional.of(range));
    }

    /** Which decisions, by their place in the log, no particle foresaw under a candidate. */
    List<Integer> unforeseen(Candidate candidate) {
        tried(candidate.family(), candidate.parameter(), candidate.fit().best());
        List<Integer> decisions = new ArrayList<>();
        for (int i = 0; i < unforeseen.length; i++) {
            if (unforeseen[i]) {
                decisions.add(series.source[i]);
            }
        }
        return decisions;
    }

    private Tried tried(Family family, double rate, double capacity) {
        double[] used = new double[PARTICLES];
        double[] moment = new double[PARTICLES];
        double[] since = new double[PARTICLES];
        boolean forgets = family == Family.BUCKET_WHOLE_TOKENS;
        double[] place = new double[PARTICLES];
        double[] stretch = new double[PARTICLES];
        boolean[] agrees = new boolean[PARTICLES];
        double nats = 0;
        int above = 0;
        int below = 0;
        double perMicro = rate / 1e6;
        for (int g = 0; g < series.buckets(); g++) {
            Arrays.fill(used, 0);
            for (int i = series.start[g]; i < series.start[g + 1]; i++) {
                boolean first = i == series.start[g];
                boolean denied = series.denied[i];
                double early = series.early[i] - series.originMicros;
                double width = series.late[i] - series.early[i];
                int agreeing = 0;
                for (int p = 0; p < PARTICLES; p++) {
                    float f = part[i * PARTICLES + p];
                    if (!sameSecond[i]) {
                        place[p] = begin[i * PARTICLES + p];
                        stretch[p] = end[i * PARTICLES + p];
                    }
                    double x = f == FINE ? 0.5 : f < 0 ? -2 - f : place[p] + Math.max(0, stretch[p] - place[p]) * f;
                    place[p] = f < 0 ? (early + x * width + series.originMicros) % 1e6 / 1e6 : x;
                    double at = early + x * width;
                    double now = used[p];
                    if (!first) {
                        at = Math.max(at, moment[p]);
                        now = Math.max(0, now - refilled(family, perMicro, since[p], at));
                    }
                    moment[p] = at;
                    agrees[p] = (now + 1 > capacity + 1e-9) == denied;
                    if (!denied || !forgets) {
                        since[p] = at;
                        used[p] = now;
                    }
                    agreeing += agrees[p] ? 1 : 0;
                }
                unforeseen[i] = agreeing == 0;
                nats -= Math.log((agreeing + UNFORESEEN) / (PARTICLES + 2 * UNFORESEEN));
                if (agreeing == 0) {
                    above += denied ? 0 : 1;
                    below += denied ? 1 : 0;
                    for (int p = 0; p < PARTICLES; p++) {
                        double spread = (p + 0.5) / PARTICLES;
                        stretch[p] = 1;
                        used[p] = denied ? capacity - 1 + spread : Math.max(0, capacity - 1 - spread);
                    }
                } else if (agreeing < PARTICLES) {
                    int from = -1;
                    for (int p = 0; p < PARTICLES; p++) {
                        if (!agrees[p]) {
                            do {
                                from = (from + 1) % PARTICLES;
                            } while (!agrees[from]);
                            used[p] = used[from];
                            moment[p] = moment[from];
                            since[p] = since[from];
                            place[p] = place[from];
                            // else all would soon share one stretch, and be at a loss when it ends
                            stretch[p] = p % RENEWED == 0 ? 1 : stretch[from];
                        }
                    }
                }
                if (!denied) {
                    for (int p = 0; p < PARTICLES; p++) {
                        used[p]++;
                    }
                }
            }
        }
        double bits = nats / Math.log(2) + series.deniedOutside * (double) Threshold.WRONG_BITS;
        return new Tried(rate, capacity, bits, above, below);
    }

    private double refilled(Family family, double perMicro, double before, double now) {
        return switch (family) {
            case BUCKET_WHOLE_SECONDS ->
                perMicro
                        * 1e6
                        * (Math.floor((now + series.originMicros) / 1e6)
                                - Math.floor((before + series.originMicros) / 1e6));
            case BUCKET_WHOLE_TOKENS -> Math.floor(perMicro * (now - before));
            default -> perMicro * (now - before);
        };
    }
}
