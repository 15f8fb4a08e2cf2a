package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Hand-written limiters: counters in a map that lives as long as the process. */
final class OwnLimiters {
    private static final Pattern PURPOSE =
            Pattern.compile("429|too many|rate.?limit|limiter|throttl|quota", Pattern.CASE_INSENSITIVE);
    // e.n += 1, e.count++, tokens -= cost, list.push(now), hits[k] = n + 1
    private static final Pattern COUNTS =
            Pattern.compile("\\+=|-=|\\+\\+|--|\\.push\\(|\\.append\\(|\\+ ?1\\b|- ?1\\b");
    private static final Pattern COMPARES = Pattern.compile("[^=<>-][<>]=?[^<>=]");

    private OwnLimiters() {}

    static List<Limiter> of(Code code) {
        List<Limiter> found = new ArrayList<>();
        if (!PURPOSE.matcher(code.file().text()).find()) {
            return found;
        }
        for (Code.Variable variable : code.variables()) {
            if (isLongLived(code, variable) && isMap(variable.value().text())) {
                counting(code, variable).ifPresent(found::add);
            }
        }
        return found;
    }

    private static boolean isLongLived(Code code, Code.Variable variable) {
        boolean field = variable.node().is("public_field_definition", "field_definition")
                || variable.name().startsWith("this.")
                || variable.name().startsWith("self.");
        return field || !code.inFunction(variable.node());
    }

    private static boolean isMap(String value) {
        String bare = value.replace(" ", "");
        return bare.startsWith("newMap")
                || bare.equals("{}")
                || bare.equals("dict()")
                || bare.startsWith("defaultdict(")
                || bare.startsWith("collections.defaultdict(")
                || bare.startsWith("Object.create(null)");
    }

    private static Optional<Limiter> counting(Code code, Code.Variable variable) {
        String name = variable.name().replace("self.", "").replace("this.", "");
        for (Syntax function : code.functions()) {
            String text = function.text();
            boolean uses = text.contains(name + ".get(")
                    || text.contains(name + ".set(")
                    || text.contains(name + "[")
                    || text.contains(name + ".setdefault(");
            if (!uses || !COUNTS.matcher(text).find() || !COMPARES.matcher(text).find()) {
                continue;
            }
            Optional<Syntax> key = keyOf(code, function, name);
            if (key.isPresent() && writes(code, function, name)) {
                Syntax outer = outermost(function);
                return Optional.of(new Limiter(
                        Limiter.OWN,
                        code,
                        variable.node(),
                        variable.node().place(),
                        Limiter.Store.IN_PROCESS,
                        KeyReader.read(code, key.get()),
                        defaultOf(outer, List.of("max", "limit", "requests", "capacity")),
                        window(outer)));
            }
        }
        return Optional.empty();
    }

    private static Syntax outermost(Syntax function) {
        Syntax at = function;
        Optional<Syntax> around = at.around("function_declaration", "function_definition", "arrow_function");
        while (around.isPresent()) {
            at = around.get();
            around = at.around("function_declaration", "function_definition", "arrow_function");
        }
        return at;
    }

    private static boolean writes(Code code, Syntax function, String name) {
        return code.callsIn(function).stream()
                        .anyMatch(call -> ends(call.receiver(), name)
                                && List.of("set", "setdefault").contains(call.name()))
                || function
                        .all(
                                "assignment_expression",
                                "augmented_assignment_expression",
                                "assignment",
                                "augmented_assignment",
                                "update_expression")
                        .stream()
                        .anyMatch(a -> a.text()
                                .replace("this.", "")
                                .replace("self.", "")
                                .startsWith(name + "["))
                || code.callsIn(function).stream()
                        .anyMatch(call -> call.callee()
                                .replace("this.", "")
                                .replace("self.", "")
                                .startsWith(name + "["));
    }

    private static boolean ends(String receiver, String name) {
        return receiver.equals(name) || receiver.endsWith("." + name);
    }

    private static Optional<Syntax> keyOf(Code code, Syntax function, String name) {
        Optional<Syntax> ofCall = code.callsIn(function).stream()
                .filter(call -> ends(call.receiver(), name)
                        && List.of("get", "set", "setdefault", "has").contains(call.name())
                        && !call.arguments().isEmpty())
                .map(call -> call.arguments().get(0))
                .findFirst();
        Optional<Syntax> key = ofCall.or(() -> function.all("subscript_expression", "subscript").stream()
                .filter(s -> ends(
                        s.child("object")
                                .or(() -> s.child("value"))
                                .map(Syntax::text)
                                .orElse(""),
                        name))
                .flatMap(s -> s.child("index").or(() -> s.child("subscript")).stream())
                .findFirst());
        return key.map(k -> k.is("identifier") ? nearestValue(code, function, k) : k);
    }

    private static Syntax nearestValue(Code code, Syntax function, Syntax name) {
        return code.variables().stream()
                .filter(v -> v.name().equals(name.text()) && function.contains(v.node()))
                .map(Code.Variable::value)
                .findFirst()
                .orElse(name);
    }

    // limiter(max = 100, spanMs = 60_000), def allowed(user, limit=100, window=60)
    private static OptionalDouble defaultOf(Syntax function, List<String> names) {
        for (Syntax parameter : function.all("assignment_pattern", "required_parameter", "default_parameter")) {
            String name = parameter
                    .child("left")
                    .or(() -> parameter.child("pattern"))
                    .or(() -> parameter.child("name"))
                    .map(Syntax::text)
                    .orElse("")
                    .toLowerCase(Locale.ROOT);
            Optional<Syntax> value = parameter.child("right").or(() -> parameter.child("value"));
            if (value.isPresent() && names.stream().anyMatch(name::contains)) {
                return dev.why429.analyzers.audit.read.Arithmetic.evaluate(
                        value.get().text());
            }
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble window(Syntax function) {
        OptionalDouble value = defaultOf(function, List.of("window", "span", "interval", "period"));
        OptionalDouble millis = defaultOf(function, List.of("spanms", "windowms", "intervalms", "periodms"));
        return millis.isPresent() ? OptionalDouble.of(millis.getAsDouble() / 1000) : value;
    }
}
