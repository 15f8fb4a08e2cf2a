package dev.why429.analyzers.join;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds which log lines are one client request, and fills {@code exchange_lines}, {@code exchanges} and {@code clock_offsets}. By an id that two
 * logs share; where there is none by time, method, path and status (see {@link ContentJoin}).
 *
 * <p>An exchange is numbered by its outermost line: {@code file << 40 | line}. Where each line is a request of its own (one log, or several of the
 * same place in the chain) the tables are views and cost nothing.
 */
public final class Join {
    private final CaseStore store;
    private final List<LogFile> files;
    private final List<String> guesses;
    private final Chain chain;

    private Join(CaseStore store) {
        this.store = store;
        GuessedLayers guessed = GuessedLayers.fill(store, LogFile.all(store));
        this.files = guessed.files();
        this.guesses = guessed.sentences();
        this.chain = Chain.of(files);
    }

    /**
     * How the logs fit together.
     *
     * @param depths how many places in the chain have a log
     * @param depthByFile 0 is nearest the client
     * @param offsets how far clocks are apart, where it could be estimated
     * @param guesses whole sentences, without a full stop, on layers that nobody said
     * @param unjoined logs of which no line could be found in the log in front of them
     */
    public record Result(
            List<LogFile> files,
            int depths,
            Map<Integer, Integer> depthByFile,
            List<ClockOffset> offsets,
            List<Integer> unjoined,
            List<String> guesses) {}

    /**
     * @param offsetMicros what to take from {@code file}'s stamps to have those of {@code against}
     * @param uncertaintyMicros half the width of what the stamps allow
     */
    public record ClockOffset(int file, int against, long offsetMicros, long uncertaintyMicros, long pairs) {}

    /** Joins the lines of a case; needs {@code requests} and {@code inputs}. */
    public static Result run(CaseStore store) {
        return new Join(store).join();
    }

    private Result join() {
        store.execute("CREATE TEMP TABLE places(file INTEGER, layer VARCHAR, depth SMALLINT, end_stamped BOOLEAN,"
                + " resolution_micros BIGINT, logs_upstream BOOLEAN)");
        for (LogFile file : files) {
            store.execute(
                    "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?)",
                    file.file(),
                    file.layer(),
                    chain.depth(file.file()),
                    file.endStamped(),
                    file.resolutionMicros(),
                    file.logsUpstream());
        }
        boolean doubled = files.stream().anyMatch(file -> file.idLike() > 0 && file.durations() < file.statuses())
                || files.stream().filter(file -> file.idLike() > 0).count() > 1;
        if (chain.depths() < 2 && !doubled) {
            Exchanges.eachLineAlone(store);
            return new Result(files, chain.depths(), depths(), List.of(), List.of(), guesses);
        }
        IdJoin ids = IdJoin.run(store, files, chain);
        List<Integer> unjoined = new ArrayList<>();
        store.execute("CREATE TEMP TABLE content_pairs(inner_exchange BIGINT, outer_exchange BIGINT, depth SMALLINT)");
        for (int depth = chain.depths() - 1; depth > 0; depth--) {
            List<LogFile> strangers = chain.at(depth, files).stream()
                    .filter(file -> !ids.linkedOutwards(file.file()))
                    .toList();
            List<LogFile> front = chain.at(depth - 1, files);
            if (!strangers.isEmpty() && new ContentJoin(store, front, strangers, depth).run() == 0) {
                strangers.forEach(file -> unjoined.add(file.file()));
            }
        }
        Exchanges.lines(store, chain.depths());
        List<ClockOffset> offsets = Exchanges.offsets(store);
        Exchanges.rows(store);
        return new Result(files, chain.depths(), depths(), offsets, List.copyOf(unjoined), guesses);
    }

    private Map<Integer, Integer> depths() {
        return files.stream()
                .collect(Collectors.toMap(
                        LogFile::file, file -> chain.depth(file.file()), (a, b) -> a, LinkedHashMap::new));
    }
}
