package dev.why429.analyzers.attribute.quota;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The value of a quota header, which is often a list whose members have parameters: {@code 10, 10;w=1;name="per-ip"}.
 *
 * @param text what stands before the parameters, without quotes
 * @param parameters names in lower case
 */
record QuotaValue(String text, boolean quoted, Map<String, String> parameters) {
    private static final int MOST_MEMBERS = 20;
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,17}(\\.[0-9]{1,12})?");

    /** {@code 3 per 10s}, {@code 5 per 1 minute}, {@code 100/h}, {@code 10 requests / 60 seconds}. */
    private static final Pattern RATE = Pattern.compile(
            "([0-9]{1,12})\\s*(?:requests?|calls?|req)?\\s*(?:/|per|in|every)\\s*([0-9]{1,9})?\\s*([a-z]{1,10})");

    static List<QuotaValue> list(String value) {
        List<QuotaValue> members = new ArrayList<>();
        for (String member : split(value, ',')) {
            List<String> parts = split(member, ';');
            String head = parts.get(0).strip();
            boolean quoted = head.length() > 1 && head.startsWith("\"") && head.endsWith("\"");
            Map<String, String> parameters = new LinkedHashMap<>();
            for (String part : parts.subList(1, parts.size())) {
                int equals = part.indexOf('=');
                if (equals > 0) {
                    parameters.put(
                            part.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                            unquoted(part.substring(equals + 1).strip()));
                }
            }
            if (!head.isEmpty() || !parameters.isEmpty()) {
                members.add(new QuotaValue(unquoted(head), quoted, parameters));
            }
        }
        return members.size() > MOST_MEMBERS ? members.subList(0, MOST_MEMBERS) : members;
    }

    Optional<Double> number() {
        return number(text);
    }

    Optional<Double> parameter(String name) {
        return Optional.ofNullable(parameters.get(name)).flatMap(QuotaValue::number);
    }

    Optional<String> named(String name) {
        return Optional.ofNullable(parameters.get(name)).filter(value -> !value.isBlank());
    }

    static Optional<Double> number(String text) {
        String value = text.strip();
        return NUMBER.matcher(value).matches() ? Optional.of(Double.valueOf(value)) : Optional.empty();
    }

    /**
     * A rate in words.
     *
     * @return requests, and the seconds they are for
     */
    static Optional<double[]> rate(String text) {
        Matcher matcher = RATE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        double times = matcher.group(2) == null ? 1 : Double.parseDouble(matcher.group(2));
        return period(matcher.group(3)).map(unit -> new double[] {Double.parseDouble(matcher.group(1)), unit * times});
    }

    /** The length of a named period in seconds: {@code minute}, {@code h}; a month is 30 days here, a year 365. */
    static Optional<Double> period(String name) {
        return switch (name) {
            case "s", "sec", "secs", "second", "seconds", "secondly" -> Optional.of(1.0);
            case "m", "min", "mins", "minute", "minutes", "minutely" -> Optional.of(60.0);
            case "h", "hr", "hour", "hours", "hourly" -> Optional.of(3600.0);
            case "d", "day", "days", "daily" -> Optional.of(86_400.0);
            case "week", "weeks", "weekly" -> Optional.of(604_800.0);
            case "month", "months", "monthly" -> Optional.of(30 * 86_400.0);
            case "year", "years", "yearly" -> Optional.of(365 * 86_400.0);
            default -> Optional.empty();
        };
    }

    private static String unquoted(String text) {
        return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    /** Splits outside of quotes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
