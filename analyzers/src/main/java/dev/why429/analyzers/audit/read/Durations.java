package dev.why429.analyzers.audit.read;

import java.util.OptionalDouble;

/** Spans of time as configurations write them: {@code 1s}, {@code 500ms}, {@code 1m}, {@code 10 minutes}. */
public final class Durations {
    private Durations() {}

    /** @return seconds; empty when the text is no span */
    public static OptionalDouble seconds(String text) {
        String bare = text.strip().replace(" ", "").toLowerCase(java.util.Locale.ROOT);
        int at = 0;
        while (at < bare.length() && (Character.isDigit(bare.charAt(at)) || bare.charAt(at) == '.')) {
            at++;
        }
        if (at == 0 || at > 12) {
            return OptionalDouble.empty();
        }
        double number;
        try {
            number = Double.parseDouble(bare.substring(0, at));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
        return switch (bare.substring(at)) {
            case "", "s", "sec", "second", "seconds" -> OptionalDouble.of(number);
            case "ms", "milliseconds" -> OptionalDouble.of(number / 1000);
            case "m", "min", "minute", "minutes" -> OptionalDouble.of(number * 60);
            case "h", "hour", "hours" -> OptionalDouble.of(number * 3600);
            case "d", "day", "days" -> OptionalDouble.of(number * 86_400);
            default -> OptionalDouble.empty();
        };
    }
}
