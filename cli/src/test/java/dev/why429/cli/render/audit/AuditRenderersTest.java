package dev.why429.cli.render.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.why429.analyzers.audit.AuditReport;
import dev.why429.analyzers.audit.AuditRequest;
import dev.why429.analyzers.audit.AuditRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class AuditRenderersTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path root;

    private AuditReport report;

    @BeforeEach
    void aRepositoryWithOneOfEach() throws IOException {
        write("edge & <co>/nginx.conf", """
                http {
                  set_real_ip_from 0.0.0.0/0;
                  real_ip_header X-Forwarded-For;
                  limit_req_zone $binary_remote_addr zone=api:1m rate=5r/s;
                  limit_req_status 429;
                  server { limit_req zone=api burst=10; }
                }
                """);
        write("quiet/nginx.conf", """
                http {
                  limit_req_zone $binary_remote_addr zone=b:1m rate=5r/s;
                  # why429: ignore[status-not-429] the edge maps it
                  server { limit_req zone=b burst=10; }
                }
                """);
        write("broken.yaml", "a: [\n");
        report = AuditRun.run(AuditRequest.of(root));
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String rendered(AuditRenderer renderer) {
        StringWriter page = new StringWriter();
        renderer.render(report, new PrintWriter(page));
        return page.toString();
    }

    @Test
    void sarifIsValidAndPointsToBothFacts() throws IOException {
        String sarif = rendered(new SarifAuditRenderer("1.0"));
        assertThat(faults(sarif)).isEmpty();
        JsonNode results = JSON.readTree(sarif).get("runs").get(0).get("results");
        assertThat(results).hasSize(2);
        JsonNode open = results.get(0);
        assertThat(open.get("ruleId").asString()).isEqualTo("key-spoofable");
        assertThat(open.at("/locations/0/physicalLocation/artifactLocation/uri").asString())
                .isEqualTo("edge%20&%20%3Cco%3E/nginx.conf");
        assertThat(open.at("/locations/0/physicalLocation/region/startLine").asInt())
                .isEqualTo(4);
        assertThat(open.at("/relatedLocations/0/physicalLocation/region/startLine")
                        .asInt())
                .isEqualTo(2);
        assertThat(results.get(1).at("/suppressions/0/justification").asString())
                .isEqualTo("the edge maps it");
    }

    @Test
    void aFingerprintOutlivesEditsElsewhereInTheFile() throws IOException {
        List<String> before = fingerprints();
        Path file = root.resolve("edge & <co>/nginx.conf");
        Files.writeString(file, "# a new line\n\n" + Files.readString(file));
        report = AuditRun.run(AuditRequest.of(root));
        assertThat(fingerprints()).isEqualTo(before);
    }

    private List<String> fingerprints() {
        return report.findings().stream().map(f -> f.fingerprint()).toList();
    }

    private static List<String> faults(String sarif) throws IOException {
        try (InputStream in = AuditRenderersTest.class.getResourceAsStream("/audit/sarif-used.schema.json")) {
            Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return schema.validate(JSON.readTree(sarif)).stream()
                    .map(Error::toString)
                    .toList();
        }
    }

    @Test
    void theTextShowsTheLineItsCaretTheFixAndHowToSilence() {
        assertThat(rendered(new TextAuditRenderer()))
                .contains(
                        "error[key-spoofable]: ",
                        "  --> edge & <co>/nginx.conf:4:3\n   4 |   limit_req_zone",
                        "     |   ^\n",
                        "   = see edge & <co>/nginx.conf:2: ",
                        "   = expected: ",
                        "   = fix: ",
                        "why429: ignore[key-spoofable] <reason>",
                        "broken.yaml:2: not read: ",
                        "3 files read of 3, 2 limiters recognised: 1 errors, 0 warnings, 0 notes; 1 silenced, 0 known, 1 not read");
    }

    @Test
    void jsonTellsLimitsToo() {
        JsonNode json = JSON.readTree(rendered(new JsonAuditRenderer()));
        assertThat(json.at("/findings/0/pitfall").asString()).isEqualTo("key-spoofable");
        assertThat(json.at("/findings/0/severity").asString()).isEqualTo("high");
        assertThat(json.at("/silenced/0/reason").asString()).isEqualTo("the edge maps it");
        assertThat(json.at("/limits/0/rate_per_second").asInt()).isEqualTo(5);
        assertThat(json.at("/limits/0/burst").asInt()).isEqualTo(10);
        assertThat(json.at("/unread/0/file").asString()).isEqualTo("broken.yaml");
    }

    @Test
    void gitlabHasOneObjectAFinding() {
        JsonNode json = JSON.readTree(rendered(new GitlabAuditRenderer()));
        assertThat(json).hasSize(1);
        assertThat(json.at("/0/severity").asString()).isEqualTo("critical");
        assertThat(json.at("/0/location/lines/begin").asInt()).isEqualTo(4);
        assertThat(json.at("/0/fingerprint").asString()).hasSize(32);
    }

    @Test
    void githubAnnotatesTheLineAndEscapesWhatWouldEndTheCommand() {
        assertThat(rendered(new GithubAuditRenderer()).lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("::error file=edge & <co>/nginx.conf,line=4,col=3,title=why429 key-spoofable%3A ")
                .contains("%0Afix: ");
    }

    @Test
    void junitIsXmlWithAFailureAndASkip() throws Exception {
        Document xml = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(rendered(new JunitAuditRenderer()))));
        assertThat(xml.getElementsByTagName("failure").getLength()).isOne();
        assertThat(xml.getElementsByTagName("skipped").getLength()).isOne();
        assertThat(xml.getElementsByTagName("testcase")
                        .item(0)
                        .getAttributes()
                        .getNamedItem("file")
                        .getNodeValue())
                .isEqualTo("edge & <co>/nginx.conf");
    }
}
