package dev.why429.analyzers.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of one log while several threads read it. */
final class FileTally {
    final FormattedSource input;
    final LongAdder lines = new LongAdder();
    final LongAdder rows = new LongAdder();
    /** Notices among a log's requests. */
    final LongAdder noticesBeside = new LongAdder();

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
                isRequests ? rows.sum() : 0,
                isRequests ? noticesBeside.sum() : rows.sum(),
                rejected.sum(),
                reasons,
                List.copyOf(warnings));
    }
}
