package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.LogFormats.Candidate;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format.Pattern;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the format of a file from its first lines: every known format reads them, and of those that read most of them the one that gets most
 * out of them wins. When none does, the columns are inferred from their values.
 */
public final class FormatDetector {
    /** Enough to see a format in, and few enough to cost nothing. */
    private static final int SAMPLE_LINES = 200;

    /** Larger texts without a known shape are somebody's log that cannot be read, no notes beside one. */
    private static final int LONGEST_NOTE_BYTES = 64 << 10;

    private static final int DEEPEST_WRAPPING = 3;

    /** Formats that read nearly anything: finding one proves nothing. */
    private static final Set<String> GUESSED = Set.of("words", "text", "key-dump", PatternInference.ID);

    private static final double MAJORITY = 0.5;
    private static final double NEARLY_ALL = 0.9;

    /** Of a log that is of several formats each has a share. */
    private static final double SOME = 0.2;

    private final LogFormats formats;

    public FormatDetector(LogFormats formats) {
        this.formats = formats;
    }

    /**
     * What was found.
     *
     * @param score share of the sample's lines that the format reads, 0 to 1
     * @param lines lines in the sample, empty ones left out
     */
    public record Verdict(LogFormat format, double score, int lines, int matched) {}

    /**
     * @param bytes the head of the file, decompressed; a last line without its end is left out when there are others
     * @return empty when the file is no log that can be read
     * @throws IllegalArgumentException when the hint's log format is wrong: one sentence
     */
    public Optional<Verdict> detect(byte[] bytes, int from, int to, FormatHint hint) {
        return detect(Sample.of(bytes, from, to, SAMPLE_LINES), to - from, hint, 0);
    }

    private Optional<Verdict> detect(Sample sample, int length, FormatHint hint, int depth) {
        Optional<Verdict> wrapped =
                depth < DEEPEST_WRAPPING ? within(Wrapping.SURE, sample, hint, depth) : Optional.empty();
        if (wrapped.isPresent()) {
            return wrapped;
        }
        if (hint.logFormat().isPresent()) {
            LogFormat given = formats.compile(hint.logFormat().get(), hint);
            return Optional.of(verdict(given, trial(given, sample), sample));
        }
        if (sample.count() == 0) {
            return Optional.empty();
        }
        List<Tried> all = formats.candidates(hint).stream()
                .map(candidate -> new Tried(candidate, trial(candidate.compiled(), sample)))
                .filter(tried -> tried.trial().matched() > 0)
                .toList();
        Optional<Tried> best = all.stream()
                .filter(tried -> tried.trial().matched() > sample.count() * MAJORITY)
                .max(BETTER);
        if (best.isPresent() && best.get().trial().matched() >= sample.count() * NEARLY_ALL) {
            Tried chosen = best.get();
            return Optional.of(verdict(proxied(chosen, hint), chosen.trial(), sample));
        }
        Optional<Verdict> headed =
                depth < DEEPEST_WRAPPING ? within(Wrapping.OTHERS, sample, hint, depth) : Optional.empty();
        Optional<Verdict> known = headed.filter(inner ->
                inner.score() >= NEARLY_ALL && !GUESSED.contains(inner.format().id()));
        if (known.isPresent()) {
            return known;
        }
        Optional<LogFormat> inferred = new PatternInference(formats, hint).infer(sample);
        if (inferred.isPresent()) {
            Trial trial = trial(inferred.get(), sample);
            int bestKnown = best.map(tried -> tried.trial().matched()).orElse(0);
            if (trial.matched() > Math.max(bestKnown, sample.count() * MAJORITY)) {
                return Optional.of(verdict(inferred.get(), trial, sample));
            }
        }
        if (best.isPresent()) {
            return best.map(tried -> verdict(tried.candidate().compiled(), tried.trial(), sample));
        }
        if (headed.filter(inner ->
                        inner.score() >= NEARLY_ALL && !inner.format().id().equals("text"))
                .isPresent()) {
            return headed;
        }
        Optional<Tried> some = all.stream()
                .filter(tried -> !tried.candidate().format().generic())
                .filter(tried -> tried.trial().matched() >= Math.max(2, sample.count() * SOME))
                .max(Comparator.comparingInt((Tried tried) -> tried.trial().matched())
                        .thenComparing(BETTER));
        if (some.isPresent()) {
            return some.map(tried -> verdict(tried.candidate().compiled(), tried.trial(), sample));
        }
        boolean small = sample.count() < SAMPLE_LINES && length < LONGEST_NOTE_BYTES;
        return formats.lastResorts(hint).stream()
                .filter(format -> small || !format.id().equals("text"))
                .map(format -> verdict(format, trial(format, sample), sample))
                .filter(verdict -> verdict.score() >= (verdict.format().id().equals("words") ? MAJORITY : NEARLY_ALL))
                .findFirst();
    }

