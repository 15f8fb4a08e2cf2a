package dev.why429.analyzers.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Logs that are there twice ({@code access.log} beside the {@code access.log.gz} made of it, or beside an older copy of itself) would double
 * every request, and with it every limit. A log whose text is another's, or the beginning of another's, is read once.
 */
final class Copies {
    /** Two logs of a few lines may be alike by chance (one health check on each of two pods); two this long are not. */
    private static final int TELLING_WHOLE_BYTES = 1 << 10;
    /** And one may begin like another; not for this long. */
    private static final int TELLING_BEGINNING_BYTES = 64 << 10;

    private static final int BUFFER_BYTES = 64 << 10;

    /** What two logs must begin with alike to be compared whole. */
    private static final int HEAD_BYTES = 4 << 10;

    private final List<Candidate> kept = new ArrayList<>();
    private final List<NotRead> copies = new ArrayList<>();

    private Copies() {}

    /** @param logs those that the operator described one by one are kept whatever they hold, and so are pipes */
    static Kept among(List<LogSource> logs) {
        Copies found = new Copies();
        logs.forEach(found::compare);
        List<String> left = found.copies.stream().map(NotRead::path).toList();
        List<LogSource> read = new ArrayList<>();
        for (LogSource log : logs) {
            if (!left.contains(log.path())) {
                read.add(log.numbered(read.size() + 1));
            }
        }
        return new Kept(read, found.copies);
    }

    record Kept(List<LogSource> logs, List<NotRead> copies) {}

    /** @param head bytes as ISO 8859-1 */
    private record Candidate(LogSource log, String head) {}

    private enum Which {
        NEITHER,
        FIRST,
        SECOND
    }

    /** @param longer NEITHER where they are the same */
    private record Shared(long bytes, Which longer) {}

    private void compare(LogSource log) {
        if (log.described() || log.content().sizeBytes().isEmpty()) {
            return;
        }
        String head;
        try {
            head = new String(log.content().head(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // whoever reads it says what is wrong with it
            return;
        }
        Candidate given = new Candidate(log, head);
        for (int i = 0; !head.isEmpty() && i < kept.size(); i++) {
            Candidate other = kept.get(i);
            Optional<Shared> shared = head.equals(other.head()) ? shared(log, other.log()) : Optional.empty();
            if (shared.isEmpty()) {
                continue;
            }
            boolean same = shared.get().longer() == Which.NEITHER;
            if (shared.get().bytes() >= (same ? TELLING_WHOLE_BYTES : TELLING_BEGINNING_BYTES)) {
                boolean givenIsLonger = shared.get().longer() == Which.FIRST;
                LogSource left = givenIsLonger ? other.log() : log;
                LogSource read = givenIsLonger ? log : other.log();
                String what = same ? "holds the same text as \"" : "is the beginning of \"";
                copies.add(new NotRead(left.path(), what + read.path() + "\", which is read"));
                if (givenIsLonger) {
                    kept.set(i, given);
                }
                return;
            }
        }
        kept.add(given);
    }

    /** @return empty where one is not the beginning of the other */
    private static Optional<Shared> shared(LogSource first, LogSource second) {
        try (InputStream one = first.open();
                InputStream two = second.open()) {
            byte[] left = new byte[BUFFER_BYTES];
            byte[] right = new byte[BUFFER_BYTES];
            long bytes = 0;
            while (true) {
                int leftCount = one.readNBytes(left, 0, left.length);
                int rightCount = two.readNBytes(right, 0, right.length);
                int count = Math.min(leftCount, rightCount);
                bytes += count;
                if (!Arrays.equals(left, 0, count, right, 0, count)) {
                    return Optional.empty();
                }
                if (leftCount != rightCount) {
                    return Optional.of(new Shared(bytes, leftCount > rightCount ? Which.FIRST : Which.SECOND));
                }
                if (leftCount < left.length) {
                    return Optional.of(new Shared(bytes, Which.NEITHER));
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
