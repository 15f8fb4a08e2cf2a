package dev.why429.analyzers.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.attribute.FingerprintSet.Recognition;
import dev.why429.analyzers.capture.CaptureReader;
import dev.why429.analyzers.capture.CapturedResponse;
import dev.why429.rules.Fingerprint;
import dev.why429.rules.Rulebook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Every fingerprint on its own samples, and on those of all others. */
class FingerprintSamplesTest {
    private static final FingerprintSet SET = FingerprintSet.of(Rulebook.builtIn());
    private static final Path FOLDERS = Path.of("..", "rules", "fingerprints");

    static Stream<Path> hits() throws IOException {
        return samples("hit-");
    }

    static Stream<Path> misses() throws IOException {
        return samples("miss-");
    }

    private static Stream<Path> samples(String prefix) throws IOException {
        try (Stream<Path> walk = Files.walk(FOLDERS, 3)) {
            return walk
                    .filter(p -> p.getFileName().toString().startsWith(prefix)
                            && p.toString().endsWith(".http"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("hits")
    void aFingerprintWinsItsOwnCaptures(Path sample) throws IOException {
        Optional<Recognition> best = SET.recognise(status(sample), headers(sample), body(sample));
        assertThat(best).as("recognised").isPresent();
        assertThat(best.get().fingerprint().id()).isEqualTo(idOf(sample));
        assertThat(best.get().confidence()).isGreaterThanOrEqualTo(Judgement.ENOUGH);
    }

    @ParameterizedTest
    @MethodSource("hits")
    void noOtherFingerprintClaimsThemAsCertain(Path sample) throws IOException {
        assertThat(SET.all())
                .filteredOn(f -> !f.id().equals(idOf(sample)))
                .allSatisfy(f -> assertThat(scoreOf(f, sample))
                        .as("%s on %s", f.id(), sample)
                        .isLessThan(Fingerprint.CERTAIN));
    }

    @ParameterizedTest
    @MethodSource("misses")
    void whatMustMissIsNotNamedAfterIt(Path sample) throws IOException {
        Optional<Recognition> best = SET.recognise(status(sample), headers(sample), body(sample));
        assertThat(best.filter(r -> r.confidence() >= Judgement.ENOUGH)
                        .map(r -> r.fingerprint().id())
                        .orElse(""))
                .isNotEqualTo(idOf(sample));
    }

    private static double scoreOf(Fingerprint fingerprint, Path sample) throws IOException {
        return SET.recogniseAs(fingerprint, status(sample), headers(sample), body(sample));
    }

    private static String idOf(Path sample) {
        return sample.getParent().getFileName().toString();
    }

    private static CapturedResponse read(Path sample) throws IOException {
        try (InputStream in = Files.newInputStream(sample)) {
            List<CapturedResponse> responses =
                    CaptureReader.read(in, sample.toString()).responses();
            assertThat(responses).as("%s is one capture", sample).hasSize(1);
            return responses.get(0);
        }
    }

    private static int status(Path sample) throws IOException {
        return read(sample).status();
    }

    private static String body(Path sample) throws IOException {
        return read(sample).body();
    }

    private static ObjectNode headers(Path sample) throws IOException {
        ObjectNode headers = JsonMapper.shared().createObjectNode();
        read(sample).responseHeaders().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        return headers;
    }
}
