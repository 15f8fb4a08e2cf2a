package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Places of a program that answer 429. */
public final class Refusals {
    // res.status(429), reply.code(429), abort(429), status_code=429, { status: 429 }, return 429,
    // HttpStatus.TOO_MANY_REQUESTS
    private static final Pattern ANSWER = Pattern.compile(
            "(?:status|code|sendStatus|writeHead|abort|json|Response|Exception|send_error)\\((?:[^()\\n]{0,80},)?\\s{0,3}429\\b"
                    + "|status(?:_?[cC]ode)?\\s{0,3}[:=]\\s{0,3}429\\b|return\\s\\(?(?:[^()\\n;]{0,60},)?\\s{0,3}429\\b"
                    + "|TOO_MANY_REQUESTS|TooManyRequests|HTTP_429");

    private Refusals() {}

    public static boolean answers429(String text) {
        return ANSWER.matcher(text).find();
    }

    /** The innermost statements of the file that answer 429. */
    public static List<Syntax> in(Code code) {
        return code
                .root()
                .all("expression_statement", "return_statement", "throw_statement", "raise_statement")
                .stream()
                .filter(statement -> answers429(statement.text()))
                .filter(statement ->
                        statement
                                .all("expression_statement", "return_statement", "throw_statement", "raise_statement")
                                .stream()
                                .noneMatch(inner -> inner != statement && answers429(inner.text())))
                .toList();
    }

    /** Position of the 429 itself in a statement that may stretch over lines. */
    public static dev.why429.analyzers.audit.Place place(Syntax statement) {
        java.util.regex.Matcher answer = ANSWER.matcher(statement.text());
        return answer.find() ? statement.file().at(statement.start() + answer.start()) : statement.place();
    }

    /** The function, with those around it, in which a statement stands. */
    public static Syntax outermostFunction(Code code, Syntax statement) {
        Syntax at = statement;
        Optional<Syntax> around = Optional.of(code.functionAround(at));
        while (around.isPresent() && around.get() != code.root()) {
            at = around.get();
            around = Optional.of(code.functionAround(at));
        }
        return at == statement ? code.root() : at;
    }
}
