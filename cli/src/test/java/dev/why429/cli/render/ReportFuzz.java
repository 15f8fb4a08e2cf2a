package dev.why429.cli.render;

import dev.why429.cli.render.html.HtmlReport;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Any text in every place of a case that an attacker may have written: the report parses, and bears no element that is not its own. */
public final class ReportFuzz {
    private static final long ELEMENTS = elements(HtmlReport.of(FilledCase.plain()));

    private ReportFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        Document page = Jsoup.parse(HtmlReport.of(FilledCase.with(new String(data, StandardCharsets.UTF_8))));
        for (Element element : page.getAllElements()) {
            element.attributes().forEach(attribute -> {
                String value = attribute.getValue().strip().toLowerCase(Locale.ROOT);
                if (attribute.getKey().startsWith("on") || value.startsWith("javascript:")) {
                    throw new IllegalStateException("acts: " + element.tagName() + " " + attribute);
                }
            });
        }
        long found = elements(page.outerHtml());
        if (found != ELEMENTS) {
            throw new IllegalStateException(found + " scripts and foreign elements, not " + ELEMENTS);
        }
    }

    private static long elements(String page) {
        return Jsoup.parse(page)
                .select("script, img, iframe, object, embed, form, base, link, style, meta")
                .size();
    }
}
