package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A Redis Lua script as its assignments and its calls to Redis. A lexer of our own: the grammars at hand misread {@code local x = 1}.
 *
 * @param assignments {@code [local] name = expression}, in order
 * @param calls to {@code redis.call} and {@code redis.pcall}, in order
 */
public record LuaScript(SourceFile file, List<Assignment> assignments, List<RedisCall> calls, String code) {
    /** @param expression source text without comments */
    public record Assignment(String name, String expression, Place place) {}

    /** @param command in upper case; empty when it is no literal */
    public record RedisCall(String command, List<String> arguments, Place place) {
        public String argument(int index) {
            return index < arguments.size() ? arguments.get(index) : "";
        }
    }

    public LuaScript {
        assignments = List.copyOf(assignments);
        calls = List.copyOf(calls);
    }

    /** @param from offset of the script in the file, for a script inside another language's string */
    public static LuaScript read(SourceFile file, int from, int to) {
        List<Token> tokens = tokens(file.text(), from, to);
        List<Assignment> assignments = new ArrayList<>();
        List<RedisCall> calls = new ArrayList<>();
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            code.append(token.text()).append(' ');
            if (token.is("redis")
                    && i + 3 < tokens.size()
                    && tokens.get(i + 1).is(".")
                    && (tokens.get(i + 2).is("call") || tokens.get(i + 2).is("pcall"))
                    && tokens.get(i + 3).is("(")) {
                calls.add(call(file, tokens, i));
            }
            boolean equals = i + 1 < tokens.size() && tokens.get(i + 1).is("=");
            if (equals && token.isName() && (i == 0 || !tokens.get(i - 1).is("."))) {
                assignments.add(
                        new Assignment(token.text(), expression(file.text(), tokens, i + 2), file.at(token.offset())));
            }
        }
        return new LuaScript(file, assignments, calls, code.toString());
    }

    public List<RedisCall> calls(String... commands) {
        List<String> wanted = List.of(commands);
        return calls.stream().filter(call -> wanted.contains(call.command())).toList();
    }

    /** The first assignment to a name. */
    public Optional<Assignment> assigned(String name) {
        return assignments.stream().filter(a -> a.name().equals(name)).findFirst();
    }

    /** Number of the script argument that a name is, 1 for {@code ARGV[1]}. */
    public Optional<Integer> argumentNumber(String expression) {
        String at = expression;
        for (int hops = 0; hops < 4; hops++) {
            int open = at.indexOf("ARGV[");
            if (open >= 0) {
                int close = at.indexOf(']', open);
                String rest = close < 0
                        ? ""
                        : at.substring(close + 1).replace(")", "").strip();
                String number = close < 0 ? "" : at.substring(open + 5, close).strip();
                boolean plain = rest.isEmpty() || rest.startsWith("or ");
                return plain
                                && number.length() < 4
                                && !number.isEmpty()
                                && number.chars().allMatch(Character::isDigit)
                        ? Optional.of(Integer.valueOf(number))
                        : Optional.empty();
            }
            Optional<Assignment> next = assigned(at.strip());
            if (next.isEmpty()) {
                return Optional.empty();
            }
            at = next.get().expression();
        }
        return Optional.empty();
    }

    /** Whether the script asks Redis for the time. */
    public boolean usesServerTime() {
        return !calls("TIME").isEmpty();
    }

    private static RedisCall call(SourceFile file, List<Token> tokens, int start) {
        List<String> arguments = new ArrayList<>();
        int depth = 0;
        int from = -1;
        int to = -1;
        for (int i = start + 3; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean opens = token.is("(") || token.is("{") || token.is("[");
            boolean closes = token.is(")") || token.is("}") || token.is("]");
            depth += opens ? 1 : closes ? -1 : 0;
            if (depth == 0 || (depth == 1 && token.is(","))) {
                if (from >= 0) {
                    arguments.add(file.text().substring(from, to));
                }
                from = -1;
                if (depth == 0) {
                    break;
                }
            } else if (!(depth == 1 && opens)) {
                from = from < 0 ? token.offset() : from;
                to = token.end();
            } else if (i > start + 3) {
                from = from < 0 ? token.offset() : from;
                to = token.end();
            }
        }
        String command = arguments.isEmpty() ? "" : arguments.get(0).strip();
        boolean literal = command.startsWith("'") || command.startsWith("\"");
        return new RedisCall(
                literal ? Code.unquoted(command).toUpperCase(Locale.ROOT) : "",
                arguments.isEmpty() ? List.of() : List.copyOf(arguments.subList(1, arguments.size())),
                file.at(tokens.get(start).offset()));
    }

    private static String expression(String text, List<Token> tokens, int start) {
        int depth = 0;
        int end = -1;
        for (int i = start; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (depth == 0 && i > start && startsStatement(tokens, i)) {
                break;
            }
            if (token.is("(") || token.is("{") || token.is("[")) {
                depth++;
            } else if (token.is(")") || token.is("}") || token.is("]")) {
                depth--;
            }
            if (depth < 0) {
                break;
            }
            end = token.end();
        }
        return end < 0 ? "" : text.substring(tokens.get(start).offset(), end);
    }

    private static final List<String> STATEMENTS = List.of(
            "local",
            "if",
            "return",
            "end",
            "else",
            "elseif",
            "for",
            "while",
            "then",
            "do",
            "function",
            "repeat",
            "until",
            ";");

    private static boolean startsStatement(List<Token> tokens, int i) {
        Token token = tokens.get(i);
        if (STATEMENTS.contains(token.text())) {
            return true;
        }
        // n = … or redis.call(…) on a line of its own, after something that ends an expression
        Token before = tokens.get(i - 1);
        boolean beforeEnds = (before.isName() && !List.of("and", "or", "not").contains(before.text()))
                || before.is(")")
                || before.is("]")
                || before.is("}")
                || before.isLiteral();
        return beforeEnds && token.isName() && !List.of("and", "or", "not").contains(token.text());
    }

    private record Token(String text, int offset, int end) {
        boolean is(String wanted) {
            return text.equals(wanted);
        }

        boolean isName() {
            return Character.isLetter(text.charAt(0)) || text.charAt(0) == '_';
        }

        boolean isLiteral() {
            char first = text.charAt(0);
            return Character.isDigit(first) || first == '"' || first == '\'';
        }
    }

    private static List<Token> tokens(String text, int from, int to) {
        List<Token> tokens = new ArrayList<>();
        int at = from;
        while (at < to) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (text.startsWith("--[[", at)) {
                int close = text.indexOf("]]", at);
                at = close < 0 || close > to ? to : close + 2;
            } else if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 || end > to ? to : end;
            } else {
                int end = tokenEnd(text, at, to);
                tokens.add(new Token(text.substring(at, end), at, end));
                at = end;
            }
        }
        return tokens;
    }

    private static int tokenEnd(String text, int at, int to) {
        char c = text.charAt(at);
        int end = at + 1;
        if (c == '"' || c == '\'') {
            while (end < to && text.charAt(end) != c && text.charAt(end) != '\n') {
                end += text.charAt(end) == '\\' ? 2 : 1;
            }
            return Math.min(end + 1, to);
        }
        if (Character.isLetterOrDigit(c) || c == '_') {
            boolean number = Character.isDigit(c);
            while (end < to
                    && (Character.isLetterOrDigit(text.charAt(end))
                            || text.charAt(end) == '_'
                            || (number && text.charAt(end) == '.'))) {
                end++;
            }
            return end;
        }
        boolean two = end < to
                && ((text.charAt(end) == '=' && "=~<>".indexOf(c) >= 0) || (c == '.' && text.charAt(end) == '.'));
        return two ? end + 1 : end;
    }
}
