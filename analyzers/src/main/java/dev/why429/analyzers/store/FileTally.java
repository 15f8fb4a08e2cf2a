package dev.why429.analyzers.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts of one log while several threads read it. */
final class FileTally {
    final FormattedSource input;
    final LongAdder lines = new LongAdder();
    final LongAdder rows = new LongAdder();
    /** Notices among a log's requests. */
    final LongAdder noticesBeside = new LongAdder();

    private final LongAdder requestsBeside = new LongAdder();
    private final Map<String, LongAdder> byOtherFormat = new ConcurrentHashMap<>();

    final LongAdder rejected = new LongAdder();
    private final Map<String, LongAdder> byReason = new ConcurrentHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private String sha256 = "";

    FileTally(FormattedSource input) {
        this.input = input;
    }

    int number() {
        return input.source().number();
    }

    void reject(String reason) {
        rejected.increment();
        byReason.computeIfAbsent(reason, r -> new LongAdder()).increment();
    }

    /** Counts a line of another format than the log's own. */
    void ofAnother(String format, boolean notice) {
        (notice ? noticesBeside : requestsBeside).increment();
        byOtherFormat.computeIfAbsent(format, f -> new LongAdder()).increment();
    }

    private List<String> changes() {
        return byOtherFormat.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(other -> "\"" + input.source().path() + "\" is not of one format: beside "
                        + input.format().id() + ", " + other.getValue().sum() + " of its lines are read as "
                        + other.getKey())
                .toList();
    }

    synchronized void failed(IOException why) {
        warnings.add("\"" + input.source().path() + "\" could not be read to its end: " + why.getMessage());
    }

    synchronized void finished(String hash, List<String> more) {
        sha256 = hash;
        warnings.addAll(more);
    }

    synchronized FileResult result() {
        boolean isRequests = input.format().table() != dev.why429.rules.Field.Table.NOTICES;
        Map<String, Long> reasons = new TreeMap<>();
        byReason.forEach((reason, count) -> reasons.put(reason, count.sum()));
        return new FileResult(
                input,
                sha256,
                lines.sum(),
                requestsBeside.sum() + (isRequests ? rows.sum() : 0),
                noticesBeside.sum() + (isRequests ? 0 : rows.sum()),
                rejected.sum(),
                reasons,
                Stream.concat(warnings.stream(), changes().stream()).toList());
    }
}
