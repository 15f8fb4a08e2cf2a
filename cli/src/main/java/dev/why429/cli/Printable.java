package dev.why429.cli;

/**
 * Makes text of unknown origin safe to show on one line of a terminal or a page: control characters, escape sequences, line ends, marks that
 * turn the direction of writing, and characters without width become visible as {@code \}{@code u{1b}}. What is left shows as it reads.
 */
public final class Printable {
    private Printable() {}

    /** The text itself when there is nothing to make visible. */
    public static String of(String text) {
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            if (hides(point)) {
                return escaped(text, i);
            }
            i += Character.charCount(point);
        }
        return text;
    }

    /** As {@link #of}, cut to a number of characters; what is cut is marked by an ellipsis. */
    public static String of(String text, int atMost) {
        String shown = of(text);
        if (shown.codePointCount(0, shown.length()) <= atMost) {
            return shown;
        }
        return shown.substring(0, shown.offsetByCodePoints(0, Math.max(0, atMost - 1))) + "…";
    }

    private static String escaped(String text, int firstHidden) {
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, firstHidden);
        for (int i = firstHidden; i < text.length(); ) {
            int point = text.codePointAt(i);
            if (hides(point)) {
                shown.append("\\u{").append(Integer.toHexString(point)).append('}');
            } else {
                shown.appendCodePoint(point);
            }
            i += Character.charCount(point);
        }
        return shown.toString();
    }

    private static boolean hides(int point) {
        if (point >= 0x20 && point < 0x7f) {
            return false;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
