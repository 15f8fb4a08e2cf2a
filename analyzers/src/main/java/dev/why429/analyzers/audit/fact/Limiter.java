package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A limiter that stands in code.
 *
 * @param library that it comes from; {@code own} when it is hand-written
 * @param node the call that builds it, or the variable that holds its counters
 * @param place where it is built; {@code storePlace} where its counters live
 * @param windowSeconds length of its window, where it is written
 */
public record Limiter(
        String library,
        Code code,
        Syntax node,
        Place place,
        Store store,
        Key key,
        OptionalDouble limit,
        OptionalDouble windowSeconds) {
    /** Where counters live. */
    public enum Store {
        IN_PROCESS,
        SHARED,
        UNKNOWN
    }

    public static final String OWN = "own";

    public boolean isOwn() {
        return library.equals(OWN);
    }

    /** {@code 100 per 900 s}, as far as it is known. */
    public String budget() {
        if (limit.isEmpty()) {
            return "its limit";
        }
        String number = plain(limit.getAsDouble());
        return windowSeconds.isEmpty() ? number : number + " per " + plain(windowSeconds.getAsDouble()) + " s";
    }

    public static String plain(double value) {
        return value == Math.rint(value)
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
    }
}
