package dev.why429.cli.render.html;

import dev.why429.analyzers.casefile.Case;
import dev.why429.cli.Printable;
import dev.why429.cli.render.Glance;
import dev.why429.cli.render.PartnerAnswer;
import dev.why429.cli.render.PrintableCase;
import dev.why429.cli.render.Wording;
import freemarker.core.HTMLOutputFormat;
import freemarker.core.TemplateClassResolver;
import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;

/**
 * {@code report.html}: one page that holds everything it needs and fetches nothing. Every value is escaped for HTML by the template engine
 * and bears no hidden character; the content-security policy lets only our own style and script run. The same case gives the same bytes.
 */
public final class HtmlReport {
    private static final String TEMPLATES = "/dev/why429/cli/report";

    /** Shared, so that templates are parsed once. */
    private static final Configuration CONFIGURATION = configuration();

    private HtmlReport() {}

    /** The whole page. */
    public static String of(Case theCase) {
        String style = ChartLibrary.style() + "\n" + asset("report.css");
        String library = ChartLibrary.script();
        String script = asset("report.js");
        List<Marks.Mark> marks = Marks.of(theCase);
        Map<String, Object> model = new HashMap<>();
        model.put("case", PrintableCase.asTree(theCase));
        model.put("glance", Glance.of(theCase).stream().map(HtmlReport::shown).toList());
        model.put("chart", TimelineChart.of(theCase.timeline(), marks));
        model.put("buckets", buckets(theCase));
        model.put("parameters", parameters(theCase));
        DelayChart.of(theCase.figures().retries()).ifPresent(delays -> model.put("delays", delays));
        model.put("clocks", ClockChart.of(theCase.figures().clocks()));
        model.put("answer", printable(PartnerAnswer.of(theCase)));
        model.put("command", command(theCase.run()));
        model.put("chartLibrary", "uPlot " + ChartLibrary.version());
        model.put("data", markup(PageData.of(theCase.timeline(), marks)));
        model.put("style", markup(style));
        model.put("library", markup(library));
        model.put("script", markup(script));
        model.put("styleHash", sha256(style));
        model.put("libraryHash", sha256(library));
        model.put("scriptHash", sha256(script));
        model.putAll(TemplateFunctions.all());
        StringWriter page = new StringWriter();
        try {
            Template template = CONFIGURATION.getTemplate("report.ftlh");
            template.process(model, page);
        } catch (IOException | TemplateException e) {
            throw new IllegalStateException("the report's template fails: " + e.getMessage(), e);
        }
        return page.toString();
    }

    private static Map<String, Object> buckets(Case theCase) {
        Map<String, Object> byLimiter = new HashMap<>();
        for (Case.Limiter limiter : theCase.limiters()) {
            byLimiter.put(limiter.id(), BucketChart.of(theCase.figures().buckets(), limiter.id()));
        }
        return byLimiter;
    }

    private static Map<String, Object> parameters(Case theCase) {
        Map<String, Object> byLimiter = new HashMap<>();
        for (Case.Limiter limiter : theCase.limiters()) {
            String known = Wording.parameters(limiter);
            byLimiter.put(limiter.id(), known.isEmpty() ? "not identified" : known);
        }
        return byLimiter;
    }

    private static Glance.Fact shown(Glance.Fact fact) {
        return new Glance.Fact(fact.question(), Printable.of(fact.answer()), Printable.of(fact.more()), fact.place());
    }

    /** Line by line, since hidden characters of a line must not end it. */
    private static String printable(String text) {
        return text.lines().map(Printable::of).collect(Collectors.joining("\n"));
    }

    /** As a shell takes it. */
    private static String command(Case.Run run) {
        StringBuilder command = new StringBuilder("why429 investigate");
        for (String argument : run.arguments()) {
            boolean plain = argument.chars().allMatch(c -> Character.isLetterOrDigit(c) || "-_./:=@,+".indexOf(c) >= 0);
            String shown = Printable.of(argument);
            command.append(' ').append(plain && !shown.isEmpty() ? shown : "'" + shown.replace("'", "'\\''") + "'");
        }
        return command.toString();
    }

    /** Text of our own that the template must not escape. */
    private static TemplateModel markup(String ours) {
        try {
            return HTMLOutputFormat.INSTANCE.fromMarkup(ours);
        } catch (TemplateModelException e) {
            throw new IllegalStateException("the report's own assets cannot be used", e);
        }
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
        configuration.setClassForTemplateLoading(HtmlReport.class, TEMPLATES);
        configuration.setDefaultEncoding("UTF-8");
        configuration.setRecognizeStandardFileExtensions(true);
        configuration.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
        configuration.setAPIBuiltinEnabled(false);
        configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        configuration.setLogTemplateExceptions(false);
        configuration.setWrapUncheckedExceptions(true);
        configuration.setNumberFormat("computer");
        configuration.setLocale(Locale.ROOT);
        configuration.setTimeZone(TimeZone.getTimeZone("UTC"));
        return configuration;
    }

    private static String asset(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(TEMPLATES + "/" + name)) {
            if (in == null) {
                throw new IllegalStateException("\"" + name + "\" is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("\"" + name + "\" cannot be read from the jar", e);
        }
    }

    /** As a content-security policy names an inline element: hash of its text, base64. */
    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