    /** The format of what is left when most lines are peeled of what one carrier puts around them. */
    private Optional<Verdict> within(List<Wrapping> wrappings, Sample sample, FormatHint hint, int depth) {
        for (Wrapping wrapping : wrappings) {
            Wrapping.Peeled peeled = new Wrapping.Peeled();
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            int count = 0;
            for (int i = 0; i < sample.count(); i++) {
                if (!wrapping.peel(sample.bytes(), sample.from(i), sample.to(i), peeled)) {
                    continue;
                }
                count++;
                lines.write(peeled.bytes, peeled.from, peeled.to - peeled.from);
                if (!peeled.continues) {
                    lines.write('\n');
                }
            }
            if (count == 0 || count < sample.count() * NEARLY_ALL) {
                continue;
            }
            byte[] inner = lines.toByteArray();
            boolean sure = Wrapping.SURE.contains(wrapping);
            Sample within = Sample.of(inner, 0, inner.length, SAMPLE_LINES);
            if (sample.outerStamped() || peeled.stampTo > peeled.stampFrom) {
                within.markOuterStamped();
            }
            Optional<Verdict> verdict = detect(within, inner.length, hint, sure ? depth + 1 : DEEPEST_WRAPPING);
            if (verdict.isEmpty()) {
                continue;
            }
            LogFormat outer = verdict.get().format().within(wrapping, hint);
            Trial trial = trial(outer, sample);
            Verdict whole = verdict(outer, trial, sample);
            if (sure || !GUESSED.contains(outer.id()) || wrapping == Wrapping.SYSLOG) {
                return Optional.of(whole);
            }
        }
        return Optional.empty();
    }

    /**
     * What a format got out of the sample.
     *
     * @param filled ordinals of the fields that some line had
     * @param named ordinals of the fields that some line had a place for
     * @param absoluteTargets lines whose target named its host
     */
    private record Trial(
            int matched, BitSet filled, BitSet named, long resolutionMicros, boolean zoneInLine, int absoluteTargets) {}

    private record Tried(Candidate candidate, Trial trial) {
        int markers() {
            return candidate.format().markers().size();
        }

        /** Columns that the lines themselves fill: when a request arrived follows from the others. */
        int said() {
            BitSet filled = (BitSet) trial.filled().clone();
            filled.clear(LineValues.ARRIVED_AT);
            filled.clear(LineValues.UNCERTAINTY);
            return filled.cardinality();
        }

        boolean neutral() {
            return candidate.format().components().isEmpty();
        }
    }

    private static final Comparator<Tried> BETTER = Comparator.comparingInt(
                    (Tried tried) -> tried.candidate().format().generic() ? 0 : 1)
            .thenComparing(tried -> tried.candidate().named())
            .thenComparingInt(Tried::markers)
            .thenComparingInt(tried -> tried.trial().matched())
            .thenComparingInt(Tried::said)
            .thenComparing(Tried::neutral);

    private static Trial trial(LogFormat format, Sample sample) {
        LineReader reader = format.newReader();
        ParsedLine line = new ParsedLine();
        BitSet filled = new BitSet();
        BitSet named = new BitSet();
        int matched = 0;
        int absolute = 0;
        long resolution = Long.MAX_VALUE;
        boolean zone = true;
        for (int i = 0; i < sample.count(); i++) {
            line.clear();
            if (sample.outerStamped()) {
                line.setOuterStamp(0, 1);
            }
            if (!reader.read(sample.bytes(), sample.from(i), sample.to(i), line)) {
                continue;
            }
            matched++;
            for (int field = 0; field < Fields.dictionary().all().size(); field++) {
                if (line.has(field)) {
                    filled.set(field);
                }
            }
            absolute += line.has(LineValues.HOST) ? 1 : 0;
            Seen seen = (Seen) reader;
            for (int field = 0; field < Fields.dictionary().all().size(); field++) {
                if (seen.saw(field)) {
                    named.set(field);
                }
            }
            if (line.has(LineValues.LOGGED_AT)) {
                Stamps stamps = seen.stamps();
                resolution = Math.min(resolution, stamps.resolutionMicros());
                zone &= stamps.zoneInLine();
            }
        }
        boolean timed = filled.get(LineValues.LOGGED_AT);
        return new Trial(matched, filled, named, timed ? resolution : 1_000_000L, zone || !timed, absolute);
    }

    private static Verdict verdict(LogFormat format, Trial trial, Sample sample) {
        List<Field> filled = new ArrayList<>();
        Fields.dictionary().all().stream()
                .filter(field ->
                        trial.filled().get(field.ordinal()) || trial.named().get(field.ordinal()))
                .forEach(filled::add);
        LogFormat seen = new LogFormat(
                format.id(),
                format.component(),
                format.layer(),
                format.pattern(),
                format.table(),
                format.fields(),
                format.timeMeans(),
                trial.resolutionMicros(),
                trial.zoneInLine(),
                MissingFields.of(
                        trial.matched() == 0 ? format.fields() : filled,
                        format.table(),
                        trial.resolutionMicros(),
                        format.id()),
                format.readers());
        return new Verdict(
                seen,
                sample.count() == 0 ? 0 : (double) trial.matched() / sample.count(),
                sample.count(),
                trial.matched());
    }

    /** Of the many that write combined only varnishncsa makes every target absolute ({@code "GET http://host/path HTTP/1.1"}). */
    private LogFormat proxied(Tried tried, FormatHint hint) {
        Optional<String> shape = tried.candidate().pattern().flatMap(Pattern::shape);
        if (!tried.neutral()
                || !shape.equals(Optional.of("combined"))
                || hint.component().isPresent()
                || tried.trial().absoluteTargets() < tried.trial().matched() * NEARLY_ALL) {
            return tried.candidate().compiled();
        }
        return formats.compile("varnishncsa", hint);
    }
}
