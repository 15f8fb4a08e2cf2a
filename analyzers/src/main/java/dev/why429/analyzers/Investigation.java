package dev.why429.analyzers;

import dev.why429.analyzers.attribute.Attribution;
import dev.why429.analyzers.capture.CaptureReader;
import dev.why429.analyzers.capture.CaptureRedaction;
import dev.why429.analyzers.capture.CapturedResponse;
import dev.why429.analyzers.capture.Captures;
import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.detect.Detection;
import dev.why429.analyzers.detect.DetectionInput;
import dev.why429.analyzers.detect.Detections;
import dev.why429.analyzers.figure.Figuring;
import dev.why429.analyzers.join.Join;
import dev.why429.analyzers.parse.LogFormats;
import dev.why429.analyzers.reconstruct.Reconstruction;
import dev.why429.analyzers.redact.Redactor;
import dev.why429.analyzers.redact.Salt;
import dev.why429.analyzers.replay.Policy;
import dev.why429.analyzers.replay.RedisEngine;
import dev.why429.analyzers.replay.Replay;
import dev.why429.analyzers.source.CaptureSource;
import dev.why429.analyzers.source.FoundSources;
import dev.why429.analyzers.source.NotRead;
import dev.why429.analyzers.source.SourceFinder;
import dev.why429.analyzers.store.CaseStore;
import dev.why429.analyzers.store.FileResult;
import dev.why429.analyzers.store.Ingest;
import dev.why429.rules.RuleKind;
import dev.why429.rules.Rulebook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** From inputs to a case: the stages in their order. */
public final class Investigation {
    private static final List<RuleKind<?>> KNOWLEDGE =
            List.of(RuleKind.FORMAT, RuleKind.FINGERPRINT, RuleKind.LIMITER, RuleKind.DETECTOR);

    private final InvestigationRequest request;
    private final Progress progress;
    private final Rulebook rulebook;
    private final List<String> warnings = new ArrayList<>();

    private Investigation(InvestigationRequest request, Progress progress, Rulebook rulebook) {
        this.request = request;
        this.progress = progress;
        this.rulebook = rulebook;
    }

    /**
     * Runs every stage and writes {@code case.duckdb} into a new folder beside the case folder; the caller adds its renderings there and then
     * calls {@link Result#moveIntoPlace()}.
     *
     * @throws InputProblem when nothing can be read or an option does not fit
     */
    public static Result run(InvestigationRequest request, Progress progress) {
        return new Investigation(request, progress, Rulebook.builtIn()).run();
    }

    /** A case that is not yet in its place. */
    public interface Result extends AutoCloseable {
        Case theCase();

        /** Where renderings go before the case is moved into place. */
        Path workFolder();

        /** Moves the finished folder to where it was asked for. */
        void moveIntoPlace();

        /** Removes what is left when it was not moved. */
        @Override
        void close();
    }

