package dev.why429.analyzers.store;

import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Stores rows beside the loading of others, on a connection of its own; whoever is too fast for it waits, so memory stays bounded. Its thread
 * begins with the first row.
 *
 * @param <T> a row
 */
abstract class RowsBeside<T> implements AutoCloseable {
    /** Each is at most a few KiB. */
    private static final int WAITING = 1024;

    private record Item<T>(T row, boolean last) {}

    private final BlockingQueue<Item<T>> queue = new ArrayBlockingQueue<>(WAITING);
    private final DuckDBConnection connection;
    private final String table;
    private Thread thread;
    private volatile SQLException failure;
    private boolean closed;

    RowsBeside(DuckDBConnection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    abstract void append(DuckDBAppender appender, T row) throws SQLException;

    void add(T row) {
        begin();
        put(new Item<>(row, false));
    }

    private synchronized void begin() {
        if (thread == null) {
            thread = new Thread(this::run, table);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void put(Item<T> item) {
        try {
            while (!queue.offer(item, 100, TimeUnit.MILLISECONDS)) {
                if (!thread.isAlive()) {
                    throw new StoreException("the " + table + " cannot be stored: " + failure, failure);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while storing " + table, e);
        }
    }

    private void run() {
        try (DuckDBAppender appender = connection.createAppender(table)) {
            for (Item<T> item = queue.take(); !item.last(); item = queue.take()) {
                append(appender, item.row());
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
        try {
            if (thread != null) {
                if (thread.isAlive()) {
                    put(new Item<>(null, true));
                }
                thread.join();
            }
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw new StoreException("the " + table + " cannot be stored: " + failure.getMessage(), failure);
        }
    }
}
