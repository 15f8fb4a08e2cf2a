package dev.why429.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.cli.render.html.HtmlReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlReportTest {
    private static final Path TEMPLATES = Path.of("src/main/resources/dev/why429/cli/report");

    private static final Document PLAIN = Jsoup.parse(HtmlReport.of(FilledCase.plain()));

    @Test
    void everySectionIsThereInItsOrder() {
        assertThat(PLAIN.select("h2").eachText())
                .containsExactly(
                        "Who said 429",
                        "Timeline",
                        "Limiters",
                        "Causes",
                        "Retries",
                        "Clocks",
                        "Clients",
                        "Replay",
                        "Blind spots",
                        "Looked for and not found",
                        "Answer to a partner",
                        "Appendix");
        assertThat(PLAIN.select("h1").text()).startsWith("Most 429s came from the app");
    }

    @Test
    void aStrangerFindsLayerKeyLimitAndCauseAtTheTop() {
        assertThat(PLAIN.select(".glance dt").eachText())
                .containsExactly("Who said no", "What was counted", "How much was allowed", "Main cause");
        assertThat(PLAIN.select(".glance .answer").eachText())
                .containsExactly(
                        "express-rate-limit, app",
                        "client_ip",
                        "20 per 19.8–20.1 s, then blocked 0.5 s",
                        "Each of 3 pods counts alone");
        assertThat(PLAIN.select(".glance .soft").eachText().get(2))
                .contains("one client gets 60", "declared 20 per 20 s");
    }

    @Test
    void theWorstKeysAreDrawnAsTheLimiterSawThem() {
        Element key = PLAIN.getElementById("key-L1-1");
        assertThat(key.select(".panel")).hasSize(2);
        assertThat(key.select(".panel svg").eachAttr("aria-label"))
                .first()
                .isEqualTo("pod1: 38 of 90 requests denied in 45 s; highest level 20, limit 20–21");
        assertThat(key.select(".limit-text").eachText()).containsOnly("limit 20–21");
        assertThat(key.select("path.edge").first().attr("d").chars().filter(c -> c == 'M'))
                .hasSize(3);
        assertThat(key.select("path.denied").first().attr("d").chars().filter(c -> c == 'M'))
                .hasSize(38);
    }

    @Test
    void retriesClocksAndSharedKeysHaveTheirNumbers() {
        assertThat(PLAIN.select("section[aria-labelledby=retries]").text())
                .contains(
                        "468 of 480 denied requests were asked again by the same client; 433 of these within a second.")
                .contains("250 came back before it was over")
                .contains("Retry-After 20 s");
        assertThat(PLAIN.select("section[aria-labelledby=clocks] tbody tr").eachText())
                .containsExactly("F2 pod1 edge +0.000 s 0.5 s 4,000 no", "F1 pod2 edge −2.104 s 0.004 s 1,578 yes");
        assertThat(PLAIN.select("section[aria-labelledby=clients] tbody tr")
                        .first()
                        .text())
                .contains("1 address, 9 api keys", "8 630");
    }

    @Test
    void itSaysHowToMakeItAgain() {
        assertThat(PLAIN.select("section[aria-labelledby=appendix] pre").text())
                .isEqualTo("why429 investigate logs/ captures/429-05.txt --redact off");
    }

    @Test
    void theAnswerToAPartnerNamesNoClientAndNoHost() {
        assertThat(PLAIN.getElementById("answer-text").text())
                .contains("4,891 of 14,311 requests", "What helps on your side:", "Wait as long as Retry-After says")
                .doesNotContain("tok_", "pod1", "ip_c41");
    }

    @Test
    void aCalmCaseSaysSo() {
        Document calm = Jsoup.parse(HtmlReport.of(FilledCase.calm()));
        assertThat(calm.text()).contains("No request was denied in these logs.").contains("No request bears a time.");
        assertThat(calm.select("h2").eachText()).isEqualTo(PLAIN.select("h2").eachText());
        assertThat(calm.text())
                .contains("No client was denied.")
                .contains("Nothing was denied: there is nothing to answer for.");
    }

    @Test
    void everyLinkInsideThePageHasItsPlaceAndNoneLeavesIt() {
        Set<String> places = PLAIN.select("[id]").stream().map(Element::id).collect(Collectors.toSet());
        assertThat(PLAIN.select("a[href]"))
                .isNotEmpty()
                .allSatisfy(
                        link -> assertThat(places).contains(link.attr("href").substring(1)));
        assertThat(PLAIN.select("[id]").eachAttr("id")).doesNotHaveDuplicates();
        assertThat(PLAIN.select("[src], link, iframe, object, embed, form, base"))
                .isEmpty();
    }

    @Test
    void evidenceIsFoundUnderItsId() {
        assertThat(PLAIN.getElementById("F2:17").text()).contains("/v1/orders");
        assertThat(PLAIN.getElementById("cause-pod_multiplication-1").text()).contains("pod1.ndjson.gz:17");
        assertThat(PLAIN.getElementById("cause-pod_multiplication-1")
                        .select("code")
                        .eachText())
                .contains("F2:9999");
    }

    @Test
    void intervalsStayIntervals() {
        assertThat(PLAIN.getElementById("L1").text())
                .contains("Window 19.8–20.1 s")
                .contains("Limit 20 requests");
        assertThat(PLAIN.getElementById("L2").text())
                .contains("Rate ≥ 9.5 per second")
                .contains("Burst ≤ 21 at once");
    }

    @Test
    void theTableUnderTheChartHasTheChartsNumbers() {
        Element chart = PLAIN.select("svg.chart").first();
        assertThat(chart.select("path")).hasSize(3);
        List<String> allowed = PLAIN.select("section[aria-labelledby=timeline] tbody tr td:last-child")
                .eachText();
        assertThat(allowed).hasSize(120).first().isEqualTo("60");
        assertThat(chart.select("title").text()).contains("Most denials fell into the 5 s from 2026-11-30 19:");
    }

    @Test
    void onlyOurOwnStyleAndScriptMayRun() throws Exception {
        String policy = PLAIN.select("meta[http-equiv=Content-Security-Policy]").attr("content");
        assertThat(policy)
                .startsWith("default-src 'none'; ")
                .doesNotContain("unsafe")
                .doesNotContain("http");
        assertThat(policy)
                .contains("style-src '" + hash(PLAIN.select("style").first().data()) + "'");
        List<String> scripts =
                PLAIN.select("script:not([type])").stream().map(Element::data).toList();
        assertThat(scripts).hasSize(2);
        assertThat(policy).contains("script-src '" + hash(scripts.get(0)) + "' '" + hash(scripts.get(1)) + "'");
        assertThat(PLAIN.select("script[type]").eachAttr("type")).containsExactly("application/json");
        assertThat(PLAIN.select("[style]")).isEmpty();
    }

    private static String hash(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</script><script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "'><svg onload=alert(1)>",
                "</title></style><style>*{display:none}</style>",
                "<!--",
                "]]>",
                "${7*7}<#assign x=1>#{1}",
                "javascript:alert(1)",
                "\u202egnp.exe\u2066\u200b\ufeff",
                "\u001b]8;;http://example.invalid\u0007\u001b[2J\u0000\r\n",
                "&lt;b&gt;&#x3c;script&#x3e;",
            })
    void textFromOutsideStaysText(String hostile) {
        String page = HtmlReport.of(FilledCase.with(hostile));
        Document parsed = Jsoup.parse(page);
        assertThat(shape(parsed)).isEqualTo(shape(PLAIN));
        assertThat(page.codePoints().filter(HtmlReportTest::hides)).isEmpty();
        assertThat(parsed.select("h1").text())
                .isEqualTo(normal(FilledCase.with(hostile).verdict().sentence()));
    }

    private static boolean hides(int point) {
        return (point != '\n' && Character.isISOControl(point)) || Character.getType(point) == Character.FORMAT;
    }

    private static String normal(String text) {
        return dev.why429.cli.Printable.of(text).replaceAll(" +", " ").strip();
    }

    /** Every element with its attributes' names, in order; the values of those that could act. */
    private static List<String> shape(Document page) {
        List<String> shape = new ArrayList<>();
        for (Element element : page.getAllElements()) {
            Set<String> attributes = new TreeSet<>();
            for (Attribute attribute : element.attributes()) {
                boolean acts = Set.of("href", "src", "class", "id").contains(attribute.getKey());
                attributes.add(attribute.getKey() + (acts ? "=" + attribute.getValue() : ""));
            }
            shape.add(element.tagName() + attributes);
        }
        return shape;
    }

    @Test
    void theShellIsSmall() {
        assertThat(HtmlReport.of(FilledCase.calm()).length()).isBetween(60_000, 200_000);
    }

    @Test
    void theSameCaseGivesTheSameBytes() {
        assertThat(HtmlReport.of(FilledCase.plain())).isEqualTo(HtmlReport.of(FilledCase.plain()));
    }

    @Test
    void noTemplateTurnsEscapingOff() throws IOException {
        try (Stream<Path> files = Files.list(TEMPLATES)) {
            List<Path> templates =
                    files.filter(file -> file.toString().endsWith(".ftlh")).toList();
            assertThat(templates)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(template -> assertThat(Files.readString(template))
                            .doesNotContain(
                                    "no_esc",
                                    "noautoesc",
                                    "noescape",
                                    "?interpret",
                                    "?eval",
                                    "?new",
                                    "?api",
                                    "outputformat"));
        }
        try (Stream<Path> files = Files.list(TEMPLATES)) {
            assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".ftl"));
        }
    }
}
