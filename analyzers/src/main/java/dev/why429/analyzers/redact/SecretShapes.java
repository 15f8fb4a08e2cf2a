package dev.why429.analyzers.redact;

import java.util.List;
import java.util.Locale;

/** Secrets that are known by how they look, whatever stands before them. */
final class SecretShapes {
    /** Prefixes that issuers give their keys so that scanners find them, each with the letters that follow at least. */
    private static final List<String> PREFIXES = List.of(
            "sk_live_",
            "sk_test_",
            "rk_live_",
            "rk_test_",
            "pk_live_",
            "pk_test_",
            "whsec_",
            "ghp_",
            "gho_",
            "ghu_",
            "ghs_",
            "ghr_",
            "github_pat_",
            "glpat-",
            "xoxb-",
            "xoxp-",
            "xoxa-",
            "xoxs-",
            "xapp-",
            "AKIA",
            "ASIA",
            "AIza",
            "ya29.",
            "SG.",
            "npm_",
            "pypi-",
            "dop_v1_",
            "shpat_",
            "sk-ant-",
            "sk-proj-",
            "sk-");

    private static final int SHORTEST_PREFIX = 3;
    private static final int AFTER_PREFIX = 12;
    private static final int RANDOM_LENGTH = 32;
    private static final int HEX_LENGTH = 32;
    private static final int HEX_LENGTH_IN_PATH = 40;

    private SecretShapes() {}

    /** @param place how sure one must be: a long hexadecimal segment of a path is an id more often than not */
    static boolean secret(String word, Place place) {
        return jwt(word) || prefixed(word) || email(word) || random(word, place);
    }

    enum Place {
        TEXT,
        QUERY,
        PATH
    }

    /** {@code eyJ…} is a JSON object in base64; three parts with dots are a signed one. */
    private static boolean jwt(String word) {
        return word.startsWith("eyJ") && word.length() >= 20 && (word.indexOf('.') > 0 || word.length() >= 40);
    }

    private static boolean prefixed(String word) {
        if (word.length() < SHORTEST_PREFIX + AFTER_PREFIX) {
            return false;
        }
        for (String prefix : PREFIXES) {
            if (word.length() >= prefix.length() + AFTER_PREFIX && word.startsWith(prefix)) {
                return word.chars()
                        .skip(prefix.length())
                        .allMatch(c -> letterOrDigit(c) || c == '_' || c == '-' || c == '.');
            }
        }
        return false;
    }

    private static boolean email(String word) {
        int at = word.indexOf('@');
        int atLength = 1;
        if (at < 0) {
            at = word.toLowerCase(Locale.ROOT).indexOf("%40");
            atLength = 3;
        }
        int dot = word.lastIndexOf('.');
        if (at <= 0 || dot < at + atLength + 1 || dot > word.length() - 3) {
            return false;
        }
        // express@4.18.2 is a version
        return word.chars().skip(dot + 1L).allMatch(Character::isLetter);
    }

    private static boolean random(String word, Place place) {
        if (word.length() < RANDOM_LENGTH) {
            return false;
        }
        int lower = 0;
        int upper = 0;
        int digits = 0;
        boolean hex = true;
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c >= '0' && c <= '9') {
                digits++;
            } else if (c >= 'a' && c <= 'z') {
                lower++;
                hex &= c <= 'f';
            } else if (c >= 'A' && c <= 'Z') {
                upper++;
                hex &= c <= 'F';
            } else if (c == '_' || c == '-' || c == '+') {
                hex = false;
            } else {
                return false;
            }
        }
        if (hex && digits > 2) {
            return word.length() >= (place == Place.PATH ? HEX_LENGTH_IN_PATH : HEX_LENGTH);
        }
        return lower >= 3 && upper >= 3 && digits >= 3;
    }

    /**
     * A payment card's number: 14 to 19 digits, in one piece or in fours (or 4-6-5), with a right check digit (ISO/IEC 7812-1, Luhn) and a
     * first digit that issuers use; an epoch in microseconds begins with 1.
     *
     * @return one past its end, or -1
     */
    static int cardEnd(String text, int start) {
        char first = text.charAt(start);
        if (first < '2' || first > '6' || (start > 0 && letterOrDigit(text.charAt(start - 1)))) {
            return -1;
        }
        int[] digits = new int[20];
        int count = 0;
        int group = 0;
        int groups = 1;
        int i = start;
        for (; i < text.length() && count < 20; i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                digits[count++] = c - '0';
                group++;
            } else if ((c == ' ' || c == '-') && (group == 4 || (groups == 2 && group == 6))) {
                boolean more = i + 1 < text.length() && text.charAt(i + 1) >= '0' && text.charAt(i + 1) <= '9';
                if (!more || count >= 16) {
                    break;
                }
                group = 0;
                groups++;
            } else {
                break;
            }
        }
        boolean grouped = groups == 1 || (groups >= 3 && group >= 3);
        boolean ends = i >= text.length() || !letterOrDigit(text.charAt(i));
        return grouped && ends && count >= 14 && count <= 19 && luhn(digits, count) ? i : -1;
    }

    private static boolean luhn(int[] digits, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            int digit = digits[count - 1 - i];
            int doubled = digit * 2;
            sum += (i & 1) == 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 == 0;
    }

    static boolean letterOrDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
