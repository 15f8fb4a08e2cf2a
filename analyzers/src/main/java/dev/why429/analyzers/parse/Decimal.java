package dev.why429.analyzers.parse;

import dev.why429.rules.Format.Unit;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A decimal number read from bytes: whole part and billionths. One instance per thread. */
final class Decimal {
    private long whole;
    private long billionths;
    private boolean negative;

    /** @return false when it is no number, or one of more than 15 digits before the point */
    boolean read(byte[] b, int from, int to) {
        int at = from;
        negative = at < to && b[at] == '-';
        if (negative) {
            at++;
        }
        int first = at;
        whole = 0;
        while (at < to && Slices.isDigit(b[at])) {
            whole = whole * 10 + (b[at++] - '0');
            if (at - first > 15) {
                return false;
            }
        }
        boolean any = at > first;
        billionths = 0;
        if (at < to && b[at] == '.') {
            at++;
            long weight = 100_000_000;
            while (at < to && Slices.isDigit(b[at])) {
                billionths += weight * (b[at++] - '0');
                weight /= 10;
                any = true;
            }
        }
        if (any && at < to && (b[at] == 'e' || b[at] == 'E')) {
            return exponent(b, at + 1, to);
        }
        return any && at == to;
    }

    // 2.1e-05, as a float's shortest form is written
    private boolean exponent(byte[] b, int from, int to) {
        int at = from;
        boolean down = at < to && b[at] == '-';
        if (at < to && (b[at] == '-' || b[at] == '+')) {
            at++;
        }
        int power = 0;
        int first = at;
        while (at < to && Slices.isDigit(b[at]) && at - first < 2) {
            power = power * 10 + (b[at++] - '0');
        }
        if (at == first || at != to || (!down && power > 9)) {
            return false;
        }
        double value = (whole + billionths / 1e9) * Math.pow(10, down ? -power : power);
        if (value > 1e15) {
            return false;
        }
        whole = (long) value;
        billionths = Math.round((value - whole) * 1e9);
        return true;
    }

    /** A number that is nothing but digits; −1 when it is none. */
    static long whole(byte[] b, int from, int to) {
        if (from >= to || to - from > 18) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            if (!Slices.isDigit(b[i])) {
                return -1;
            }
            value = value * 10 + (b[i] - '0');
        }
        return value;
    }

    /** {@code 12ms}, {@code 61.2µs}, {@code 0.4s}, {@code 1m}, and a bare whole number, which is of milliseconds; in microseconds. */
    static Optional<Long> duration(byte[] b, int from, int to) {
        int digits = from;
        while (digits < to && (Slices.isDigit(b[digits]) || b[digits] == '.')) {
            digits++;
        }
        Decimal number = new Decimal();
        if (digits - from > 10 || !number.read(b, from, digits)) {
            return Optional.empty();
        }
        return switch (new String(b, digits, Math.min(to - digits, 8), StandardCharsets.UTF_8)) {
            case "" -> number.billionths == 0 ? Optional.of(number.times(1_000)) : Optional.empty();
            case "ms" -> Optional.of(number.times(1_000));
            case "us", "µs", "μs" -> Optional.of(number.times(1));
            case "ns" -> Optional.of(number.whole / 1_000);
            case "s", "sec" -> Optional.of(number.times(1_000_000));
            case "m", "min" -> Optional.of(number.times(60_000_000));
            case "h" -> Optional.of(number.times(1_000_000) * 3_600);
            default -> Optional.empty();
        };
    }

    boolean negative() {
        return negative;
    }

    /** The number times a power of ten up to a billion, cut to a whole. */
    long times(long factor) {
        return whole * factor + billionths * factor / 1_000_000_000L;
    }

    /** As a time in microseconds. */
    long micros(Unit unit) {
        return switch (unit) {
            case S -> times(1_000_000);
            case MS -> times(1_000);
            case US -> times(1);
            case NS -> whole / 1_000;
        };
    }
}
