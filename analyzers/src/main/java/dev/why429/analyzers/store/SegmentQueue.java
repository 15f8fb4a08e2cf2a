package dev.why429.analyzers.store;

import dev.why429.analyzers.Progress;
import dev.why429.analyzers.source.Segment;
import dev.why429.analyzers.source.SegmentReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives segments of several logs to several threads: a file each as long as there are files that nobody has begun, then together on those
 * that are not at their end. At most as many files are open as there are threads.
 */
final class SegmentQueue {
    private final ArrayDeque<FileTally> waiting;
    private final List<OpenFile> open = new ArrayList<>();
    private final Progress progress;
    private final long totalBytes;
    private final AtomicLong closedBytes = new AtomicLong();
    private final AtomicLong linesRead = new AtomicLong();

    SegmentQueue(List<FileTally> files, Progress progress) {
        waiting = new ArrayDeque<>(files);
        this.progress = progress;
        totalBytes = files.stream()
                .mapToLong(file -> file.input.source().content().sizeBytes().orElse(0))
                .sum();
    }

    /** A log that is being read. */
    static final class OpenFile {
        final FileTally tally;
        private final SegmentReader reader;
        private int readers;
        private boolean atEnd;

        OpenFile(FileTally tally, SegmentReader reader) {
            this.tally = tally;
            this.reader = reader;
        }
    }

    /**
     * Fills the segment from the file that the thread is at, or from another.
     *
     * @param at the file of the thread's last segment, if it had one
     * @return whose lines they are; empty when all files are at their end
     */
    Optional<OpenFile> next(Optional<OpenFile> at, Segment segment) {
        Optional<OpenFile> file = at.or(this::take);
        while (file.isPresent()) {
            OpenFile current = file.get();
            if (fill(current, segment)) {
                current.tally.lines.add(segment.lines());
                progress.read(bytesRead(), totalBytes, linesRead.addAndGet(segment.lines()));
                return file;
            }
            leave(current);
            file = take();
        }
        return Optional.empty();
    }

    private static boolean fill(OpenFile file, Segment segment) {
        try {
            return file.reader.next(segment);
        } catch (IOException e) {
            file.tally.failed(e);
            return false;
        }
    }

    private Optional<OpenFile> take() {
        FileTally fresh;
        synchronized (this) {
            fresh = waiting.poll();
            if (fresh == null) {
                Optional<OpenFile> shared = open.stream()
                        .filter(file -> !file.atEnd)
                        .min(java.util.Comparator.comparingInt(file -> file.readers));
                shared.ifPresent(file -> file.readers++);
                return shared;
            }
        }
        try {
            OpenFile file =
                    new OpenFile(fresh, new SegmentReader(fresh.input.source().open()));
            file.readers = 1;
            synchronized (this) {
                open.add(file);
            }
            return Optional.of(file);
        } catch (IOException e) {
            fresh.failed(e);
            return take();
        }
    }

    /** The last thread that leaves a file closes it. */
    private void leave(OpenFile file) {
        synchronized (this) {
            file.atEnd = true;
            file.readers--;
            if (file.readers > 0) {
                return;
            }
            open.remove(file);
        }
        try {
            file.reader.finish();
        } catch (IOException e) {
            file.tally.failed(e);
        }
        closedBytes.addAndGet(file.reader.bytesRead());
        file.tally.finished(file.reader.sha256(), file.reader.warnings());
    }

    private synchronized long bytesRead() {
        long bytes = closedBytes.get();
        for (OpenFile file : open) {
            bytes += file.reader.bytesRead();
        }
        return bytes;
    }

    /** Closes what is still open when reading was given up. */
    synchronized void close() {
        for (OpenFile file : open) {
            try {
                file.reader.close();
            } catch (IOException e) {
                file.tally.failed(e);
            }
        }
        open.clear();
        waiting.clear();
    }
}
