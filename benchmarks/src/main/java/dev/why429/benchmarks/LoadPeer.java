package dev.why429.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The peer: DuckDB reads the log itself as a table in CSV with blanks, ten columns. It loses lines, which is why we do not do so. */
public final class LoadPeer {
    private LoadPeer() {}

    /** Arguments: log, database file (replaced), threads. Prints rows and rejected lines. */
    public static void main(String[] arguments) throws SQLException, IOException {
        Path database = Path.of(arguments[1]);
        Files.deleteIfExists(database);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
                Statement statement = connection.createStatement()) {
            statement.execute("SET threads=" + Integer.parseInt(arguments[2]));
            statement.execute("SET preserve_insertion_order=false");
            statement.execute("SET memory_limit='400MB'");
            statement.execute(
                    "CREATE TABLE requests(client_ip VARCHAR, \"user\" VARCHAR, logged_at TIMESTAMP, method VARCHAR, "
                            + "path VARCHAR, protocol VARCHAR, status SMALLINT, bytes BIGINT, referer VARCHAR, user_agent VARCHAR)");
            String log = arguments[0].replace("'", "''");
            statement.execute(
                    "INSERT INTO requests SELECT ip, usr, strptime(day, '[%d/%b/%Y:%H:%M:%S'), split_part(request, ' ', 1), "
                            + "split_part(request, ' ', 2), split_part(request, ' ', 3), status, try_cast(bytes AS BIGINT), referer, agent "
                            + "FROM read_csv('" + log
                            + "', columns={'ip':'VARCHAR','ident':'VARCHAR','usr':'VARCHAR','day':'VARCHAR',"
                            + "'zone':'VARCHAR','request':'VARCHAR','status':'SMALLINT','bytes':'VARCHAR','referer':'VARCHAR','agent':'VARCHAR'}, "
                            + "delim=' ', quote='\"', escape='', header=false, auto_detect=false, strict_mode=false, store_rejects=true)");
            try (ResultSet counts = statement.executeQuery(
                    "SELECT (SELECT count(*) FROM requests), " + "(SELECT count(DISTINCT line) FROM reject_errors)")) {
                counts.next();
                System.out.println(counts.getLong(1) + " " + counts.getLong(2));
            }
        }
    }
}
