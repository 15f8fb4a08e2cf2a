package dev.why429.cli;

import dev.why429.analyzers.Progress;
import java.io.PrintStream;
import java.util.Locale;

/** One line on the terminal that is drawn over itself at most ten times a second, and gone at the end. */
final class ProgressLine implements Progress {
    private static final long REDRAW_NANOS = 100_000_000;

    private final PrintStream err;
    private final long startedNanos = System.nanoTime();
    private long drawnNanos = startedNanos;
    private boolean visible;

    ProgressLine(PrintStream err) {
        this.err = err;
    }

    @Override
    public synchronized void stage(String name) {
        draw(name + "…");
    }

    @Override
    public synchronized void read(long bytes, long totalBytes, long lines) {
        long now = System.nanoTime();
        if (now - drawnNanos < REDRAW_NANOS) {
            return;
        }
        drawnNanos = now;
        double seconds = (now - startedNanos) / 1e9;
        String share = totalBytes > 0 ? String.format(Locale.ROOT, " of %d MB", totalBytes / 1_000_000) : "";
        String left = totalBytes > bytes && bytes > 0
                ? String.format(Locale.ROOT, ", %.0f s left", seconds * (totalBytes - bytes) / bytes)
                : "";
        draw(String.format(
                Locale.ROOT,
                "reading: %d MB%s, %,d lines, %,.0f lines/s%s",
                bytes / 1_000_000,
                share,
                lines,
                lines / seconds,
                left));
    }

    private void draw(String text) {
        err.print("\r\u001b[K" + Printable.of(text, 78));
        err.flush();
        visible = true;
    }

    synchronized void erase() {
        if (visible) {
            err.print("\r\u001b[K");
            err.flush();
            visible = false;
        }
    }
}
