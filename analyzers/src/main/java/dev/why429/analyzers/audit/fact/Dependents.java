package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which names of a function carry a value on: the variables made from an expression, and from those. */
public final class Dependents {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_$][\\w$]*");

    private Dependents() {}

    /** @return names whose value comes, directly or not, from the expression at {@code origin} */
    public static Set<String> of(Code code, Syntax function, Syntax origin) {
        List<Code.Variable> inside = code.variables().stream()
                .filter(v -> function.contains(v.node()))
                .toList();
        Set<String> names = new HashSet<>();
        for (int round = 0; round < 4; round++) {
            for (Code.Variable variable : inside) {
                if (variable.value().contains(origin)
                        || mentions(variable.value().text(), names)) {
                    Matcher name = NAME.matcher(variable.name());
                    while (name.find()) {
                        names.add(name.group());
                    }
                }
            }
        }
        return names;
    }

    /** Whether the text uses one of the names. */
    public static boolean mentions(String text, Set<String> names) {
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            if (names.contains(name.group())) {
                return true;
            }
        }
        return false;
    }
}
