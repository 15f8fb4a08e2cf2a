package dev.why429.analyzers.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a {@code decisions.csv}: what a limiter must answer. A row with {@code times} above 1 is that many equal requests with the same
 * verdict; the numbers are the last one's.
 */
record DecisionTable(String limiter, List<Row> rows) {
    record Row(
            int line,
            String story,
            List<Long> parameters,
            long nowMicros,
            String key,
            long cost,
            int times,
            Decision.Outcome outcome,
            long remaining,
            long retryMicros) {}

    static DecisionTable of(String limiter) {
        Path file = Path.of("..", "rules", "limiters", limiter, "decisions.csv");
        try {
            List<Row> rows = new ArrayList<>();
            List<String> lines = Files.readAllLines(file);
            for (int i = 1; i < lines.size(); i++) {
                String[] cells = lines.get(i).split(",", -1);
                rows.add(new Row(
                        i + 1,
                        cells[0],
                        Arrays.stream(cells[1].split(" ", -1))
                                .map(Long::valueOf)
                                .toList(),
                        Long.parseLong(cells[2]),
                        cells[3],
                        Long.parseLong(cells[4]),
                        Integer.parseInt(cells[5]),
                        outcome(cells[6]),
                        Long.parseLong(cells[7]),
                        Long.parseLong(cells[8])));
            }
            return new DecisionTable(limiter, rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Decision.Outcome outcome(String cell) {
        return switch (cell) {
            case "1" -> Decision.Outcome.ALLOWED;
            case "0" -> Decision.Outcome.DENIED;
            default -> Decision.Outcome.valueOf(cell);
        };
    }

    /** All rows as one stream; keys of different stories are different keys. */
    EventStream events() {
        EventStream events = new EventStream();
        for (Row row : rows) {
            for (int i = 0; i < row.times(); i++) {
                events.add(
                        row.story() + "/" + row.key(),
                        row.nowMicros(),
                        row.cost(),
                        row.parameters().stream().mapToLong(Long::longValue).toArray());
            }
        }
        return events;
    }

    /** What differs between the table and the decisions on its events, a line each. */
    List<String> differences(List<Decision> decisions) {
        List<String> differences = new ArrayList<>();
        int at = 0;
        for (Row row : rows) {
            for (int i = 0; i < row.times(); i++) {
                Decision got = decisions.get(at++);
                boolean last = i == row.times() - 1;
                if (got.outcome() != row.outcome()
                        || (last && (got.remaining() != row.remaining() || got.retryMicros() != row.retryMicros()))) {
                    differences.add(limiter + "/decisions.csv:" + row.line() + " (" + row.story() + "), time " + (i + 1)
                            + ": expected " + row.outcome() + " remaining " + row.remaining() + " retry "
                            + row.retryMicros() + ", got " + got);
                    at += row.times() - 1 - i;
                    break;
                }
            }
        }
        return differences;
    }
}
