package dev.why429.benchmarks;

import dev.why429.analyzers.InvestigationRequest.RedactMode;
import dev.why429.analyzers.Progress;
import dev.why429.analyzers.parse.FormatDetector;
import dev.why429.analyzers.parse.FormatHint;
import dev.why429.analyzers.parse.LogFormat;
import dev.why429.analyzers.parse.LogFormats;
import dev.why429.analyzers.redact.Redactor;
import dev.why429.analyzers.redact.Salt;
import dev.why429.analyzers.source.FoundSources;
import dev.why429.analyzers.source.LogSource;
import dev.why429.analyzers.source.SourceFinder;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.store.FileResult;
import dev.why429.analyzers.store.FormattedSource;
import dev.why429.analyzers.store.Ingest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Ours: finds, reads, redacts and stores a combined log, every column that such a line fills and its place. */
public final class LoadOurs {
    private LoadOurs() {}

    /** Arguments: log, database file (replaced), threads, off or normal. Prints rows and rejected lines; fails when a line is lost. */
    public static void main(String[] arguments) throws IOException {
        Path database = Path.of(arguments[1]).toAbsolutePath();
        Files.deleteIfExists(database);
        int threads = Integer.parseInt(arguments[2]);
        RedactMode mode = RedactMode.valueOf(arguments[3].toUpperCase(Locale.ROOT));
        FoundSources found = SourceFinder.find(
                List.of(arguments[0]), Optional.empty(), List.of(), Path.of(""), InputStream.nullInputStream());
        FormatDetector detector = new FormatDetector(LogFormats.builtIn());
        List<FormattedSource> inputs = new ArrayList<>();
        for (LogSource log : found.logs()) {
            byte[] sample = log.sample();
            LogFormat format = detector.detect(sample, 0, sample.length, FormatHint.none())
                    .orElseThrow()
                    .format();
            inputs.add(new FormattedSource(log, format));
        }
        try (CaseStore store = CaseStore.create(database, database.getParent(), threads, 400)) {
            for (FileResult result :
                    Ingest.load(store, inputs, new Redactor(mode, Salt.random()), threads, Progress.SILENT)) {
                System.out.println(result.requests() + " " + result.rejected());
            }
        }
    }
}
