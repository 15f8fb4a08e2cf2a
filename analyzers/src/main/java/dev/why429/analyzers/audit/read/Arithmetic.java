package dev.why429.analyzers.audit.read;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Numbers written as sums and products: {@code 15 * 60 * 1000}, {@code 1000 / 3600}, {@code 60_000}. */
public final class Arithmetic {
    private static final int MAX_DEPTH = 20;

    private final String text;
    private final Function<String, Optional<String>> names;
    private final int depth;
    private int at;

    private Arithmetic(String text, Function<String, Optional<String>> names, int depth) {
        this.text = text;
        this.names = names;
        this.depth = depth;
    }

    public static OptionalDouble evaluate(String text) {
        return evaluate(text, name -> Optional.empty());
    }

    /** @param names what a name stands for, as text */
    public static OptionalDouble evaluate(String text, Function<String, Optional<String>> names) {
        return evaluate(text, names, 0);
    }

    private static OptionalDouble evaluate(String text, Function<String, Optional<String>> names, int depth) {
        if (text.length() > 200 || depth > MAX_DEPTH) {
            return OptionalDouble.empty();
        }
        Arithmetic reader = new Arithmetic(text, names, depth);
        double value = reader.sum(0);
        reader.blanks();
        return reader.at == text.length() && Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    private double sum(int nested) {
        double value = product(nested);
        while (true) {
            blanks();
            if (eat('+')) {
                value += product(nested);
            } else if (eat('-')) {
                value -= product(nested);
            } else {
                return value;
            }
        }
    }

    private double product(int nested) {
        double value = atom(nested);
        while (true) {
            blanks();
            if (eat('*')) {
                value *= atom(nested);
            } else if (eat('/')) {
                boolean floor = eat('/');
                double by = atom(nested);
                value = floor ? Math.floor(value / by) : value / by;
            } else {
                return value;
            }
        }
    }

    private double atom(int nested) {
        blanks();
        if (nested > MAX_DEPTH || at >= text.length()) {
            return Double.NaN;
        }
        if (eat('(')) {
            double value = sum(nested + 1);
            blanks();
            return eat(')') ? value : Double.NaN;
        }
        int start = at;
        char first = text.charAt(at);
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        if (word.isEmpty()) {
            return Double.NaN;
        }
        if ((first >= '0' && first <= '9') || first == '.') {
            try {
                String plain = word.replace("_", "");
                return "fFdDlLn".indexOf(plain.charAt(plain.length() - 1)) >= 0
                        ? Double.NaN
                        : Double.parseDouble(plain);
            } catch (NumberFormatException e) {
                return Double.NaN;
            }
        }
        return names.apply(word)
                .map(value -> evaluate(value, names, depth + 1).orElse(Double.NaN))
                .orElse(Double.NaN);
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '$';
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean eat(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }
}
