package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A program file as calls, variables and functions: the little that is the same in JavaScript, TypeScript and Python. */
public final class Code {
    static final String[] FUNCTIONS = {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function_declaration",
        "function_definition",
        "lambda"
    };

    private final SourceFile file;
    private final SyntaxReader.Language language;
    private final Syntax root;
    private final List<Call> calls = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();

    /**
     * A call or {@code new}.
     *
     * @param callee as written, {@code redis.get}, without {@code await} and {@code new}
     */
    public record Call(Syntax node, String callee, List<Syntax> arguments) {
        /** Last part of the callee, {@code get}. */
        public String name() {
            String plain = callee.endsWith("?") ? callee.substring(0, callee.length() - 1) : callee;
            return plain.substring(plain.lastIndexOf('.') + 1);
        }

        /** What is before the last dot, {@code this.redis}; empty for a plain call. */
        public String receiver() {
            int dot = callee.lastIndexOf('.');
            return dot < 0 ? "" : callee.substring(0, dot).replace("?", "").replace("!", "");
        }

        public String argument(int index) {
            return index < arguments.size() ? arguments.get(index).text() : "";
        }

        public Place place() {
            return node.place();
        }

        /** The value given to a name: a Python keyword argument, or a property of an object among the arguments. */
        public Optional<Syntax> named(String... names) {
            for (String name : names) {
                for (Syntax argument : arguments) {
                    Optional<Syntax> found = argument.is("keyword_argument")
                            ? argument.child("value")
                                    .filter(v -> argument.childText("name").equals(name))
                            : property(argument, name);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            return Optional.empty();
        }
    }

    /** {@code name = value}, a declaration or an assignment. */
    public record Variable(String name, Syntax value, Syntax node) {}

    public Code(SourceFile file, SyntaxReader.Language language, Syntax root) {
        this.file = file;
        this.language = language;
        this.root = root;
        root.walk(this::index);
    }

    private void index(Syntax node) {
        switch (node.type()) {
            case "call_expression", "call" -> call(node, "function");
            case "new_expression" -> call(node, "constructor");
            case "variable_declarator", "public_field_definition", "field_definition" -> {
                String name = node.child("name")
                        .or(() -> node.child("property"))
                        .map(Syntax::text)
                        .orElse("");
                node.child("value").ifPresent(value -> variables.add(new Variable(name, value, node)));
            }
            case "assignment_expression", "assignment" ->
                node.child("right")
                        .ifPresent(value -> variables.add(new Variable(node.childText("left"), value, node)));
            default -> {}
        }
    }

    private void call(Syntax node, String calleeField) {
        Optional<Syntax> callee = node.child(calleeField);
        if (callee.isEmpty()) {
            return;
        }
        List<Syntax> arguments = new ArrayList<>();
        node.child("arguments").ifPresent(list -> {
            if (list.is("arguments", "argument_list")) {
                list.children().stream()
                        .filter(child -> !child.is("(", ")", ",", "comment"))
                        .forEach(arguments::add);
            } else {
                arguments.add(list);
            }
        });
        calls.add(new Call(node, callee.get().text().replace("\n", "").replace(" ", ""), arguments));
    }

    /** The value of a property of an object or dictionary literal. */
    public static Optional<Syntax> property(Syntax literal, String name) {
        if (!literal.is("object", "dictionary")) {
            return Optional.empty();
        }
        for (Syntax child : literal.children()) {
            if (child.is("pair") && unquoted(child.childText("key")).equals(name)) {
                return child.child("value");
            }
            if (child.is("shorthand_property_identifier") && child.text().equals(name)) {
                return Optional.of(child);
            }
            if (child.is("method_definition") && child.childText("name").equals(name)) {
                return Optional.of(child);
            }
        }
        return Optional.empty();
    }

    public static String unquoted(String text) {
        String bare = text.strip();
        while (!bare.isEmpty() && "frbu".indexOf(bare.charAt(0)) >= 0 && bare.length() > 1 && isQuote(bare.charAt(1))) {
            bare = bare.substring(1);
        }
        if (bare.length() >= 6 && bare.startsWith("\"\"\"")) {
            return bare.substring(3, bare.length() - 3);
        }
        return bare.length() >= 2 && isQuote(bare.charAt(0)) ? bare.substring(1, bare.length() - 1) : bare;
    }

    private static boolean isQuote(char c) {
        return c == '"' || c == '\'' || c == '`';
    }

    public SourceFile file() {
        return file;
    }

    public boolean isPython() {
        return language == SyntaxReader.Language.PYTHON;
    }

    public Syntax root() {
        return root;
    }

    public List<Call> calls() {
        return calls;
    }

    public List<Variable> variables() {
        return variables;
    }

    public List<Call> calls(String name) {
        return calls.stream().filter(call -> call.name().equals(name)).toList();
    }

    public List<Call> callsIn(Syntax scope) {
        return calls.stream().filter(call -> scope.contains(call.node())).toList();
    }

    /** The function around a node, or the whole file. */
    public Syntax functionAround(Syntax node) {
        return node.around(FUNCTIONS).orElse(root);
    }

    public boolean inFunction(Syntax node) {
        return node.around(FUNCTIONS).isPresent();
    }

    public static boolean isFunction(Syntax node) {
        return node.is(FUNCTIONS);
    }

    /** All functions of the file. */
    public List<Syntax> functions() {
        return root.all(FUNCTIONS);
    }

    /** Name that a function is known by: its own, or that of the variable it is given to. */
    public static String nameOf(Syntax function) {
        return function.child("name")
                .or(() -> function.parent()
                        .filter(p -> p.is("variable_declarator"))
                        .flatMap(p -> p.child("name")))
                .map(Syntax::text)
                .orElse("");
    }

    /** What a name stands for where it is given a value only once in the file; the expression itself when it is no name. */
    public Syntax resolve(Syntax expression) {
        Syntax at = expression;
        for (int hops = 0; hops < 5; hops++) {
            String name = at.text();
            if (!at.is("identifier", "shorthand_property_identifier")) {
                return at;
            }
            List<Variable> given = variables.stream()
                    .filter(variable -> variable.name().equals(name))
                    .toList();
            if (given.size() != 1) {
                return at;
            }
            at = given.get(0).value();
        }
        return at;
    }

    /** A number that an expression of literals, and of names given once, comes to. */
    public OptionalDouble number(Syntax expression) {
        return Arithmetic.evaluate(
                expression.text(),
                name -> variables.stream()
                        .filter(variable -> variable.name().equals(name))
                        .map(variable -> variable.value().text())
                        .reduce((a, b) -> a.equals(b) ? a : "?"));
    }
}
