package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.LogFormats.Candidate;
import dev.why429.rules.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What else the lines of a log may be that are not of its own format: a format that was changed in the middle of a file, an error log on the
 * same stream, another container's lines. Immutable; made of formats only when a line needs it.
 */
public final class OtherFormats {
    /** So many lines in a row that nothing reads, and a thread tries no more: what is broken must not cost what is not. */
    private static final int TRIES_IN_VAIN = 500;

    private static final int LEVEL = LineValues.ordinal("level");

    private final LogFormats formats;
    private final FormatHint hint;
    private final String own;

    /** @param own id of the log's own format */
    public OtherFormats(LogFormats formats, FormatHint hint, String own) {
        this.formats = formats;
        this.hint = hint;
        this.own = own;
    }

    /** For one thread. */
    public Reader newReader() {
        return new Reader();
    }

    private record Other(LogFormat format, LineReader reader, boolean words) {}

    /** Tries the other formats on single lines, the one that fitted last first. */
    public final class Reader {
        private final List<Other> others = new ArrayList<>();
        private int inVain;
        private boolean made;

        private Reader() {}

        /**
         * Reads a line that its own format cannot.
         *
         * @param line cleared; filled when a format is returned
         * @return the format that read it
         */
        public Optional<LogFormat> read(byte[] bytes, int from, int to, ParsedLine line) {
            if (inVain > TRIES_IN_VAIN) {
                return Optional.empty();
            }
            make();
            for (int i = 0; i < others.size(); i++) {
                Other other = others.get(i);
                line.clear();
                if (!other.reader().read(bytes, from, to, line) || (other.words() && !line.has(LEVEL))) {
                    continue;
                }
                if (other.format().table() == Field.Table.NOTICES) {
                    line.markNotice();
                }
                others.remove(i);
                others.add(0, other);
                inVain = 0;
                return Optional.of(other.format());
            }
            inVain++;
            return Optional.empty();
        }

        private void make() {
            if (made) {
                return;
            }
            made = true;
            formats.candidates(hint).stream()
                    .filter(candidate -> !candidate.format().id().equals(own)
                            && (!candidate.format().generic() || isJson(candidate)))
                    .sorted(Comparator.comparing(
                                    (Candidate candidate) -> candidate.format().generic())
                            .thenComparing(candidate -> !candidate.named())
                            .thenComparingInt(
                                    candidate -> -candidate.format().markers().size())
                            .thenComparingInt(
                                    candidate -> -candidate.compiled().fields().size())
                            .thenComparing(candidate ->
                                    !candidate.format().components().isEmpty()))
                    .forEach(candidate -> others.add(
                            new Other(candidate.compiled(), candidate.compiled().newReader(), false)));
            formats.lastResorts(hint).stream()
                    .filter(format -> format.id().equals("words") && !own.equals("words"))
                    .forEach(format -> others.add(new Other(format, format.newReader(), true)));
        }

        private static boolean isJson(Candidate candidate) {
            return candidate.format().reading() == dev.why429.rules.Format.Reading.JSON;
        }
    }
}
