package dev.why429.cli;

import dev.why429.analyzers.Progress;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * One line on the terminal that is drawn over itself at most ten times a second, and gone at the end: the stage, and while it reads the bytes,
 * the lines per second and the time left.
 */
final class ProgressLine implements Progress {
    private static final int WIDTH = 79;
    private static final int REDRAW_MILLIS = 100;
    private static final long MEGABYTE = 1_000_000;

    private final PrintStream err;
    private Optional<ProgressBar> bar = Optional.empty();
    private long stageNanos = System.nanoTime();
    private boolean ended;

    private boolean visible;
    private boolean over;

    ProgressLine(PrintStream err) {
        this.err = err;
    }

    @Override
    public synchronized void stage(String name) {
        if (!ended) {
            next(name, -1);
        }
    }

    @Override
    public synchronized void read(long bytes, long totalBytes, long lines) {
        if (ended) {
            return;
        }
        if (bar.isEmpty()) {
            next("reading", totalBytes > 0 ? totalBytes : -1);
        }
        bar.ifPresent(shown -> {
            if (totalBytes > 0 && shown.getMax() != totalBytes) {
                shown.maxHint(totalBytes);
            }
            double seconds = Math.max(1e-3, (System.nanoTime() - stageNanos) / 1e9);
            shown.setExtraMessage(String.format(Locale.ROOT, " %,.0f lines/s", lines / seconds));
            shown.stepTo(bytes);
        });
    }

    /** @param most bytes; -1: nobody knows how long this takes */
    private void next(String stage, long most) {
        bar.ifPresent(ProgressBar::close);
        stageNanos = System.nanoTime();
        ProgressBarBuilder next = new ProgressBarBuilder()
                .setTaskName(Printable.of(stage))
                .setInitialMax(most)
                .setUpdateIntervalMillis(REDRAW_MILLIS)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new DelegatingProgressBarConsumer(this::draw, WIDTH));
        if (stage.equals("reading")) {
            next.setUnit(" MB", MEGABYTE);
        } else {
            next.hideEta();
        }
        bar = Optional.of(next.build());
    }

    /** Called by the bar's own thread, for which its closing waits: so this must not wait for who closes it. */
    private void draw(String text) {
        synchronized (err) {
            if (!over) {
                err.print("\r\u001b[K" + Printable.of(text, WIDTH));
                err.flush();
                visible = true;
            }
        }
    }

    /** Nothing is drawn from here on. */
    synchronized void erase() {
        ended = true;
        bar.ifPresent(ProgressBar::close);
        bar = Optional.empty();
        synchronized (err) {
            over = true;
            if (visible) {
                err.print("\r\u001b[K");
                err.flush();
                visible = false;
            }
        }
    }
}
