package dev.why429.cli.render.html;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** uPlot, as its webjar brings it: put into the page whole, so that the page fetches nothing. */
final class ChartLibrary {
    private static final String WEBJAR = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";

    private ChartLibrary() {}

    static String version() {
        Properties webjar = new Properties();
        try (InputStream in = ChartLibrary.class.getResourceAsStream(WEBJAR)) {
            if (in == null) {
                throw new IllegalStateException("the webjar of uPlot is not on the class path");
            }
            webjar.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("the webjar of uPlot cannot be read", e);
        }
        return webjar.getProperty("version");
    }

    static String script() {
        return file("uPlot.iife.min.js");
    }

    static String style() {
        return file("uPlot.min.css");
    }

    private static String file(String name) {
        String path = "/META-INF/resources/webjars/uplot/" + version() + "/dist/" + name;
        try (InputStream in = ChartLibrary.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("\"" + path + "\" is not in the webjar of uPlot");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("\"" + path + "\" cannot be read", e);
        }
    }
}
