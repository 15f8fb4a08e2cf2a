package dev.why429.analyzers.detect;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a provider promised: {@code 1200/min by api_key}.
 *
 * @param by the field it is promised for, empty where not said
 */
record Promise(String text, double count, double perSeconds, String by) {
    private static final String RATE =
            "([0-9]+(?:\\.[0-9]+)?)\\s*(?:r|requests?|calls?|hits?)?\\s*(?:/|per|an?|in|every)\\s*([0-9]+)?\\s*([a-z]+)";
    private static final Pattern SHAPE = Pattern.compile("\\s*" + RATE + "(?:\\s+by\\s+([a-z_]+))?\\s*");
    private static final Pattern PHRASE = Pattern.compile("\\b" + RATE + "\\b");
    /** Quota: 300 RPM. */
    private static final Pattern LETTERS =
            Pattern.compile("\\b([0-9]+(?:\\.[0-9]+)?)\\s*(?:rp|req/|requests/|tp)(s|m|h|d)\\b");
    /** Only a sentence that speaks of a limit promises one. */
    private static final Pattern OF_LIMITS =
            Pattern.compile("limit|quota|allow|contract|plan|rate|rpm|rps|promis|budget|r/[smh]");

    /** Reads an option's value; empty when it has another shape. */
    static Optional<Promise> read(String text) {
        Matcher matcher = SHAPE.matcher(text.toLowerCase(Locale.ROOT));
        return matcher.matches()
                ? of(text, matcher, matcher.group(4) == null ? "" : matcher.group(4))
                : Optional.empty();
    }

    /** The limits that a sentence speaks of: {@code limit: 10 per minute per client}, {@code Quota: 300 RPM}. */
    static List<Promise> within(String sentence) {
        String lower = sentence.replace(",", "").toLowerCase(Locale.ROOT);
        List<Promise> promises = new ArrayList<>();
        if (!OF_LIMITS.matcher(lower).find()) {
            return promises;
        }
        Matcher phrase = PHRASE.matcher(lower);
        while (phrase.find()) {
            of(sentence.strip(), phrase, "").ifPresent(promises::add);
        }
        Matcher letters = LETTERS.matcher(lower);
        while (letters.find()) {
            double unit = seconds(letters.group(2));
            promises.add(new Promise(sentence.strip(), Double.parseDouble(letters.group(1)), unit, ""));
        }
        return promises;
    }

    private static Optional<Promise> of(String text, Matcher matcher, String by) {
        double unit = seconds(matcher.group(3));
        double times = matcher.group(2) == null ? 1 : Double.parseDouble(matcher.group(2));
        double count = Double.parseDouble(matcher.group(1));
        return unit == 0 || times == 0 || count == 0
                ? Optional.empty()
                : Optional.of(new Promise(text, count, unit * times, by));
    }

    private static double seconds(String unit) {
        return switch (unit) {
            case "s", "sec", "secs", "second", "seconds" -> 1;
            case "m", "min", "mins", "minute", "minutes" -> 60;
            case "h", "hr", "hour", "hours" -> 3600;
            case "d", "day", "days" -> 86400;
            default -> 0;
        };
    }
}
