package dev.why429.cli.render.html;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.render.Wording;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The timeline as geometry: one stacked bar per step, denials at the foot so that they can be compared, what was allowed above them. Series
 * that the page has no look for are drawn like unknown ones.
 *
 * @param yTicks from the foot upwards
 * @param marks what happened meanwhile
 * @param rows the same numbers for the table, one per bar
 * @param summary the same in one sentence
 */
public record TimelineChart(
        int width,
        int height,
        int left,
        int foot,
        List<Series> series,
        List<Tick> yTicks,
        List<Tick> xTicks,
        List<Row> rows,
        List<Mark> marks,
        String summary) {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 250;
    private static final int LEFT = 56;
    private static final int TOP = 12;
    private static final int FOOT = 222;
    private static final int MOST_BARS = 160;
    private static final int X_TICKS = 6;
    private static final List<String> ORDER =
            List.of("denied_cdn", "denied_gateway", "denied_app", "denied_third_party", "denied_unknown", "allowed");

    /**
     * @param look class of the page's style: one of the known series
     * @param path all bars of the series as one SVG path
     */
    public record Series(String name, String look, long total, String path) {}

    /** @param width 0: a moment */
    public record Mark(String letter, double x, double width, String when, String label, String place) {}

    /** @param at place on its axis */
    public record Tick(int at, String label) {}

    /** @param counts in the order of the series */
    public record Row(String from, List<Long> counts) {}

    static TimelineChart of(Case.Timeline timeline, List<Marks.Mark> marks) {
        Map<String, List<Long>> ordered = ordered(timeline.series());
        int bins = ordered.values().stream().mapToInt(List::size).max().orElse(0);
        if (bins == 0 || timeline.from().isEmpty()) {
            return new TimelineChart(
                    WIDTH, HEIGHT, LEFT, FOOT, List.of(), List.of(), List.of(), List.of(), List.of(), "");
        }
        int perBar = (bins + MOST_BARS - 1) / MOST_BARS;
        int barCount = (bins + perBar - 1) / perBar;
        long[][] counts = merged(ordered, perBar, barCount);
        double stepSeconds = timeline.stepSeconds() * perBar;
        return drawn(List.copyOf(ordered.keySet()), counts, timeline.from().get(), stepSeconds, marks);
    }

    static Map<String, List<Long>> ordered(Map<String, List<Long>> series) {
        Map<String, List<Long>> ordered = new LinkedHashMap<>();
        series.keySet().stream()
                .sorted(Comparator.comparingInt(TimelineChart::rank).thenComparing(Comparator.naturalOrder()))
                .forEach(name -> ordered.put(name, series.get(name)));
        return ordered;
    }

    private static int rank(String name) {
        int at = ORDER.indexOf(name);
        return at >= 0 ? at : ORDER.indexOf("denied_unknown");
    }

    private static long[][] merged(Map<String, List<Long>> ordered, int perBar, int barCount) {
        long[][] counts = new long[ordered.size()][barCount];
        int row = 0;
        for (List<Long> values : ordered.values()) {
            for (int i = 0; i < values.size(); i++) {
                counts[row][i / perBar] += values.get(i);
            }
            row++;
        }
        return counts;
    }

    private static TimelineChart drawn(
            List<String> names, long[][] counts, Instant from, double stepSeconds, List<Marks.Mark> marks) {
        int barCount = counts[0].length;
        long highest = 1;
        for (int bar = 0; bar < barCount; bar++) {
            highest = Math.max(highest, stack(counts, bar));
        }
        long top = niceCeiling(highest);
        double barWidth = (double) (WIDTH - LEFT) / barCount;
        List<StringBuilder> paths = new ArrayList<>();
        names.forEach(name -> paths.add(new StringBuilder()));
        List<Row> rows = new ArrayList<>();
        for (int bar = 0; bar < barCount; bar++) {
            long below = 0;
            List<Long> row = new ArrayList<>();
            for (int s = 0; s < names.size(); s++) {
                long count = counts[s][bar];
                row.add(count);
                if (count > 0) {
                    double y = y(below + count, top);
                    double width = barWidth > 4 ? barWidth - 1 : barWidth;
                    paths.get(s)
                            .append(String.format(
                                    Locale.ROOT,
                                    "M%.1f %.2fh%.2fv%.2fh-%.2fz",
                                    LEFT + bar * barWidth,
                                    y,
                                    width,
                                    y(below, top) - y,
                                    width));
                }
                below += count;
            }
            rows.add(new Row(stamp(from, stepSeconds * bar, stepSeconds), row));
        }
        List<Tick> yTicks = List.of(
                new Tick(FOOT, "0"),
                new Tick((int) Math.round(y(top / 2, top)), Wording.count(top / 2)),
                new Tick(TOP, Wording.count(top)));
        return new TimelineChart(
                WIDTH,
                HEIGHT,
                LEFT,
                FOOT,
                series(names, counts, paths),
                yTicks,
                xTicks(from, stepSeconds, barCount, barWidth),
                rows,
                marks(marks, from, stepSeconds * barCount),
                summary(names, counts, rows, stepSeconds));
    }

    private static List<Tick> xTicks(Instant from, double stepSeconds, int barCount, double barWidth) {
        List<Tick> ticks = new ArrayList<>();
        int every = Math.max(1, barCount / X_TICKS);
        for (int bar = 0; bar < barCount; bar += every) {
            String stamp = stamp(from, stepSeconds * bar, stepSeconds);
            ticks.add(new Tick((int) Math.round(LEFT + bar * barWidth), stamp.substring(stamp.indexOf(' ') + 1)));
        }
        return ticks;
    }

    private static long stack(long[][] counts, int bar) {
        long height = 0;
        for (long[] series : counts) {
            height += series[bar];
        }
        return height;
    }

    /** The next of 2, 4, 10, 20, 40, 100, …, which have whole halves. */
    private static long niceCeiling(long value) {
        for (long ten = 1; ; ten *= 10) {
            for (long step : new long[] {2, 4, 6, 8, 10}) {
                if (step * ten >= value) {
                    return step * ten;
                }
            }
        }
    }

    private static double y(long value, long top) {
        return FOOT - (double) value / top * (FOOT - TOP);
    }

    static String look(String name) {
        return ORDER.contains(name) ? name : "denied_unknown";
    }

    private static List<Series> series(List<String> names, long[][] counts, List<StringBuilder> paths) {
        List<Series> series = new ArrayList<>();
        for (int s = 0; s < names.size(); s++) {
            String name = names.get(s);
            series.add(new Series(
                    Wording.words(name),
                    look(name),
                    Arrays.stream(counts[s]).sum(),
                    paths.get(s).toString()));
        }
        return series;
    }

    private static List<Mark> marks(List<Marks.Mark> marks, Instant from, double seconds) {
        List<Mark> drawn = new ArrayList<>();
        for (Marks.Mark mark : marks) {
            double x = place(mark.from(), from, seconds);
            double end = mark.to().map(to -> place(to, from, seconds)).orElse(x);
            String when = clock(mark.from(), 0, 1)
                    + mark.to().map(to -> " to " + clock(to, 0, 1)).orElse("");
            drawn.add(new Mark(mark.letter(), x, Math.max(0, end - x), when, mark.label(), mark.place()));
        }
        return drawn;
    }

    private static double place(Instant moment, Instant from, double seconds) {
        double part = Duration.between(from, moment).toMillis() / 1000.0 / seconds;
        return LEFT + Math.max(0, Math.min(1, part)) * (WIDTH - LEFT);
    }

    /** Time of day; with thousandths where the step is finer than a second. */
    static String clock(Instant from, double afterSeconds, double stepSeconds) {
        String stamp = stamp(from, afterSeconds, stepSeconds);
        String time = stamp.substring(stamp.indexOf(' ') + 1);
        int thousandths = "19:04:30.123".length();
        return time.length() > thousandths ? time.substring(0, thousandths) : time;
    }

    private static String stamp(Instant from, double afterSeconds, double stepSeconds) {
        String iso = from.plus(Duration.ofNanos(Math.round(afterSeconds * 1e9))).toString();
        String plain = iso.replace('T', ' ').replace("Z", "");
        boolean whole = stepSeconds == Math.rint(stepSeconds);
        int seconds = "2026-11-30 19:04:30".length();
        return whole && plain.length() > seconds ? plain.substring(0, seconds) : plain;
    }

    private static String summary(List<String> names, long[][] counts, List<Row> rows, double stepSeconds) {
        int worst = 0;
        long most = 0;
        for (int bar = 0; bar < rows.size(); bar++) {
            long denied = 0;
            for (int s = 0; s < names.size(); s++) {
                denied += names.get(s).equals("allowed") ? 0 : counts[s][bar];
            }
            if (denied > most) {
                most = denied;
                worst = bar;
            }
        }
        String step = Wording.number(stepSeconds) + " s";
        return most == 0
                ? "Nothing was denied. One bar is " + step + "."
                : "Most denials fell into the " + step + " from "
                        + rows.get(worst).from() + " UTC: " + Wording.count(most) + ". One bar is " + step + ".";
    }
}
