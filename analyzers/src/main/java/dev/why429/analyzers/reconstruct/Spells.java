package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * While a bucket keeps denying, it lets through what flows in: requests allowed between two denials ÷ time between them is its rate, to one
 * request in the time. Stretches of denials give the rates that are worth trying closely.
 */
final class Spells {
    /** A stretch goes on while denials follow each other within one of these times, seconds. */
    private static final double[] GAPS = {1.5, 5, 15};

    private static final int LEAST_ALLOWED = 6;
    private static final int LONGEST = 3;

    private Spells() {}

    private record Spell(int allowed, double seconds) {
        double rate() {
            return allowed / seconds;
        }
    }

    /** @return rates per second, none twice within 2 % */
    static List<Double> rates(Series s) {
        List<Double> rates = new ArrayList<>();
        for (double gap : GAPS) {
            List<Spell> spells = spells(s, gap);
            double seconds = spells.stream().mapToDouble(Spell::seconds).sum();
            int allowed = spells.stream().mapToInt(Spell::allowed).sum();
            if (seconds > 0) {
                add(rates, allowed / seconds);
            }
            spells.stream()
                    .sorted(Comparator.comparingInt(Spell::allowed).reversed())
                    .limit(LONGEST)
                    .forEach(spell -> add(rates, spell.rate()));
        }
        return rates;
    }

    private static void add(List<Double> rates, double rate) {
        if (rates.stream().noneMatch(r -> Math.abs(r / rate - 1) < 0.02)) {
            rates.add(rate);
        }
    }

    private static List<Spell> spells(Series s, double gapSeconds) {
        List<Spell> spells = new ArrayList<>();
        for (int g = 0; g < s.buckets(); g++) {
            int first = -1;
            int last = -1;
            int allowed = 0;
            int allowedSince = 0;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                if (!s.denied[i]) {
                    allowedSince++;
                    continue;
                }
                if (first >= 0 && seconds(s, last, i) <= gapSeconds) {
                    allowed += allowedSince;
                } else {
                    keep(spells, s, first, last, allowed);
                    first = i;
                    allowed = 0;
                }
                last = i;
                allowedSince = 0;
            }
            keep(spells, s, first, last, allowed);
        }
        return spells;
    }

    private static void keep(List<Spell> spells, Series s, int first, int last, int allowed) {
        if (first >= 0 && allowed >= LEAST_ALLOWED && seconds(s, first, last) > 0) {
            spells.add(new Spell(allowed, seconds(s, first, last)));
        }
    }

    private static double seconds(Series s, int from, int to) {
        return (s.early[to] + s.late[to] - s.early[from] - s.late[from]) / 2e6;
    }
}