    private Result run() {
        if (request.inputs().isEmpty() && request.sourcesFile().isEmpty()) {
            throw new InputProblem(
                    InputProblem.Kind.USAGE,
                    List.of("no input is given; name logs, captures or a folder, or - for standard input"));
        }
        List<Policy> policies = policies();
        progress.stage("looking");
        FoundSources found = SourceFinder.find(request);
        warnings.addAll(found.warnings());
        LogReading reading = LogReading.of(found, LogFormats.of(rulebook), request);
        warnings.addAll(reading.warnings());
        List<NotRead> notRead = Stream.concat(found.notRead().stream(), reading.notRead().stream())
                .toList();
        if (reading.readable().isEmpty() && found.captures().isEmpty()) {
            throw nothingReadable(notRead);
        }
        notRead.forEach(file -> warnings.add("\"" + file.path() + "\" is not read: " + file.why()));
        CaseFolder folder = begin();
        try {
            Case theCase = investigate(folder, found.captures(), reading, policies);
            return new Finished(folder, theCase);
        } catch (RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    private List<Policy> policies() {
        List<String> mistakes = new ArrayList<>();
        List<Policy> policies = new ArrayList<>();
        for (String text : request.policies()) {
            try {
                policies.add(Policy.parse(text));
            } catch (IllegalArgumentException e) {
                mistakes.add(e.getMessage());
            }
        }
        if (!mistakes.isEmpty()) {
            throw new InputProblem(InputProblem.Kind.USAGE, mistakes);
        }
        return policies;
    }

    private InputProblem nothingReadable(List<NotRead> notRead) {
        List<String> problems = new ArrayList<>();
        notRead.forEach(file -> problems.add("\"" + file.path() + "\": " + file.why()));
        if (problems.isEmpty()) {
            problems.add("\"" + String.join("\", \"", request.inputs())
                    + "\" holds no log and no captured response; name access logs, or see \"why429 formats FILE\"");
        }
        return new InputProblem(InputProblem.Kind.NO_USABLE_INPUT, problems);
    }

    private CaseFolder begin() {
        try {
            return CaseFolder.begin(request.caseFolder(), request.force());
        } catch (CaseFolder.CannotWrite e) {
            throw new InputProblem(InputProblem.Kind.USAGE, List.of(e.getMessage()));
        }
    }

    private Case investigate(
            CaseFolder folder, List<CaptureSource> captureFiles, LogReading reading, List<Policy> policies) {
        Redactor redactor = redactor(folder.work());
        Path spill = folder.work().resolve("spill");
        try (CaseStore store = CaseStore.create(
                folder.work().resolve("case.duckdb"), spill, request.threads(), request.memoryMegabytes())) {
            progress.stage("reading");
            List<FileResult> files = Ingest.load(store, reading.readable(), redactor, request.threads(), progress);
            files.forEach(file -> warnings.addAll(file.warnings()));
            Captures.store(store, captured(captureFiles), new DoorForCaptures(redactor));
            if (files.stream().noneMatch(Investigation::saysSomething) && captureFiles.isEmpty()) {
                throw nothingReadable(files.stream()
                        .map(file -> new NotRead(
                                file.input().source().path(),
                                file.lines() == 0
                                        ? "empty"
                                        : file.notices() > 0
                                                ? "notes, and no log beside them"
                                                : "none of its " + file.lines() + " lines can be read: "
                                                        + file.rejectedByReason()))
                        .toList());
            }
            leaveOutOtherTimes(store);
            progress.stage("joining");
            Join.Result joined = Join.run(store);
            joined.guesses().forEach(guess -> warnings.add(guess + "; say otherwise with --sources"));
            progress.stage("attributing");
            Attribution.Result attributed = Attribution.run(store, rulebook, joined);
            progress.stage("reconstructing");
            Reconstruction reconstructed = Reconstruction.run(store, rulebook);
            progress.stage("detecting");
            Detections detected = Detection.run(new DetectionInput(
                    store, rulebook, reconstructed.limiters(), attributed.denials(), request.declared()));
            progress.stage("replaying");
            List<Case.Replay> replayed = replay(store, policies);
            progress.stage("writing");
            return assemble(store, files, joined, attributed, reconstructed, detected, replayed);
        } finally {
            removeSpill(spill);
        }
    }

    /** Notes alone are no log: they stand beside one. */
    private static boolean saysSomething(FileResult file) {
        boolean note = file.input().format().id().equals("text")
                || file.input().format().id().equals("key-dump");
        return file.requests() > 0 || (file.notices() > 0 && !note);
    }

    /** What {@code --since} and {@code --until} leave out was read and counted, and takes no part in anything that follows. */
    private void leaveOutOtherTimes(CaseStore store) {
        if (request.since().isEmpty() && request.until().isEmpty()) {
            return;
        }
        Instant since = request.since().orElse(Instant.EPOCH);
        Instant until = request.until().orElse(Instant.parse("9999-12-31T00:00:00Z"));
        long left = store.execute("DELETE FROM request_rows WHERE logged_at < ? OR logged_at >= ?", since, until)
                + store.execute("DELETE FROM notices WHERE logged_at < ? OR logged_at >= ?", since, until);
        if (left > 0) {
            warnings.add(left + " lines are of another time than --since and --until say and take no part");
        }
        if (store.query("SELECT 1 AS one FROM requests LIMIT 1", row -> row.integer("one"))
                .isEmpty()) {
            warnings.add("no request lies between --since and --until; look at the inputs' span and at --tz");
        }
    }

    private static void removeSpill(Path spill) {
        try {
            if (Files.isDirectory(spill)) {
                try (Stream<Path> left = Files.list(spill)) {
                    for (Path file : left.toList()) {
                        Files.deleteIfExists(file);
                    }
                }
                Files.delete(spill);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot remove \"" + spill + "\"", e);
        }
    }

    private Redactor redactor(Path work) {
        if (request.redact() == InvestigationRequest.RedactMode.OFF) {
            return Redactor.off();
        }
        try {
            Salt salt = request.saltFile().isPresent()
                    ? Salt.read(request.saltFile().get())
                    : Salt.random();
            salt.write(work.resolve("salt"));
            return new Redactor(request.redact(), salt);
        } catch (IOException e) {
            throw new InputProblem(InputProblem.Kind.USAGE, List.of(e.getMessage()));
        }
    }

    private List<CapturedResponse> captured(List<CaptureSource> files) {
        List<CapturedResponse> all = new ArrayList<>();
        for (CaptureSource file : files) {
            try (InputStream in = file.content().open()) {
                CaptureReader.Reading reading = CaptureReader.read(in, file.path());
                all.addAll(reading.responses());
                warnings.addAll(reading.problems());
            } catch (IOException e) {
                warnings.add("\"" + file.path() + "\" cannot be read: " + e.getMessage());
            }
        }
        return all;
    }

    private List<Case.Replay> replay(CaseStore store, List<Policy> policies) {
        if (policies.isEmpty()) {
            return List.of();
        }
        try (RedisEngine engine = RedisEngine.open(request.redisUri())) {
            return Replay.run(store, policies, engine);
        }
    }

    private Case assemble(
            CaseStore store,
            List<FileResult> files,
            Join.Result joined,
            Attribution.Result attributed,
            Reconstruction reconstructed,
            Detections detected,
            List<Case.Replay> replayed) {
        Overview overview = new Overview(store);
        Optional<Case.Span> span = overview.span();
        List<Case.Skipped> skipped = new ArrayList<>(attributed.skipped());
        skipped.addAll(reconstructed.skipped());
        skipped.addAll(detected.skipped());
        List<Case.BlindSpot> blindSpots = new ArrayList<>(attributed.blindSpots());
        blindSpots.addAll(reconstructed.blindSpots());
        blindSpots.addAll(detected.blindSpots());
        Case whole = new Case(
                Case.SCHEMA,
                new Case.Tool("why429", version(), rulebook.sha256(KNOWLEDGE)),
                files.stream().map(file -> input(file, layers(joined))).toList(),
                span,
                overview.requests(),
                attributed.denials(),
                reconstructed.limiters(),
                detected.findings(),
                attributed.captures(),
                replayed,
                detected.quiet(),
                skipped,
                blindSpots.stream().distinct().toList(),
                detected.verdict(),
                overview.timeline(span),
                overview.clients(),
                overview.lines(cited(attributed, reconstructed, detected)),
                overview.rejects(),
                warnings.stream().distinct().toList(),
                Figuring.of(store, reconstructed.limiters()),
                Rerun.of(request));
        return request.redact() == InvestigationRequest.RedactMode.STRICT ? WithoutFolders.of(whole) : whole;
    }

    private static List<String> cited(
            Attribution.Result attributed, Reconstruction reconstructed, Detections detected) {
        return Stream.of(
                        attributed.denials().classes().stream().flatMap(c -> c.evidence().stream()),
                        attributed.captures().stream().flatMap(c -> c.request().stream()),
                        reconstructed.limiters().stream().flatMap(l -> l.disagreements().stream()),
                        detected.findings().stream().flatMap(f -> f.evidence().stream()))
                .flatMap(s -> s)
                .toList();
    }

    private static Map<String, String> layers(Join.Result joined) {
        return joined.files().stream()
                .collect(java.util.stream.Collectors.toMap(
                        file -> "F" + file.file(), dev.why429.analyzers.join.LogFile::layer));
    }

    /** @param layers of the logs that hold requests, also where neither the operator nor the format says it */
    private static Case.Input input(FileResult file, Map<String, String> layers) {
        var source = file.input().source();
        var format = file.input().format();
        return new Case.Input(
                source.id(),
                source.path(),
                file.sha256(),
                format.id(),
                layers.getOrDefault(
                        source.id(), source.layer().orElse(format.layer().isEmpty() ? "unknown" : format.layer())),
                source.component().orElse(format.component()),
                source.node(),
                format.zoneInLine()
                        ? "+00:00"
                        : source.zone().map(java.time.ZoneId::getId).orElse("+00:00"),
                format.resolutionMicros() / 1e6,
                format.timeMeans().name().toLowerCase(java.util.Locale.ROOT),
                file.lines(),
                file.requests(),
                file.notices(),
                file.rejected());
    }

    private static String version() {
        String version = Investigation.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Redacts captured responses as log lines are redacted. */
    private record DoorForCaptures(Redactor redactor) implements CaptureRedaction {
        @Override
        public Map<String, List<String>> headers(Map<String, List<String>> headers) {
            return redactor.headers(headers);
        }

        @Override
        public String text(String text) {
            return redactor.text(text);
        }

        @Override
        public String address(String address) {
            return redactor.address(address);
        }

        @Override
        public String url(String url) {
            return redactor.url(url);
        }
    }

    private record Finished(CaseFolder folder, Case theCase) implements Result {
        @Override
        public Path workFolder() {
            return folder.work();
        }

        @Override
        public void moveIntoPlace() {
            folder.moveIntoPlace();
        }

        @Override
        public void close() {
            folder.close();
        }
    }
}
