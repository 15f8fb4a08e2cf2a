package dev.why429.analyzers.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.parse.FormatFolder.Sampled;
import dev.why429.rules.Field;
import dev.why429.rules.Fields;
import dev.why429.rules.Format;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every folder of rules/formats. */
class FormatSamplesTest {
    private static final LogFormats FORMATS = LogFormats.builtIn();
    private static final int MUTATIONS_OF_EACH_SAMPLE = 200;

    static List<FormatFolder> folders() {
        return FormatFolder.all();
    }

    @ParameterizedTest
    @MethodSource("folders")
    void samplesParseToExactlyTheExpectedRows(FormatFolder folder) {
        assertThat(folder.samples()).isNotEmpty();
        for (Sampled sample : folder.samples()) {
            LogFormat format = FORMATS.compile(sample.patternOrId(), FormatHint.none());
            Map<String, Object> row = FormatFolder.read(format.newReader(), sample.line());
            assertThat(row).as(sample.line()).isEqualTo(sample.row());
            List<Field> columns = new ArrayList<>(format.fields());
            if (row.containsKey("kind")) {
                columns.addAll(Fields.dictionary().of(Field.Table.NOTICES)); // a notice among requests
            }
            assertThat(columns).extracting("name").as(sample.line()).containsAll(row.keySet());
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void linesThatAreNoneAreRejectedWithAReason(FormatFolder folder) {
        Set<String> patterns = new LinkedHashSet<>();
        folder.samples().forEach(sample -> patterns.add(sample.patternOrId()));
        for (String line : folder.rejects()) {
            for (String pattern : patterns) {
                Map<String, Object> row = FormatFolder.read(
                        FORMATS.compile(pattern, FormatHint.none()).newReader(), line);
                assertThat(row).as(pattern + " on " + line).containsOnlyKeys("rejected");
                assertThat((String) row.get("rejected")).matches("[a-z_]+");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void noFormatReadsTheLinesOfAnother(FormatFolder folder) {
        List<LogFormats.Candidate> others = FORMATS.candidates(FormatHint.none()).stream()
                .filter(candidate ->
                        !candidate.format().id().equals(folder.format().id()))
                .filter(candidate -> !candidate.format().generic())
                .toList();
        List<String> falseMatches = new ArrayList<>();
        for (Sampled sample : folder.samples()) {
            for (LogFormats.Candidate other : others) {
                Optional<String> shape = other.pattern().flatMap(p -> p.shape());
                boolean sameBytes = shape.isPresent() && shape.equals(sample.shape());
                Map<String, Object> row = FormatFolder.read(other.compiled().newReader(), sample.line());
                if (!row.containsKey("rejected") && !sameBytes) {
                    falseMatches.add(other.compiled().id() + " reads " + sample.line());
                }
            }
        }
        assertThat(falseMatches).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("folders")
    void aFileOfSampleLinesIsRecognised(FormatFolder folder) {
        FormatDetector detector = new FormatDetector(FORMATS);
        for (Sampled sample : folder.samples()) {
            FormatHint hint = folder.format().components().isEmpty()
                    ? FormatHint.none()
                    : FormatHint.none()
                            .withComponent(folder.format().components().get(0));
            byte[] bytes = (sample.line() + "\n").repeat(5).getBytes(StandardCharsets.UTF_8);
            FormatDetector.Verdict verdict =
                    detector.detect(bytes, 0, bytes.length, hint).orElseThrow();
            boolean words = folder.format().reading() == Format.Reading.WORDS;
            assertThat(verdict.format().id())
                    .as(sample.line())
                    .isIn(
                            folder.format().id(),
                            words ? PatternInference.ID : folder.format().id());
            assertThat(verdict.score()).isEqualTo(1.0);
            assertThat(verdict.lines()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void aBrokenLineNeverThrowsAndNeverReadsItsNeighbours(FormatFolder folder) {
        Random random = new Random(429);
        for (Sampled sample : folder.samples()) {
            LineReader reader =
                    FORMATS.compile(sample.patternOrId(), FormatHint.none()).newReader();
            byte[] original = sample.line().getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < MUTATIONS_OF_EACH_SAMPLE; i++) {
                byte[] mutant = mutated(original, random);
                byte[] among = new byte[mutant.length + 80];
                byte[] noise = "\"} ] 1 \\ #\n".getBytes(StandardCharsets.US_ASCII);
                for (int j = 0; j < among.length; j++) {
                    among[j] = noise[(j + i) % noise.length];
                }
                System.arraycopy(mutant, 0, among, 40, mutant.length);
                Map<String, Object> alone = FormatFolder.read(reader, mutant, 0, mutant.length);
                Map<String, Object> embedded = FormatFolder.read(reader, among, 40, 40 + mutant.length);
                assertThat(embedded)
                        .as(() -> new String(mutant, StandardCharsets.UTF_8))
                        .isEqualTo(alone);
            }
        }
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original.clone();
        int kind = random.nextInt(4);
        if (kind == 0) {
            return java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
        }
        if (kind == 1) {
            int from = random.nextInt(bytes.length);
            return java.util.Arrays.copyOfRange(bytes, from, from + random.nextInt(bytes.length - from));
        }
        byte[] telling = "\"\\[]{}:,- \t/0x#\u0000".getBytes(StandardCharsets.US_ASCII);
        for (int i = random.nextInt(6); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] =
                    kind == 2 ? telling[random.nextInt(telling.length)] : (byte) random.nextInt(256);
        }
        return bytes;
    }

    @Test
    void everyFormatNamesWhatItLacksAndTheSettingThatWouldGiveIt() {
        FormatFolder nginx = FormatFolder.all().stream()
                .filter(folder -> folder.format().id().equals("nginx"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = (nginx.samples().get(0).line() + "\n").getBytes(StandardCharsets.UTF_8);
        LogFormat format = new FormatDetector(FORMATS)
                .detect(bytes, 0, bytes.length, FormatHint.none().withComponent("nginx"))
                .orElseThrow()
                .format();

        assertThat(format.missing())
                .containsExactly(
                        "sub-second stamp",
                        "duration_micros",
                        "request_id",
                        "forwarded",
                        "api_key",
                        "host",
                        "upstream_status",
                        "upstream_addr",
                        "limit_status");
        assertThat(FORMATS.advice(format))
                .hasValueSatisfying(setting -> assertThat(setting)
                        .startsWith("log_format why429 escape=json ")
                        .contains("$msec", "$request_time", "$upstream_status", "$limit_req_status"));
    }

    @Test
    void theSettingThatIsAdvisedCanItselfBeRead() {
        for (FormatFolder folder : folders()) {
            folder.format().advice().ifPresent(advice -> {
                if (folder.format().id().equals("nginx")) {
                    LogFormat advised = FORMATS.compile(advice.setting(), FormatHint.none());
                    assertThat(advised.missing()).containsExactly("sub-second stamp");
                    assertThat(FormatFolder.read(
                                    advised.newReader(),
                                    "{\"msec\":\"1796067602.118\",\"remote_addr\":\"203.0.113.24\",\"realip_remote_addr\":\"10.0.0.1\","
                                            + "\"x_forwarded_for\":\"\",\"request_method\":\"GET\",\"request_uri\":\"/a\",\"host\":\"h\",\"status\":\"429\","
                                            + "\"bytes\":\"12\",\"request_time\":\"0.001\",\"upstream_status\":\"\",\"upstream_addr\":\"\","
                                            + "\"upstream_response_time\":\"\",\"request_id\":\"r\",\"limit_req_status\":\"REJECTED\",\"api_key\":\"k\","
                                            + "\"user\":\"\",\"user_agent\":\"say \\\"hi\\\"\"}"))
                            .containsEntry("user_agent", "say \"hi\"")
                            .containsEntry("limit_status", "REJECTED")
                            .containsEntry("arrived_at", "2026-11-30T19:40:02.117Z")
                            .doesNotContainKeys("forwarded", "upstream_status");
                }
            });
        }
    }
}
