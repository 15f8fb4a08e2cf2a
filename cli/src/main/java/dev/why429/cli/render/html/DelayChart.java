package dev.why429.cli.render.html;

import dev.why429.analyzers.casefile.Figures;
import dev.why429.cli.render.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Delays as pairs of bars: after a denial, and after an admission, each as a share of its own.
 *
 * @param retryAfter place of the usual Retry-After on the axis; -1: not known or outside
 */
public record DelayChart(
        int width, int height, int foot, double retryAfter, String retryAfterLabel, List<Bar> bars, String summary) {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 190;
    private static final int LEFT = 8;
    private static final int TOP = 22;
    private static final int FOOT = 160;

    /** @param x left edge; two bars of {@code width} stand side by side */
    public record Bar(
            double x,
            double width,
            double denialHeight,
            double admissionHeight,
            String label,
            long afterDenial,
            long afterAdmission,
            String denialShare,
            String admissionShare) {}

    static Optional<DelayChart> of(Optional<Figures.Retries> retries) {
        return retries.filter(found -> !found.delays().isEmpty()).map(DelayChart::drawn);
    }

    private static DelayChart drawn(Figures.Retries retries) {
        List<Figures.DelayBin> bins = retries.delays();
        long denials = bins.stream().mapToLong(Figures.DelayBin::afterDenial).sum();
        long admissions =
                bins.stream().mapToLong(Figures.DelayBin::afterAdmission).sum();
        double highest = 0;
        for (Figures.DelayBin bin : bins) {
            highest = Math.max(
                    highest, Math.max(part(bin.afterDenial(), denials), part(bin.afterAdmission(), admissions)));
        }
        double slot = (double) (WIDTH - LEFT) / bins.size();
        List<Bar> bars = new ArrayList<>();
        double mark = -1;
        double under = 0;
        for (int i = 0; i < bins.size(); i++) {
            Figures.DelayBin bin = bins.get(i);
            double x = LEFT + i * slot;
            double upper = bin.underSeconds().orElse(Double.MAX_VALUE);
            double wait = retries.retryAfterSeconds().orElse(-1.0);
            if (wait >= under && wait < upper) {
                double within =
                        under > 0 && upper < Double.MAX_VALUE ? Math.log(wait / under) / Math.log(upper / under) : 0.5;
                mark = x + Math.max(0, Math.min(1, within)) * slot;
            }
            bars.add(new Bar(
                    x + slot * 0.08,
                    slot * 0.4,
                    height(part(bin.afterDenial(), denials), highest),
                    height(part(bin.afterAdmission(), admissions), highest),
                    label(bin, under),
                    bin.afterDenial(),
                    bin.afterAdmission(),
                    Wording.share(bin.afterDenial(), denials),
                    Wording.share(bin.afterAdmission(), admissions)));
            under = bin.underSeconds().orElse(under);
        }
        return new DelayChart(
                WIDTH,
                HEIGHT,
                FOOT,
                mark,
                retries.retryAfterSeconds()
                        .map(wait -> "Retry-After " + Wording.number(wait) + " s")
                        .orElse(""),
                bars,
                summary(retries, bins, denials));
    }

    private static String label(Figures.DelayBin bin, double under) {
        return bin.underSeconds().map(upper -> "< " + duration(upper)).orElse("≥ " + duration(under));
    }

    private static String duration(double seconds) {
        return seconds < 1 ? Wording.number(seconds * 1000) + " ms" : Wording.number(seconds) + " s";
    }

    private static String summary(Figures.Retries retries, List<Figures.DelayBin> bins, long denials) {
        long soon = 0;
        for (Figures.DelayBin bin : bins) {
            soon += bin.underSeconds().orElse(Double.MAX_VALUE) <= 1 ? bin.afterDenial() : 0;
        }
        String waits = retries.waitsKnown() == 0
                ? " The logs do not show which Retry-After was sent."
                : " Of " + Wording.count(retries.waitsKnown()) + " denials whose Retry-After is logged, "
                        + Wording.count(retries.beforeRetryAfter()) + " came back before it was over.";
        return denials == 0
                ? "No denied request was asked again." + waits
                : Wording.count(denials) + " of " + Wording.count(retries.denied())
                        + " denied requests were asked again by the same client; " + Wording.count(soon)
                        + " of these within a second." + waits;
    }

    private static double part(long count, long of) {
        return of == 0 ? 0 : (double) count / of;
    }

    private static double height(double part, double highest) {
        return highest == 0 ? 0 : part / highest * (FOOT - TOP);
    }
}
