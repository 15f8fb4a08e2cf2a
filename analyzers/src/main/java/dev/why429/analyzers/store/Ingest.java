package dev.why429.analyzers.store;

import dev.why429.analyzers.Progress;
import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.redact.Redactor;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads logs into a case: parse, redact and store in one pass. Every line becomes a request, a notice or a reject; that the counts add up is
 * checked against the tables after each load.
 */
public final class Ingest {
    private static final AtomicInteger FUNCTIONS = new AtomicInteger();

    private Ingest() {}

    /**
     * @param threads how many read at once
     * @return what became of each log, in the order given
     * @throws StoreException when the database fails, or when lines got lost, which is a mistake of this program
     */
    public static List<FileResult> load(
            CaseStore store, List<FormattedSource> inputs, Redactor redactor, int threads, Progress progress) {
        Map<Group, List<FileTally>> groups = new LinkedHashMap<>();
        List<FileTally> all = new ArrayList<>();
        for (FormattedSource input : inputs) {
            FileTally tally = new FileTally(input);
            all.add(tally);
            groups.computeIfAbsent(Group.of(input.format()), g -> new ArrayList<>())
                    .add(tally);
        }
        RequestRows.prepare(store, stored(groups.keySet()));
        RequestRows.prepareLate(store);
        groups.forEach((group, files) -> load(store, group, files, redactor, threads, progress));
        RequestRows.takeLate(store);
        List<FileResult> results = all.stream().map(FileTally::result).toList();
        check(store, results);
        writeInputs(store, results);
        return results;
    }

    /** Logs that fill the same columns of the same table, and so are loaded by one statement. */
    private record Group(Field.Table table, List<Field> fields) {
        static Group of(LogFormat format) {
            Field.Table table = format.table() == Field.Table.NOTICES ? Field.Table.NOTICES : Field.Table.REQUESTS;
            return new Group(table, LineTable.columns(table, format.fields()));
        }

        String tableName() {
            return table == Field.Table.REQUESTS
                    ? RequestRows.TABLE
                    : table.name().toLowerCase(Locale.ROOT);
        }
    }

    /** The columns of the request table that some log fills, and those that say which line it was. */
    private static List<Field> stored(Set<Group> groups) {
        return Fields.dictionary().of(Field.Table.REQUESTS).stream()
                .filter(field -> LineTable.PLACE.contains(field.name())
                        || groups.stream()
                                .anyMatch(group -> group.table() == Field.Table.REQUESTS
                                        && group.fields().contains(field)))
                .toList();
    }

    private static void load(
            CaseStore store, Group group, List<FileTally> files, Redactor redactor, int threads, Progress progress) {
        SegmentQueue queue = new SegmentQueue(files, progress);
        String function = "lines_" + FUNCTIONS.incrementAndGet();
        try (RejectWriter rejects = new RejectWriter(store.another());
                RowWriter notices = new RowWriter(
                        store.another(), "notices", Fields.dictionary().of(Field.Table.NOTICES));
                RowWriter late = new RowWriter(
                        store.another(), RequestRows.LATE, Fields.dictionary().of(Field.Table.REQUESTS));
                Statement statement = store.connection().createStatement()) {
            LineTable lines = new LineTable(queue, redactor, rejects, notices, late, threads, group.fields());
            lines.register(store.connection(), function);
            statement.execute(lines.insertInto(group.tableName(), function));
        } catch (SQLException e) {
            throw new StoreException("the lines cannot be stored: " + e.getMessage(), e);
        } finally {
            queue.close();
        }
    }

    private static void check(CaseStore store, List<FileResult> results) {
        Map<Long, Long> stored = new HashMap<>();
        for (String table : List.of("requests", "notices", "rejects")) {
            store.forEach(
                    "SELECT file, count(*) AS lines FROM " + table + " GROUP BY file",
                    row -> stored.merge(row.integer("file"), row.integer("lines"), Long::sum));
        }
        for (FileResult result : results) {
            long inTables = stored.getOrDefault((long) result.input().source().number(), 0L);
            long counted = result.requests() + result.notices() + result.rejected();
            if (result.lines() != counted || result.lines() != inTables) {
                throw new StoreException(
                        "\"" + result.input().source().path() + "\" has " + result.lines() + " lines, but " + counted
                                + " were read and " + inTables
                                + " stored; this is a mistake of why429, please report it",
                        null);
            }
        }
    }

    private static void writeInputs(CaseStore store, List<FileResult> results) {
        store.execute("CREATE TABLE IF NOT EXISTS inputs(file INTEGER, path VARCHAR, sha256 VARCHAR, format VARCHAR, "
                + "layer VARCHAR, component VARCHAR, node VARCHAR, time_zone VARCHAR, time_resolution_seconds DOUBLE, "
                + "time_means VARCHAR, lines BIGINT, requests BIGINT, notices BIGINT, rejected BIGINT)");
        try (TableWriter inputs = store.writer("inputs")) {
            for (FileResult result : results) {
                LogFormat format = result.input().format();
                var source = result.input().source();
                String ofFormat = format.layer().isEmpty() ? "unknown" : format.layer();
                inputs.integer(source.number())
                        .text(source.path())
                        .text(result.sha256())
                        .text(format.id())
                        .text(source.layer().orElse(ofFormat))
                        .text(source.component().orElse(format.component()))
                        .text(source.node())
                        .text(zone(result))
                        .number(format.resolutionMicros() / 1e6)
                        .text(format.timeMeans().name().toLowerCase(Locale.ROOT))
                        .integer(result.lines())
                        .integer(result.requests())
                        .integer(result.notices())
                        .integer(result.rejected())
                        .endRow();
            }
        }
    }

    /** Where the stamps say their zone themselves, the table's times are in UTC by it. */
    private static String zone(FileResult result) {
        return result.input().format().zoneInLine()
                ? "+00:00"
                : result.input().source().zone().map(java.time.ZoneId::getId).orElse("+00:00");
    }
}
