package dev.why429.analyzers;

import dev.why429.analyzers.casefile.Case;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A case that may leave the company names files, but not the folders in which they lie. */
final class WithoutFolders {
    private WithoutFolders() {}

    static Case of(Case theCase) {
        List<String> paths = Stream.concat(
                        theCase.inputs().stream().map(Case.Input::path),
                        theCase.captures().stream().map(Case.CaptureVerdict::file))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        return new Case(
                theCase.schema(),
                theCase.tool(),
                theCase.inputs().stream().map(WithoutFolders::input).toList(),
                theCase.span(),
                theCase.requests(),
                theCase.denials(),
                theCase.limiters(),
                theCase.findings(),
                theCase.captures().stream().map(WithoutFolders::capture).toList(),
                theCase.replay(),
                theCase.quiet(),
                theCase.skipped(),
                theCase.blindSpots(),
                theCase.verdict(),
                theCase.timeline(),
                theCase.clients(),
                theCase.lines(),
                theCase.rejects(),
                theCase.warnings().stream()
                        .map(warning -> warning(warning, paths))
                        .toList(),
                theCase.figures(),
                theCase.run());
    }

    private static String warning(String warning, List<String> paths) {
        String shown = warning;
        for (String path : paths) {
            shown = shown.replace(path, name(path));
        }
        // what was not read is no input, but is named in quotes too
        return shown.replaceAll("\"[^\"]*/([^\"/]+)\"", "\"$1\"");
    }

    private static Case.Input input(Case.Input input) {
        return new Case.Input(
                input.id(),
                name(input.path()),
                input.sha256(),
                input.format(),
                input.layer(),
                input.component(),
                input.node(),
                input.timeZone(),
                input.timeResolutionSeconds(),
                input.timeMeans(),
                input.lines(),
                input.requests(),
                input.notices(),
                input.rejected());
    }

    private static Case.CaptureVerdict capture(Case.CaptureVerdict capture) {
        return new Case.CaptureVerdict(
                capture.id(),
                name(capture.file()),
                capture.status(),
                capture.layer(),
                capture.component(),
                capture.reason(),
                capture.confidence(),
                capture.request(),
                capture.because());
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
