package dev.why429.analyzers.parse;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Reads the stamps that logs bear, whatever their shape: {@code 30/Nov/2026:19:40:02 +0000}, {@code 30/Nov/2026:19:49:59.247},
 * {@code 2026-11-30T19:40:02.117Z}, {@code 2026/11/30 20:11:09}, {@code Mon, 30 Nov 2026 19:40:02 GMT}, and seconds, milliseconds,
 * microseconds or nanoseconds since 1970, told apart by their size. One instance per thread; the last second read is kept.
 */
final class Stamps {
    private static final long SECOND = 1_000_000L;
    private static final long DAY_SECONDS = 86_400;
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private final ZoneId zone;
    private final Instant reference;
    private boolean everRead;
    private long micros;
    private long resolutionMicros;
    private boolean zoneInLine;

    // the last 26 bytes read in CLF's shape
    private long clf0;
    private long clf1;
    private long clf2;
    private short clf3;
    private long clfMicros;

    // offset of the zone in the last quarter of an hour asked for: no zone changes within one
    private long quarter = Long.MIN_VALUE;
    private long quarterOffsetSeconds;

    Stamps(ZoneId zone) {
        this(zone, Instant.EPOCH);
    }

    /** @param reference a moment not long after the last stamp, by which stamps without a year get theirs; EPOCH: such are none */
    Stamps(ZoneId zone, Instant reference) {
        this.zone = zone;
        this.reference = reference;
    }

    /** Whether any stamp was read. */
    boolean everRead() {
        return everRead;
    }

    /** Microseconds since 1970 in UTC. */
    long micros() {
        return micros;
    }

    /** How finely the last stamp was written: 1,000,000 for one without a fraction. */
    long resolutionMicros() {
        return resolutionMicros;
    }

    /** Whether the last stamp said its own zone. */
    boolean zoneInLine() {
        return zoneInLine;
    }

    /** @return false when it is no stamp, or names a day or an hour that does not exist */
    boolean read(byte[] b, int from, int to) {
        boolean good = readAny(b, from, to);
        everRead |= good;
        return good;
    }

    private boolean readAny(byte[] b, int from, int to) {
        int length = to - from;
        if (length == 15 && b[from + 3] == ' ' && b[from + 9] == ':') {
            return yearless(b, from, to);
        }
        if (length == 26 && b[from + 2] == '/') {
            long a0 = Slices.longAt(b, from);
            long a1 = Slices.longAt(b, from + 8);
            long a2 = Slices.longAt(b, from + 16);
            short a3 = (short) ((b[from + 24] << 8) | (b[from + 25] & 0xff));
            if (a0 == clf0 && a1 == clf1 && a2 == clf2 && a3 == clf3) {
                micros = clfMicros;
                resolutionMicros = SECOND;
                zoneInLine = true;
                return true;
            }
            if (!dayFirst(b, from, to)) {
                return false;
            }
            if (zoneInLine && resolutionMicros == SECOND) {
                clf0 = a0;
                clf1 = a1;
                clf2 = a2;
                clf3 = a3;
                clfMicros = micros;
            }
            return true;
        }
        if (length >= 19 && b[from + 2] == '/') {
            return dayFirst(b, from, to);
        }
        if (length >= 19 && Slices.isDigit(b[from]) && (b[from + 4] == '-' || b[from + 4] == '/')) {
            return yearFirst(b, from, to);
        }
        if (length >= 25 && b[from + 3] == ',' && b[from + 4] == ' ') {
            return webDate(b, from + 5, to);
        }
        return length >= 9 && epoch(b, from, to);
    }

    /** {@code Nov 30 19:40:02}: of the reference's year, or of the year before when that would be more than a day after it. */
    private boolean yearless(byte[] b, int from, int to) {
        int month = month(b, from);
        int day = b[from + 4] == ' ' ? b[from + 5] - '0' : two(b, from + 4);
        if (month == 0 || reference.equals(Instant.EPOCH)) {
            return false;
        }
        int year = reference.atZone(zone).getYear();
        for (int tried = year + 1; tried >= year - 1; tried--) {
            if (clock(b, from + 7, to, tried, month, day)
                    && micros / SECOND <= reference.getEpochSecond() + DAY_SECONDS) {
                return true;
            }
        }
        return false;
    }

    // 30/Nov/2026:19:40:02[.247][ +0000]
    private boolean dayFirst(byte[] b, int from, int to) {
        int month = month(b, from + 3);
        if (month == 0 || b[from + 6] != '/' || (b[from + 11] != ':' && b[from + 11] != ' ') || to - from < 20) {
            return false;
        }
        int day = two(b, from);
        int year = two(b, from + 7) * 100 + two(b, from + 9);
        return day >= 1 && year >= 0 && clock(b, from + 12, to, year, month, day);
    }

    // 2026-11-30T19:40:02[.117][Z|+00:00]
    private boolean yearFirst(byte[] b, int from, int to) {
        byte gap = b[from + 10];
        if (b[from + 7] != b[from + 4] || (gap != 'T' && gap != ' ' && gap != 't')) {
            return false;
        }
        int year = two(b, from) * 100 + two(b, from + 2);
        int month = two(b, from + 5);
        int day = two(b, from + 8);
        // 2026/11/30 - 19:40:02
        int hours = gap == ' ' && b[from + 11] == '-' && b[from + 12] == ' ' && to - from > 20 ? from + 13 : from + 11;
        return (year | month | day) > 0 && clock(b, hours, to, year, month, day);
    }

    // 30 Nov 2026 19:40:02 GMT
    private boolean webDate(byte[] b, int from, int to) {
        int month = month(b, from + 3);
        if (month == 0 || b[from + 2] != ' ' || b[from + 6] != ' ' || b[from + 11] != ' ') {
            return false;
        }
        int year = two(b, from + 7) * 100 + two(b, from + 9);
        return year >= 0 && clock(b, from + 12, to, year, month, two(b, from));
    }

