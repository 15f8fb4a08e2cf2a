package dev.why429.analyzers.attribute.quota;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * A moment to wait for, as a header gives it: so many seconds from now, or a moment of the clock.
 *
 * @param form how it was written
 * @param seconds from the response on; negative where the moment has passed; empty where no clock says when the response was sent
 * @param at the moment; empty where no clock says when the response was sent
 */
public record WaitTime(Form form, Optional<Double> seconds, Optional<Instant> at) {
    /** How a wait is written. */
    public enum Form {
        DELTA_SECONDS,
        DELTA_MILLIS,
        EPOCH_SECONDS,
        EPOCH_MILLIS,
        DATE,
        DURATION
    }

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,17}(\\.[0-9]{1,12})?");

    /** {@code 6m0s}, {@code 1h2m3.5s}, {@code 20ms}: durations as Go prints them. */
    private static final Pattern DURATION =
            Pattern.compile("(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9}(?:\\.[0-9]{1,9})?)s)?");

    private static final Pattern MILLIS = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?)ms");

    /** A delta of seconds that would end months from now is one of milliseconds. */
    private static final double LONGEST_DELTA_SECONDS = 1e7;

    private static final double EPOCH_SECONDS_FROM = 1e9;
    private static final double EPOCH_SECONDS_TO = 1e11;
    private static final double EPOCH_MILLIS_FROM = 1e12;

    /** A clock that says otherwise by more than this makes the number no moment at all. */
    private static final Duration SENSIBLE = Duration.ofDays(400);

    /**
     * Reads when a quota is full again.
     *
     * @param clock when the response was sent
     * @param windowSeconds the window, where the same response names it: a delta far beyond it, and within it as milliseconds, is in milliseconds
     * @param retryAfterSeconds the Retry-After of the same response: a delta a thousand times as long is in milliseconds
     */
    static Optional<WaitTime> reset(
            String text, Optional<Instant> clock, Optional<Double> windowSeconds, Optional<Double> retryAfterSeconds) {
        String value = text.strip();
        if (!NUMBER.matcher(value).matches()) {
            return other(value, clock);
        }
        double number = Double.parseDouble(value);
        if (number >= EPOCH_MILLIS_FROM) {
            return moment(Form.EPOCH_MILLIS, number / 1000, clock);
        }
        if (number >= EPOCH_SECONDS_FROM) {
            return number < EPOCH_SECONDS_TO ? moment(Form.EPOCH_SECONDS, number, clock) : Optional.empty();
        }
        boolean beyondWindow = windowSeconds
                .filter(window -> number > 1.5 * window + 1 && number / 1000 <= 1.01 * window + 1)
                .isPresent();
        boolean thousandfold = retryAfterSeconds
                .filter(wait -> wait > 0 && number > 100 * wait && Math.abs(number / 1000 - wait) <= 1)
                .isPresent();
        return number >= LONGEST_DELTA_SECONDS || beyondWindow || thousandfold
                ? delta(Form.DELTA_MILLIS, number / 1000, clock)
                : delta(Form.DELTA_SECONDS, number, clock);
    }

    /** Reads Retry-After: seconds, always, or a date. */
    static Optional<WaitTime> retryAfter(String text, Optional<Instant> clock) {
        String value = text.strip();
        return NUMBER.matcher(value).matches()
                ? delta(Form.DELTA_SECONDS, Double.parseDouble(value), clock)
                : other(value, clock);
    }

    static Optional<WaitTime> seconds(double seconds, Form form, Optional<Instant> clock) {
        return delta(form, seconds, clock);
    }

    private static Optional<WaitTime> other(String value, Optional<Instant> clock) {
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Optional<Double> duration = duration(value);
        if (duration.isPresent()) {
            return delta(Form.DURATION, duration.get(), clock);
        }
        try {
            Instant at = value.charAt(0) <= '9'
                    ? OffsetDateTime.parse(value.replace(' ', 'T')).toInstant()
                    : ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
            return Optional.of(new WaitTime(Form.DATE, clock.map(now -> between(now, at)), Optional.of(at)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A duration as Go writes it, in seconds. */
    static Optional<Double> duration(String value) {
        Matcher millis = MILLIS.matcher(value);
        if (millis.matches()) {
            return Optional.of(Double.parseDouble(millis.group(1)) / 1000);
        }
        Matcher matcher = DURATION.matcher(value);
        return matcher.matches() && !value.isEmpty()
                ? Optional.of(3600 * part(matcher, 1) + 60 * part(matcher, 2) + part(matcher, 3))
                : Optional.empty();
    }

    private static double part(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Double.parseDouble(matcher.group(group));
    }

    private static Optional<WaitTime> delta(Form form, double seconds, Optional<Instant> clock) {
        boolean sensible = Math.abs(seconds) <= SENSIBLE.toSeconds();
        return Optional.of(new WaitTime(
                form, Optional.of(seconds), clock.filter(now -> sensible).map(now -> plus(now, seconds))));
    }

    private static Optional<WaitTime> moment(Form form, double epochSeconds, Optional<Instant> clock) {
        Instant at = plus(Instant.EPOCH, epochSeconds);
        boolean sensible = clock.map(now -> Duration.between(now, at).abs().compareTo(SENSIBLE) < 0)
                .orElse(true);
        return sensible
                ? Optional.of(new WaitTime(form, clock.map(now -> between(now, at)), Optional.of(at)))
                : Optional.empty();
    }

    private static Instant plus(Instant from, double seconds) {
        return from.plusNanos(Math.round(seconds * 1e6) * 1000);
    }

    private static double between(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }
}
