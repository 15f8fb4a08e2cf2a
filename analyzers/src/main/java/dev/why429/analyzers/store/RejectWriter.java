package dev.why429.analyzers.store;

import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Stores rejected lines beside the loading of the others, on a connection of its own; whoever is too fast for it waits, so memory stays bounded. */
final class RejectWriter implements AutoCloseable {
    /** Each is at most 2 KiB of text. */
    private static final int WAITING = 1024;

    private static final Reject END = new Reject(0, 0, 0, "", "");

    private record Reject(int file, long line, long byteOffset, String reason, String text) {}

    private final BlockingQueue<Reject> queue = new ArrayBlockingQueue<>(WAITING);
    private final DuckDBConnection connection;
    private final Thread thread;
    private volatile SQLException failure;
    private boolean closed;

    RejectWriter(DuckDBConnection connection) {
        this.connection = connection;
        thread = new Thread(this::run, "rejects");
        thread.setDaemon(true);
        thread.start();
    }

    void add(int file, long line, long byteOffset, String reason, String text) {
        put(new Reject(file, line, byteOffset, reason, text));
    }

    private void put(Reject reject) {
        try {
            while (!queue.offer(reject, 100, TimeUnit.MILLISECONDS)) {
                if (!thread.isAlive()) {
                    throw new StoreException("the rejected lines cannot be stored: " + failure, failure);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while storing rejected lines", e);
        }
    }

    private void run() {
        DuckDBAppender appender = null;
        try {
            for (Reject reject = queue.take(); reject.file() != END.file(); reject = queue.take()) {
                if (appender == null) {
                    appender = connection.createAppender("rejects");
                }
                appender.beginRow()
                        .append(reject.file())
                        .append(reject.line())
                        .append(reject.byteOffset())
                        .append(reject.reason())
                        .append(reject.text())
                        .endRow();
            }
            if (appender != null) {
                appender.close();
            }
        } catch (SQLException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until all are stored. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (thread.isAlive()) {
            put(END);
        }
        try {
            thread.join();
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw new StoreException("the rejected lines cannot be stored: " + failure.getMessage(), failure);
        }
    }
}