    private boolean clock(byte[] b, int from, int to, int year, int month, int day) {
        if (to - from < 8 || b[from + 2] != ':' || b[from + 5] != ':') {
            return false;
        }
        int hour = two(b, from);
        int minute = two(b, from + 3);
        int second = two(b, from + 6);
        if ((hour | minute | second | day) < 0 || hour > 23 || minute > 59 || second > 60 || month < 1 || month > 12) {
            return false;
        }
        if (day < 1 || day > daysIn(year, month)) {
            return false;
        }
        int at = from + 8;
        long fraction = 0;
        long unit = SECOND;
        if (at < to && (b[at] == '.' || b[at] == ',')) {
            at++;
            int first = at;
            long weight = SECOND / 10;
            while (at < to && Slices.isDigit(b[at])) {
                fraction += weight * (b[at++] - '0');
                unit = Math.max(weight, 1);
                weight /= 10;
            }
            if (at == first) {
                return false;
            }
        }
        // a leap second has no place on the scale: it is put into the second before it
        long local = days(year, month, day) * 86_400L + hour * 3_600L + minute * 60L + Math.min(second, 59);
        resolutionMicros = unit;
        return offset(b, at, to, local, fraction);
    }

    private boolean offset(byte[] b, int from, int to, long localSeconds, long fraction) {
        int at = from;
        if (at < to && b[at] == ' ') {
            at++;
        }
        if (at >= to) {
            zoneInLine = false;
            micros = (localSeconds - zoneOffset(localSeconds)) * SECOND + fraction;
            return true;
        }
        zoneInLine = true;
        boolean utcLetter = to - at == 1 && (b[at] == 'Z' || b[at] == 'z');
        if (utcLetter || (to - at == 3 && (isWord(b, at, "GMT") || isWord(b, at, "UTC")))) {
            micros = localSeconds * SECOND + fraction;
            return true;
        }
        int sign = b[at] == '+' ? 1 : b[at] == '-' ? -1 : 0;
        int minutesAt = to - at == 6 && b[at + 3] == ':' ? at + 4 : to - at == 5 ? at + 3 : -1;
        if (sign == 0 || (minutesAt < 0 && to - at != 3)) {
            return false;
        }
        int hours = two(b, at + 1);
        int minutes = minutesAt < 0 ? 0 : two(b, minutesAt);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return false;
        }
        micros = (localSeconds - sign * (hours * 3_600L + minutes * 60L)) * SECOND + fraction;
        return true;
    }

    private long zoneOffset(long localSeconds) {
        if (zone instanceof ZoneOffset fixed) {
            return fixed.getTotalSeconds();
        }
        long asked = Math.floorDiv(localSeconds, 900);
        if (asked != quarter) {
            quarter = asked;
            quarterOffsetSeconds = zone.getRules()
                    .getOffset(LocalDateTime.ofEpochSecond(localSeconds, 0, ZoneOffset.UTC))
                    .getTotalSeconds();
        }
        return quarterOffsetSeconds;
    }

    // 1796068314.028, 1796068427096: seconds below 10^11 (the year 5138), milliseconds below 10^14, microseconds below
    // 10^17
    private boolean epoch(byte[] b, int from, int to) {
        long whole = 0;
        int at = from;
        while (at < to && Slices.isDigit(b[at])) {
            if (at - from > 18) {
                return false;
            }
            whole = whole * 10 + (b[at++] - '0');
        }
        int digits = at - from;
        long fraction = 0;
        int fractionDigits = 0;
        if (at < to && b[at] == '.' && digits > 0) {
            at++;
            while (at < to && Slices.isDigit(b[at])) {
                if (fractionDigits < 6) {
                    fraction = fraction * 10 + (b[at] - '0');
                    fractionDigits++;
                }
                at++;
            }
        }
        if (at != to || digits < 9) {
            return false;
        }
        long scale = 1;
        for (int i = fractionDigits; i < 6; i++) {
            scale *= 10;
        }
        fraction *= scale;
        zoneInLine = true;
        if (whole < 100_000_000_000L) {
            micros = whole * SECOND + fraction;
            resolutionMicros = scale;
        } else if (whole < 100_000_000_000_000L) {
            micros = whole * 1_000 + fraction / 1_000;
            resolutionMicros = 1_000;
        } else if (whole < 100_000_000_000_000_000L) {
            micros = whole;
            resolutionMicros = 1;
        } else {
            micros = whole / 1_000;
            resolutionMicros = 1;
        }
        return true;
    }

    private static int month(byte[] b, int at) {
        for (int i = 0; i < MONTHS.length(); i += 3) {
            if (Slices.lower(b[at]) == MONTHS.charAt(i)
                    && Slices.lower(b[at + 1]) == MONTHS.charAt(i + 1)
                    && Slices.lower(b[at + 2]) == MONTHS.charAt(i + 2)) {
                return i / 3 + 1;
            }
        }
        return 0;
    }

    private static boolean isWord(byte[] b, int at, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (b[at + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Two digits as a number; very negative when they are none. */
    private static int two(byte[] b, int at) {
        int tens = b[at] - '0';
        int ones = b[at + 1] - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? Integer.MIN_VALUE / 200 : tens * 10 + ones;
    }

    private static int daysIn(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** Days since 1970-01-01 of a day of the proleptic Gregorian calendar, counted from March so that the leap day is a year's last. */
    private static long days(int year, int month, int day) {
        long y = month <= 2 ? year - 1 : year;
        long m = month <= 2 ? month + 9 : month - 3;
        return y * 365 + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719_468;
    }
}
