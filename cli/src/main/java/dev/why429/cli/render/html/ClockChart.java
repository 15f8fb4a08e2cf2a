package dev.why429.cli.render.html;

import dev.why429.analyzers.casefile.Figures;
import dev.why429.cli.Printable;
import dev.why429.cli.render.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Offsets of clocks on one axis, each with what its stamps leave open.
 *
 * @param zero place of no offset
 * @param scale length of the axis either way, seconds
 * @param summary the same in one sentence
 */
public record ClockChart(int width, int height, int left, double zero, double scale, List<Row> rows, String summary) {
    private static final int WIDTH = 720;
    private static final int LEFT = 150;
    private static final int RIGHT = 704;
    private static final int ROW = 26;
    private static final int TOP = 8;

    /** @param off whether the offset is more than the stamps leave open */
    public record Row(
            String input,
            String node,
            String against,
            double y,
            double x,
            double low,
            double high,
            String offset,
            String bound,
            long pairs,
            boolean off) {}

    static ClockChart of(List<Figures.ClockOffset> clocks) {
        double farthest = clocks.stream()
                .mapToDouble(clock -> Math.abs(clock.offsetSeconds()) + clock.uncertaintySeconds())
                .max()
                .orElse(1);
        double scale = Geometry.niceCeiling(Math.max(farthest, 0.001));
        double zero = (LEFT + RIGHT) / 2.0;
        double unit = (RIGHT - LEFT) / 2.0 / scale;
        List<Row> rows = new ArrayList<>();
        for (Figures.ClockOffset clock : clocks) {
            rows.add(new Row(
                    clock.input(),
                    Printable.of(clock.node()),
                    Printable.of(clock.against()),
                    TOP + ROW * (rows.size() + 0.5),
                    zero + clock.offsetSeconds() * unit,
                    zero + (clock.offsetSeconds() - clock.uncertaintySeconds()) * unit,
                    zero + (clock.offsetSeconds() + clock.uncertaintySeconds()) * unit,
                    signed(clock.offsetSeconds()),
                    Wording.number(clock.uncertaintySeconds()),
                    clock.pairs(),
                    Math.abs(clock.offsetSeconds()) > clock.uncertaintySeconds() + 0.05));
        }
        long off = rows.stream().filter(Row::off).count();
        String summary = clocks.isEmpty()
                ? "No two logs show the same request, so that no clock can be set against another."
                : off == 0
                        ? "No clock is off by more than the stamps leave open."
                        : off + (off == 1 ? " log's clock is" : " logs' clocks are")
                                + " off by more than the stamps leave open.";
        return new ClockChart(WIDTH, TOP + ROW * rows.size() + 24, LEFT, zero, scale, rows, summary);
    }

    private static String signed(double seconds) {
        return (seconds < 0 ? "−" : "+") + String.format(Locale.ROOT, "%.3f", Math.abs(seconds)) + " s";
    }
}
