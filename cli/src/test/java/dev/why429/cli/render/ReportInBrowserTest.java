package dev.why429.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.render.html.HtmlReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.print.PrintOptions;

/** The report in a real Chromium: what a parser cannot see. Skipped, with a sentence, where there is none. */
class ReportInBrowserTest {
    private static final String AXE = resource("/axe.min.js");

    @TempDir
    static Path folder;

    private static Optional<ChromeDriver> running = Optional.empty();

    @BeforeAll
    static void start() {
        running = Browser.start(folder.resolve("profile"));
    }

    @AfterAll
    static void stop() {
        running.ifPresent(ChromeDriver::quit);
    }

    private static ChromeDriver browser() {
        return running.orElseThrow();
    }

    @BeforeEach
    void asOnADesk() {
        browser().executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", false));
        browser().executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "", "features", List.of()));
        browser().executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        browser().manage().window().setSize(new Dimension(1280, 900));
    }

    private static void open(Case theCase, String place) {
        try {
            Path page = Files.writeString(folder.resolve("report.html"), HtmlReport.of(theCase));
            browser().get("about:blank");
            messages();
            requests();
            browser().get(page.toUri() + place);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Object run(String script) {
        return browser().executeScript(script);
    }

    private static List<String> messages() {
        return browser().manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    private static List<String> requests() {
        return browser().manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(org.openqa.selenium.logging.LogEntry::getMessage)
                .filter(message -> message.contains("\"Network.requestWillBeSent\""))
                .toList();
    }

    static Stream<Case> cases() {
        return Stream.of(FilledCase.plain(), FilledCase.calm());
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("cases")
    void opensWithoutAnErrorAndAsksNobodyForAnything(Case theCase) {
        open(theCase, "");
        assertThat(messages()).isEmpty();
        assertThat(requests()).hasSize(1).first().asString().contains("report.html");
        assertThat(
                        run(
                                "return [...document.querySelectorAll('main > section')].filter(s => s.offsetHeight > 40).length"))
                .isEqualTo(13L);
    }

    @Test
    void theChartsAreDrawn() {
        open(FilledCase.plain(), "");
        assertThat(run("return document.querySelectorAll('#timeline-plot canvas').length"))
                .isEqualTo(1L);
        assertThat((Long) run("""
                        const c = document.querySelector('#timeline-plot canvas'), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                        const seen = new Set(); for (let i = 0; i < p.length; i += 4) { if (p[i + 3] > 200) { seen.add(p[i] + ',' + p[i + 1] + ',' + p[i + 2]); } }
                        return seen.size""")).as("colours in the timeline").isGreaterThan(5);
        assertThat(
                        run(
                                "return [...document.querySelectorAll('.panel svg, .stack, section svg.chart')].filter(s => !s.closest('[hidden]') && s.getBoundingClientRect().height < 20).length"))
                .isEqualTo(0L);
    }

    private static double shown() {
        return ((Number) run("const d = document.getElementById('timeline-plot').dataset; return d.to - d.from"))
                .doubleValue();
    }

    @Test
    void theTimelineIsZoomedByButtonKeyboardMouseAndBrush() {
        open(FilledCase.plain(), "#timeline");
        double whole = shown();
        browser().findElement(By.cssSelector("[data-zoom=in]")).click();
        assertThat(shown()).isLessThan(whole * 0.6);
        WebElement plot = browser().findElement(By.id("timeline-plot"));
        plot.sendKeys("0");
        assertThat(shown()).isEqualTo(whole);
        plot.sendKeys("+", "+");
        double from = ((Number) run("return +document.getElementById('timeline-plot').dataset.from")).doubleValue();
        plot.sendKeys(Keys.ARROW_RIGHT);
        assertThat(((Number) run("return +document.getElementById('timeline-plot').dataset.from")).doubleValue())
                .isGreaterThan(from);
        browser().findElement(By.cssSelector("[data-zoom=all]")).click();
        new Actions(browser())
                .moveToElement(plot, -100, 0)
                .clickAndHold()
                .moveByOffset(160, 0)
                .release()
                .perform();
        assertThat(shown()).isBetween(whole * 0.05, whole * 0.5);
        browser().findElement(By.cssSelector("[data-zoom=all]")).click();
        WebElement strip = browser().findElement(By.id("timeline-strip"));
        new Actions(browser())
                .moveToElement(strip, -50, 0)
                .clickAndHold()
                .moveByOffset(120, 0)
                .release()
                .perform();
        assertThat(shown()).isBetween(whole * 0.05, whole * 0.5);
        assertThat(browser().findElement(By.id("timeline-readout")).getText()).contains("UTC");
        assertThat(messages()).isEmpty();
    }

    @Test
    void aLinkToALineOpensWhatItLiesIn() {
        open(FilledCase.plain(), "#F2:17");
        assertThat(run("return document.getElementById('F2:17').closest('details').open"))
                .isEqualTo(true);
        WebElement evidence = browser().findElement(By.cssSelector("#cause-pod_multiplication-1 details summary"));
        evidence.click();
        assertThat(browser()
                        .findElement(By.cssSelector("#cause-pod_multiplication-1 ol.lines"))
                        .isDisplayed())
                .isTrue();
    }

    @Test
    void theAnswerIsCopied() {
        open(FilledCase.plain(), "#answer");
        browser().findElement(By.id("copy")).click();
        assertThat(browser().executeAsyncScript("""
                        const done = arguments[arguments.length - 1], said = document.getElementById('copied');
                        (function look(left) { said.textContent || !left ? done(said.textContent) : setTimeout(look, 20, left - 1); })(200)""")).asString().isIn("copied", "selected: copy it with your keyboard");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</script><script>window.acted=1</script>",
                "\"><img src=x onerror=window.acted=1>",
                "'><svg onload=window.acted=1>",
                "</title></style><style>*{display:none}</style>",
                "<iframe src=//example.invalid></iframe>",
                "<!--<script>",
                "javascript:window.acted=1",
            })
    void nothingOutOfALogActs(String hostile) {
        open(FilledCase.with(hostile), "");
        assertThat(run("return window.acted === undefined")).isEqualTo(true);
        assertThat(messages()).isEmpty();
        assertThat(requests()).hasSize(1);
        assertThat(run("return document.querySelectorAll('main > section').length"))
                .isEqualTo(13L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void everybodyCanReadIt(String scheme) {
        browser()
                .executeCdpCommand(
                        "Emulation.setEmulatedMedia",
                        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        open(FilledCase.plain(), "");
        run("document.querySelectorAll('details').forEach(d => d.open = true)");
        run(AXE);
        Object found = browser().executeAsyncScript("""
                        const done = arguments[arguments.length - 1];
                        axe.run(document).then(r => done(r.violations.filter(v => ['serious', 'critical'].includes(v.impact))
                          .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).slice(0, 3).join(' | '))), e => done([String(e)]))""");
        assertThat((List<?>) found).isEmpty();
    }

    @Test
    void aPhoneNeedNotScrollSideways() {
        browser()
                .executeCdpCommand(
                        "Emulation.setDeviceMetricsOverride",
                        Map.of("width", 360, "height", 740, "deviceScaleFactor", 2, "mobile", true));
        open(FilledCase.plain(), "");
        assertThat((Long) run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(360);
        assertThat((Long)
                        run("return document.querySelector('#timeline-plot canvas').getBoundingClientRect().width | 0"))
                .isLessThanOrEqualTo(360);
    }

    @Test
    void withoutScriptTheDrawingsStand() {
        browser().executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", true));
        open(FilledCase.plain(), "");
        assertThat(browser()
                        .findElement(By.cssSelector("#timeline-chart svg.chart"))
                        .isDisplayed())
                .isTrue();
        assertThat(browser().findElement(By.id("timeline-plot")).isDisplayed()).isFalse();
        assertThat(browser().findElement(By.id("copy")).isDisplayed()).isFalse();
        browser()
                .findElement(By.cssSelector("#cause-pod_multiplication-1 details summary"))
                .click();
        assertThat(browser()
                        .findElement(By.cssSelector("#cause-pod_multiplication-1 ol.lines"))
                        .isDisplayed())
                .isTrue();
    }

    @Test
    void onPaperEverythingIsUnfolded() {
        open(FilledCase.plain(), "");
        byte[] pdf = java.util.Base64.getDecoder()
                .decode(browser().print(new PrintOptions()).getContent());
        assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
        assertThat(pdf.length).isGreaterThan(30_000);
        browser().executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "print"));
        assertThat(browser()
                        .findElement(By.cssSelector("#timeline-chart svg.chart"))
                        .isDisplayed())
                .isTrue();
        assertThat(browser().findElement(By.cssSelector("nav")).isDisplayed()).isFalse();
    }

    private static String resource(String name) {
        try (InputStream in = ReportInBrowserTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
