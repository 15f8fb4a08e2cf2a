package dev.why429.cli.render;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The Chromium of this machine, as packages of distributions install it. Nothing is downloaded. */
final class Browser {
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");
    /** Set where a browser must be there, as in continuous integration: then the tests fail without one. */
    private static final String REQUIRED = "WHY429_BROWSER_REQUIRED";

    private static final List<String> SWITCHES = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--force-prefers-reduced-motion");

    private Browser() {}

    /** @return empty never: without a browser the tests of the class are skipped, or fail where one is required */
    static Optional<ChromeDriver> start(Path profile) {
        Optional<Path> browser =
                BROWSERS.stream().flatMap(name -> onThePath(name).stream()).findFirst();
        Optional<Path> driver = onThePath("chromedriver");
        String missing = "the report is not looked at in a browser: chromium and chromedriver are not on the PATH"
                + " (apt-get install chromium chromium-driver)";
        boolean there = browser.isPresent() && driver.isPresent();
        if (System.getenv(REQUIRED) != null) {
            Assertions.assertTrue(there, missing);
        }
        Assumptions.assumeTrue(there, missing);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.orElseThrow().toFile());
        options.addArguments(SWITCHES);
        options.addArguments("--user-data-dir=" + profile);
        options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL", "performance", "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.orElseThrow().toFile())
                .usingAnyFreePort()
                .build();
        // it only misses typed bindings of the browser's newest protocol, of which nothing is used here
        Logger.getLogger("org.openqa.selenium").setLevel(Level.SEVERE);
        return Optional.of(new ChromeDriver(service, options));
    }

    private static Optional<Path> onThePath(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
