package dev.why429.analyzers.store;

import java.sql.SQLException;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Stores rejected lines. */
final class RejectWriter extends RowsBeside<RejectWriter.Reject> {
    /** @param text at most 2 KiB */
    record Reject(int file, long line, long byteOffset, String reason, String text) {}

    RejectWriter(DuckDBConnection connection) {
        super(connection, "rejects");
    }

    @Override
    void append(DuckDBAppender appender, Reject reject) throws SQLException {
        appender.beginRow()
                .append(reject.file())
                .append(reject.line())
                .append(reject.byteOffset())
                .append(reject.reason())
                .append(reject.text())
                .endRow();
    }
}
