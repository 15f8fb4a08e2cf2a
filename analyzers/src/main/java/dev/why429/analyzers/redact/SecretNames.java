package dev.why429.analyzers.redact;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Names whose values are secret, in query strings, headers and {@code name=value} in messages. Compared in lower case, letters and digits only. */
final class SecretNames {
    private static final List<String> PARTS = List.of(
            "password",
            "passwd",
            "passphrase",
            "secret",
            "apikey",
            "accesskey",
            "privatekey",
            "signature",
            "credential",
            "authorization",
            "cookie",
            "sessionid",
            "jwt");
    private static final Set<String> IN_QUERIES = Set.of(
            "key", "sig", "sign", "pwd", "pass", "auth", "code", "otp", "pin", "hmac", "bearer", "sid", "email",
            "phone");
    private static final Set<String> WHO =
            Set.of("key", "user", "username", "userid", "email", "clientid", "login", "account");

    private SecretNames() {}

    private static String plain(String name) {
        StringBuilder out = new StringBuilder(name.length());
        String lower = name.toLowerCase(Locale.ROOT);
        for (int i = 0; i < lower.length(); i++) {
            char c = lower.charAt(i);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static boolean anywhere(String plain) {
        return plain.endsWith("token")
                || plain.endsWith("session")
                || PARTS.stream().anyMatch(plain::contains);
    }

    /** In a message or as a header; a few short names that are secret only in queries ({@code code}, {@code key}) are not. */
    static boolean secret(String name) {
        String plain = plain(name);
        return anywhere(plain) || plain.equals("pwd");
    }

    static boolean secretInQuery(String name) {
        String plain = plain(name);
        return anywhere(plain) || plain.endsWith("key") || IN_QUERIES.contains(plain);
    }

    /** In a message, whose value says who it was: a token keeps that equal ones can be seen. */
    static boolean who(String name) {
        return WHO.contains(plain(name));
    }
}
