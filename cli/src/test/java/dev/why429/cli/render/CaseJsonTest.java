package dev.why429.cli.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.why429.analyzers.casefile.Case;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaseJsonTest {
    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        try (var in = CaseJson.class.getResourceAsStream("/dev/why429/cli/schema/case-v1.schema.json")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(text, InputFormat.JSON);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<String> faults(String json) {
        return SCHEMA.validate(json, InputFormat.JSON).stream()
                .map(fault -> fault.getInstanceLocation() + ": " + fault.getMessage())
                .toList();
    }

    @Test
    void everyCaseThatIsWrittenIsValid() {
        assertThat(faults(CaseJson.write(FilledCase.plain()))).isEmpty();
        assertThat(faults(CaseJson.write(FilledCase.calm()))).isEmpty();
        assertThat(faults(CaseJson.write(FilledCase.with("</script>\u202e\u001b[2J"))))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"schema\" : \"case-v1\"          | \"schema\" : \"case-v2\"",
                "\"layer\" : \"app\"               | \"layer\" : \"pod\"",
                "\"reason\" : \"limit\"            | \"reason\" : \"quota\"",
                "\"algorithm\" : \"leaky_bucket\"  | \"algorithm\" : \"bucket\"",
                "\"confidence\" : 0.98             | \"confidence\" : 98",
                "\"time_means\" : \"end\"          | \"time_means\" : \"finish\"",
                "19:04:30.000000Z                  | 19:04:30Z",
                "\"severity\" : \"high\"           | \"severity\" : \"error\"",
                "\"total\" : 14311                 | \"total\" : \"14311\"",
                "\"rejected\" : 8                  | \"unread\" : 8",
                "\"key\" : [ \"client_ip\" ]       | \"key\" : [ \"ip\" ]",
                "\"high\" : 20.1                   | \"upper\" : 20.1",
                "\"F2:17\"                         | \"pod1:17\"",
                "\"agreement\" : 0.998             | \"agreement\" : null",
                "\"scope\" : \"per_node\"          | \"scope\" : \"local\"",
                "\"pitfall\" : \"state-per-process\" | \"pitfall\" : \"state per process\"",
            })
    void oneWrongWordIsFound(String right, String wrong) {
        String json = CaseJson.write(FilledCase.plain());
        assertThat(json).contains(right);
        assertThat(faults(json.replace(right, wrong))).isNotEmpty();
    }

    @Test
    void aLimiterWithTiersHasNoLimitOfItsOwn() {
        String json = CaseJson.write(FilledCase.plain());
        int tiered = json.indexOf("\"id\" : \"L3\"");
        String wrong = json.substring(0, tiered)
                + json.substring(tiered).replaceFirst("\"limit\" : null", "\"limit\" : {\"low\": 1, \"high\": 1}");
        assertThat(faults(wrong)).anyMatch(fault -> fault.contains("/limiters/2/limit"));
    }

    @Test
    void namesAndFormsAreThoseOfTheContract() {
        assertThat(CaseJson.write(FilledCase.plain()))
                .startsWith("{\n  \"schema\" : \"case-v1\",\n  \"tool\" : {")
                .contains("\"rules_sha256\" : \"abab")
                .contains("\"hidden_by_layer\" : {")
                .contains("\"time_resolution_seconds\" : 1,")
                .contains("\"to\" : \"2026-11-30T19:14:29.250001Z\"")
                .contains("\"limit\" : {\n      \"low\" : 20,\n      \"high\" : 20\n    }")
                .contains("\"low\" : 9.5,\n      \"high\" : null")
                .contains("\"would_disprove\" : \"\"")
                .endsWith("}\n");
    }

    @Test
    void theSameCaseGivesTheSameBytes() {
        assertThat(CaseJson.write(FilledCase.plain())).isEqualTo(CaseJson.write(FilledCase.plain()));
    }

    @Test
    void whatIsReadBackIsWhatWasWritten(@TempDir Path folder) throws IOException {
        Case written = FilledCase.plain();
        Path file = Files.writeString(folder.resolve("case.json"), CaseJson.write(written));
        Case read = CaseJson.read(file);
        assertThat(read.limiters()).isEqualTo(written.limiters());
        assertThat(read.inputs()).isEqualTo(written.inputs());
        assertThat(read.findings().get(0).numbers().get("window_seconds")).isEqualTo(Case.Interval.between(19.8, 20.1));
        assertThat(CaseJson.write(read)).isEqualTo(CaseJson.write(written));
    }

    @Test
    void anotherSchemaAndBrokenFilesAreRefusedWithASentence(@TempDir Path folder) throws IOException {
        Path newer = Files.writeString(
                folder.resolve("newer.json"), CaseJson.write(FilledCase.calm()).replace("case-v1", "case-v7"));
        assertThatThrownBy(() -> CaseJson.read(newer)).hasMessageContaining("\"case-v7\", expected case-v1");
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\"schema\": ");
        assertThatThrownBy(() -> CaseJson.read(broken))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("broken.json\" is no case");
    }
}
