package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.rules.Detector;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** From what was seen to a finding that a person can read. */
final class Wording {
    private static final int MOST_LISTED = 6;

    private static final Pattern MOMENT =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?Z?");

    private Wording() {}

    static Case.Finding finding(Detector detector, int number, Sighting seen, long denials) {
        long explained = Math.min(seen.denialsExplained(), denials);
        Map<String, Object> words = new HashMap<>(seen.numbers());
        words.putAll(seen.subject());
        words.put("limiter", seen.limiter().orElse("the limiter"));
        words.put("explained", explained);
        return new Case.Finding(
                detector.id() + "-" + number,
                detector.id(),
                seen.severity().orElseGet(() -> severity(detector, explained, denials)),
                Math.max(0, Math.min(1, seen.confidence())),
                detector.title(),
                filled(detector.summary(), words),
                seen.limiter(),
                seen.subject(),
                seen.from(),
                seen.to(),
                seen.numbers(),
                seen.because(),
                seen.evidence(),
                filled(detector.wouldDisprove(), words),
                new Case.Fix(filled(detector.operatorFix(), words), filled(detector.clientFix(), words)),
                seen.pitfall().or(detector::pitfall),
                explained);
    }

    private static String severity(Detector detector, long explained, long denials) {
        Detector.Severity rule = detector.severity();
        boolean large = rule.highFromShare().isPresent()
                && denials > 0
                && explained >= rule.highFromShare().getAsDouble() * denials
                && explained > 0;
        return large ? "high" : rule.normally();
    }

    /**
     * Puts values in the place of {@code {name}}; a name without a value becomes "unknown". {@code {clients|client repeats|clients repeat}}
     * becomes "1 client repeats" or "12 clients repeat".
     */
    static String filled(String template, Map<String, Object> words) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < template.length()) {
            int open = template.indexOf('{', at);
            int close = open < 0 ? -1 : template.indexOf('}', open);
            if (close < 0) {
                break;
            }
            String[] parts = template.substring(open + 1, close).split("\\|", -1);
            Object value = words.get(parts[0]);
            String shown = value == null ? "unknown" : text(value);
            out.append(template, at, open).append(shown);
            if (parts.length == 3) {
                out.append(' ').append(shown.equals("1") ? parts[1] : parts[2]);
            }
            at = close + 1;
        }
        return out.append(template, at, template.length()).toString();
    }

    static String text(Object value) {
        if (value instanceof Interval interval) {
            String low = interval.low().map(Wording::number).orElse("?");
            String high = interval.high().map(Wording::number).orElse("?");
            return low.equals(high) ? low : low + " to " + high;
        }
        if (value instanceof Number number) {
            return number(number.doubleValue());
        }
        if (value instanceof Map<?, ?> map) {
            return listed(map.entrySet().stream()
                    .map(e -> e.getKey() + " " + text(e.getValue()))
                    .toList());
        }
        if (value instanceof Collection<?> list) {
            return listed(list.stream().map(Wording::text).toList());
        }
        return moment(value.toString());
    }

    /** {@code 2026-11-30T19:04:30.120000Z} → {@code 2026-11-30 19:04:30 UTC}; any other text stays. */
    private static String moment(String text) {
        return MOMENT.matcher(text).matches() ? text.substring(0, 10) + ' ' + text.substring(11, 19) + " UTC" : text;
    }

    private static String listed(Collection<String> parts) {
        String shown = parts.stream().limit(MOST_LISTED).collect(Collectors.joining(", "));
        return parts.size() > MOST_LISTED ? shown + " and " + (parts.size() - MOST_LISTED) + " more" : shown;
    }

    /** At most three figures behind the point, none that say nothing. */
    static String number(double value) {
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        String text = String.format(Locale.ROOT, Math.abs(value) < 0.01 ? "%.5f" : "%.3f", value);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}
