package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;
import dev.why429.analyzers.audit.read.Code;
import dev.why429.analyzers.audit.read.Syntax;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says of an expression what address, identity or constant it is. */
public final class KeyReader {
    private static final List<String> ADDRESS_HEADERS = List.of(
            "x-real-ip",
            "cf-connecting-ip",
            "true-client-ip",
            "x-client-ip",
            "fly-client-ip",
            "x_real_ip",
            "cf_connecting_ip",
            "fastly-client-ip");
    private static final List<String> IDENTITIES = List.of(
            "api-key",
            "api_key",
            "apikey",
            "authorization",
            "user",
            "tenant",
            "account",
            "session",
            "client_id",
            "clientid",
            "token",
            "email",
            "customer");
    // headers["X-Forwarded-For"], req.headers['X-Real-IP']: Node knows header names in lower case only
    private static final Pattern NODE_HEADER =
            Pattern.compile("headers\\s{0,3}\\??\\.?\\[\\s{0,3}[\"'`]([A-Za-z-]{3,40})[\"'`]\\s{0,3}\\]");
    // request.META["X-Forwarded-For"], environ.get("X-Real-IP"): WSGI puts HTTP_ before and turns - to _
    private static final Pattern WSGI_HEADER = Pattern.compile(
            "(?:META|environ)\\s{0,3}(?:\\[|\\.get\\()\\s{0,3}[\"']((?i:X[-_]FORWARDED[-_]FOR|X[-_]REAL[-_]IP))[\"']");
    // request.headers.get("X_FORWARDED_FOR"), "X_FORWARDED_FOR" in request.headers
    private static final Pattern UNDERLINED_HEADER = Pattern.compile("[\"']X_FORWARDED_FOR[\"']");
    private static final Pattern FIRST_OF_LIST = Pattern.compile(
            "\\.split\\(\\s{0,3}[\"',/ ]{1,6}(?:,\\s?\\d)?\\s{0,3}\\)\\s{0,3}!?\\??\\.?(?:\\[\\s?0\\s?\\]|shift\\(\\)|at\\(0\\))");
    private static final Pattern CALLED = Pattern.compile("([A-Za-z_$][\\w$]{0,60})\\(");

    private KeyReader() {}

    /** @param expression a function from a request to its key, or the key itself */
    public static Key read(Code code, Syntax expression) {
        Syntax resolved = code.resolve(expression);
        StringBuilder text = new StringBuilder(resolved.text());
        Set<String> seen = new HashSet<>();
        Matcher called = CALLED.matcher(resolved.text());
        while (called.find() && seen.size() < 8) {
            String name = called.group(1);
            if (seen.add(name)) {
                code.functions().stream()
                        .filter(f -> Code.nameOf(f).equals(name) && !f.contains(resolved))
                        .findFirst()
                        .ifPresent(f -> text.append('\n').append(f.text()));
            }
        }
        if (resolved.is("identifier")) {
            code.functions().stream()
                    .filter(f -> Code.nameOf(f).equals(resolved.text()))
                    .findFirst()
                    .ifPresent(f -> text.append('\n').append(f.text()));
        }
        return new Key(classify(text.toString(), code.isPython()), resolved.text(), placeOf(resolved));
    }

    private static Place placeOf(Syntax expression) {
        return expression.place();
    }

    static Key.Source classify(String text, boolean python) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (!python) {
            Matcher header = NODE_HEADER.matcher(text);
            while (header.find()) {
                if (!header.group(1).equals(header.group(1).toLowerCase(Locale.ROOT))) {
                    return Key.Source.IMPOSSIBLE_HEADER;
                }
            }
        } else if (WSGI_HEADER.matcher(text).find()
                || (UNDERLINED_HEADER.matcher(text).find() && !text.contains("HTTP_X_FORWARDED_FOR"))
                || text.contains("get_ipaddr")) {
            return Key.Source.IMPOSSIBLE_HEADER;
        }
        if (lower.contains("x-forwarded-for") || lower.contains("x_forwarded_for")) {
            if (FIRST_OF_LIST.matcher(text).find() || lower.contains("partition(\",\")[0]")) {
                return Key.Source.LEFTMOST_FORWARDED;
            }
            return lower.contains("split") || lower.contains("[-") || lower.contains("at(-")
                    ? Key.Source.UNKNOWN
                    : Key.Source.WHOLE_FORWARDED;
        }
        if (ADDRESS_HEADERS.stream().anyMatch(lower::contains)) {
            return Key.Source.ADDRESS_HEADER;
        }
        boolean framework = python
                ? lower.contains("remote_addr") || lower.contains("get_remote_address") || lower.contains("client.host")
                : text.contains(".ip") && !text.contains(".ips");
        boolean identity = IDENTITIES.stream().anyMatch(lower::contains);
        if (framework && !identity) {
            return Key.Source.FRAMEWORK_ADDRESS;
        }
        if (lower.contains("remoteaddress") && !identity) {
            return Key.Source.PEER_ADDRESS;
        }
        if (identity) {
            return Key.Source.IDENTITY;
        }
        String bare = text.strip();
        boolean literal = bare.length() > 1
                && "\"'`".indexOf(bare.charAt(0)) >= 0
                && bare.indexOf(bare.charAt(0), 1) == bare.length() - 1
                && !bare.contains("${");
        return literal ? Key.Source.CONSTANT : Key.Source.UNKNOWN;
    }
}
