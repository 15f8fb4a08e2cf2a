package dev.why429.cli.render.html;

import dev.why429.cli.render.Wording;
import freemarker.template.Configuration;
import freemarker.template.DefaultObjectWrapper;
import freemarker.template.DefaultObjectWrapperBuilder;
import freemarker.template.TemplateMethodModelEx;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** What the templates may call: numbers, times and names as people read them. All give plain text, which the template escapes. */
final class TemplateFunctions {
    private static final DefaultObjectWrapper WRAPPER =
            new DefaultObjectWrapperBuilder(Configuration.VERSION_2_3_34).build();

    private TemplateFunctions() {}

    /** Makes a text of one value. */
    private interface Shown {
        String of(Object value);
    }

    static Map<String, Object> all() {
        return Map.of(
                "measure",
                        function(value ->
                                Wording.words(String.valueOf(value).replaceAll("(_per_second|_seconds)$", ""))),
                "unit", function(value -> unit(String.valueOf(value))),
                "count", function(value -> value instanceof Number n ? Wording.count(n.longValue()) : "–"),
                "share", function(value -> value instanceof Number n ? Wording.share(n.doubleValue()) : "–"),
                "words", function(value -> Wording.words(String.valueOf(value))),
                "time", function(value -> time(String.valueOf(value))),
                "show", function(TemplateFunctions::show),
                "at", function(value -> Geometry.at(((Number) value).doubleValue())),
                "file", function(value -> lastName(String.valueOf(value))));
    }

    private static TemplateMethodModelEx function(Shown shown) {
        return arguments -> shown.of(unwrap(arguments));
    }

    private static Object unwrap(List<?> arguments) throws TemplateModelException {
        if (arguments.size() != 1) {
            throw new TemplateModelException("one argument is expected");
        }
        return WRAPPER.unwrap((TemplateModel) arguments.get(0));
    }

    /** The unit that a number's name ends with. */
    private static String unit(String name) {
        return name.endsWith("_per_second") ? "/s" : name.endsWith("_seconds") ? " s" : "";
    }

    /** The file's name without its folders. */
    private static String lastName(String path) {
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }

    /** {@code 2026-11-30T19:04:30.120000Z} → {@code 2026-11-30 19:04:30.12}. */
    private static String time(String instant) {
        String plain = instant.replace('T', ' ').replace("Z", "");
        int end = plain.length();
        if (plain.indexOf('.') > 0) {
            while (plain.charAt(end - 1) == '0') {
                end--;
            }
            end = plain.charAt(end - 1) == '.' ? end - 1 : end;
        }
        return plain.substring(0, end);
    }

    /** A number, an interval, a text, a list or a map of these. */
    private static String show(Object value) {
        if (value instanceof Number number) {
            return Wording.number(number.doubleValue());
        }
        if (value instanceof Map<?, ?> map) {
            if (map.containsKey("low") && map.containsKey("high")) {
                return Wording.interval(bound(map.get("low")), bound(map.get("high")));
            }
            StringJoiner joined = new StringJoiner(", ");
            map.forEach((name, each) -> joined.add(name + " " + show(each)));
            return joined.toString();
        }
        if (value instanceof List<?> list) {
            StringJoiner joined = new StringJoiner(", ");
            list.forEach(each -> joined.add(show(each)));
            return joined.toString();
        }
        if (value instanceof Boolean yes) {
            return yes ? "yes" : "no";
        }
        return value == null ? "unknown" : String.valueOf(value);
    }

    private static Optional<Double> bound(Object value) {
        return value instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
    }
}
