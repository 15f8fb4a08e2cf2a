package dev.why429.analyzers.detect;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Locale;
import java.util.Optional;

/**
 * What a provider promised: {@code 1200/min by api_key}.
 *
 * @param by the field it is promised for, empty where not said
 */
record Promise(String text, double count, double perSeconds, String by) {
    private static final Pattern SHAPE = Pattern.compile(
            "\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(?:/|per)\\s*([0-9]+)?\\s*([a-z]+)(?:\\s+by\\s+([a-z_]+))?\\s*");

    static Optional<Promise> read(String text) {
        Matcher matcher = SHAPE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        double unit = switch (matcher.group(3)) {
            case "s", "sec", "second", "seconds" -> 1;
            case "m", "min", "minute", "minutes" -> 60;
            case "h", "hour", "hours" -> 3600;
            case "d", "day", "days" -> 86400;
            default -> 0;
        };
        if (unit == 0) {
            return Optional.empty();
        }
        double times = matcher.group(2) == null ? 1 : Double.parseDouble(matcher.group(2));
        String by = matcher.group(4) == null ? "" : matcher.group(4);
        return Optional.of(new Promise(text, Double.parseDouble(matcher.group(1)), unit * times, by));
    }
}
