package dev.why429.analyzers.redact;

import dev.why429.analyzers.redact.SecretShapes.Place;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Takes secrets, e-mails, card numbers and addresses out of text of any kind, in one pass from left to right. Texts without any are given
 * back as they are. Not for several threads at once.
 */
final class Scrubber {
    static final String REDACTED = "[redacted]";

    private static final int MAX_ADDRESS_LENGTH = 64;

    private final Tokens tokens;

    Scrubber(Tokens tokens) {
        this.tokens = tokens;
    }

    /** An address as its token; something else that stands in its place as a token of its own, {@code unix:} and {@code unknown} as they are. */
    String address(String value) {
        String bare = value.strip();
        if (bare.isEmpty()
                || bare.equals("-")
                || bare.equals("unknown")
                || bare.startsWith("unix:")
                || AddressText.parse(bare).filter(AddressText::isToken).isPresent()) {
            return bare;
        }
        return AddressText.bytesOf(bare).map(tokens::address).orElseGet(() -> tokens.identity(bare));
    }

    /** {@code X-Forwarded-For: a, b} or {@code Forwarded: for=a;proto=https, for=b}: order and separators stay. */
    String addressList(String value) {
        StringBuilder out = new StringBuilder(value.length() + 16);
        for (String element : value.split(",", -1)) {
            out.append(out.length() > 0 ? "," : "");
            if (element.indexOf('=') < 0) {
                out.append(blanks(element)).append(address(unquoted(element)));
                continue;
            }
            StringBuilder pairs = new StringBuilder();
            for (String pair : element.split(";", -1)) {
                pairs.append(pairs.length() > 0 ? ";" : "");
                int equals = pair.indexOf('=');
                String name =
                        equals < 0 ? "" : pair.substring(0, equals).strip().toLowerCase(Locale.ROOT);
                boolean isAddress = name.equals("for") || name.equals("by");
                pairs.append(
                        isAddress
                                ? pair.substring(0, equals + 1) + address(unquoted(pair.substring(equals + 1)))
                                : text(pair));
            }
            out.append(pairs);
        }
        return out.toString();
    }

    private static String blanks(String element) {
        return element.startsWith(" ") ? " " : "";
    }

    private static String unquoted(String value) {
        String bare = value.strip();
        return bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"")
                ? bare.substring(1, bare.length() - 1)
                : bare;
    }

    /** A request target, or a whole URL. */
    String url(String value) {
        return new Pass(value, true).run();
    }

    String text(String value) {
        return new Pass(value, false).run();
    }

    private static boolean wordChar(char c) {
        return SecretShapes.letterOrDigit(c)
                || c == '_'
                || c == '-'
                || c == '.'
                || c == '+'
                || c == '@'
                || c == ':'
                || c == '%'
                || c == '~';
    }

    private static boolean nameChar(char c) {
        return SecretShapes.letterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == '%';
    }

    /** One text on its way. */
    private final class Pass {
        private final String text;
        private final boolean isUrl;
        private final StringBuilder out = new StringBuilder();
        private int copied;
        private int queryStart = Integer.MAX_VALUE;

        Pass(String text, boolean isUrl) {
            this.text = text;
            this.isUrl = isUrl;
            int question = isUrl ? text.indexOf('?') : -1;
            if (question >= 0) {
                queryStart = question;
            }
        }

        String run() {
            int i = 0;
            while (i < text.length()) {
                i = wordChar(text.charAt(i)) ? word(i) : i + 1;
            }
            if (copied == 0) {
                return text;
            }
            return out.append(text, copied, text.length()).toString();
        }

        private int replace(int from, int to, String by) {
            out.append(text, copied, from).append(by);
            copied = to;
            return to;
        }

        /** @return where to go on */
        private int word(int start) {
            if (text.charAt(start) >= '0' && text.charAt(start) <= '9') {
                int card = SecretShapes.cardEnd(text, start);
                if (card > 0) {
                    return replace(start, card, REDACTED);
                }
            }
            int named = namedValue(start);
            if (named > 0) {
                return named;
            }
            int end = start;
            while (end < text.length() && wordChar(text.charAt(end))) {
                end++;
            }
            return shaped(start, end);
        }

        /** {@code token=…}, {@code "password": "…"}, {@code Authorization: Bearer …}, {@code Bearer …}. */
        private int namedValue(int start) {
            int nameEnd = start;
            while (nameEnd < text.length() && nameChar(text.charAt(nameEnd))) {
                nameEnd++;
            }
            if (nameEnd == start) {
                return -1;
            }
            String name = text.substring(start, nameEnd);
            if (name.equalsIgnoreCase("bearer") || name.equalsIgnoreCase("basic")) {
                return schemeValue(nameEnd);
            }
            int at = nameEnd;
            at += at < text.length() && "\"']".indexOf(text.charAt(at)) >= 0 ? 1 : 0;
            boolean colon = at < text.length() && text.charAt(at) == ':' && (!isUrl || at > nameEnd);
            if (at >= text.length() || (text.charAt(at) != '=' && !colon)) {
                return -1;
            }
            at++;
            String plain = name.indexOf('%') >= 0 ? decoded(name) : name;
            boolean secret = isUrl ? SecretNames.secretInQuery(plain) : SecretNames.secret(plain);
            boolean who = !secret && SecretNames.who(plain);
            if (!secret && !who) {
                return -1;
            }
            while (!isUrl && at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            int valueEnd = valueEnd(at);
            int quoted = at < text.length() && "\"'".indexOf(text.charAt(at)) >= 0 ? 1 : 0;
            if (valueEnd <= at + quoted) {
                return -1;
            }
            String value = text.substring(at + quoted, valueEnd);
            return replace(at + quoted, valueEnd, who ? tokens.identity(value) : REDACTED);
        }

        private int valueEnd(int at) {
            if (at >= text.length()) {
                return at;
            }
            char first = text.charAt(at);
            if (first == '"' || first == '\'') {
                int close = text.indexOf(first, at + 1);
                return close < 0 ? text.length() : close;
            }
            String until = isUrl ? "&;#\"' " : " \t\r\n,;&\"')]}";
            int end = at;
            while (end < text.length() && until.indexOf(text.charAt(end)) < 0) {
                end++;
            }
            String value = text.substring(at, end).toLowerCase(Locale.ROOT);
            boolean scheme = value.equals("bearer") || value.equals("basic") || value.equals("digest");
            if (scheme && end + 1 < text.length() && text.charAt(end) == ' ') {
                end++;
                while (end < text.length() && until.indexOf(text.charAt(end)) < 0) {
                    end++;
                }
            }
            return end;
        }

        private int schemeValue(int nameEnd) {
            int from = nameEnd;
            while (from < text.length() && (text.charAt(from) == ' ' || text.charAt(from) == '+')) {
                from++;
            }
            int to = from;
            while (to < text.length() && (wordChar(text.charAt(to)) || "/=".indexOf(text.charAt(to)) >= 0)) {
                to++;
            }
            // "basic auth" is prose
            return from > nameEnd && to - from >= 8 ? replace(from, to, REDACTED) : -1;
        }

        private String decoded(String name) {
            try {
                return URLDecoder.decode(name, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return name;
            }
        }

        private int shaped(int start, int wordEnd) {
            int end = wordEnd;
            while (end > start && ".:".indexOf(text.charAt(end - 1)) >= 0 && !text.startsWith("::", end - 2)) {
                end--;
            }
            if (end - start < 3) {
                return wordEnd;
            }
            String word = text.substring(start, end);
            Place place = !isUrl ? Place.TEXT : start > queryStart ? Place.QUERY : Place.PATH;
            if (SecretShapes.secret(word, place) || userInfo(start, end, word) || encodedSecret(word)) {
                return replace(start, end, REDACTED);
            }
            Optional<String> address = addressToken(start, word);
            if (address.isPresent()) {
                return replace(start, end, address.get());
            }
            return word.indexOf(':') > 0 ? pieces(start, end, word, place) : wordEnd;
        }

        /** {@code %7B%22password%22%3A%22…}, or a whole URL as a value: what its text has to hide, hides all of it. */
        private boolean encodedSecret(String word) {
            if (!isUrl || word.indexOf('%') < 0) {
                return false;
            }
            String decoded = decoded(word);
            return !decoded.equals(word) && !text(decoded).equals(decoded);
        }

        /** {@code https://user:pass@host/} */
        private boolean userInfo(int start, int end, String word) {
            return word.indexOf('@') > 0 && start >= 2 && text.startsWith("//", start - 2) && end > start;
        }

        private Optional<String> addressToken(int start, String word) {
            boolean dotted = word.indexOf('.') > 0 && word.charAt(0) >= '0' && word.charAt(0) <= '9';
            boolean colons = word.indexOf(':') >= 0 && word.indexOf(':') != word.lastIndexOf(':');
            if ((!dotted && !colons) || word.length() > MAX_ADDRESS_LENGTH || (!isUrl && dotted && version(start))) {
                return Optional.empty();
            }
            return AddressText.bytesOf(word).map(tokens::address);
        }

        /** {@code Chrome/120.0.0.0}: a product's name before the slash, and not a path. */
        private boolean version(int start) {
            if (start < 2 || text.charAt(start - 1) != '/' || !nameChar(text.charAt(start - 2))) {
                return false;
            }
            int before = start - 2;
            while (before >= 0 && nameChar(text.charAt(before))) {
                before--;
            }
            return before < 0 || text.charAt(before) != '/';
        }

        /** {@code client:203.0.113.5:443}, {@code rl:eyJ…}: what stands between colons, and what follows each as an IPv6 address. */
        private int pieces(int start, int end, String word, Place place) {
            int from = 0;
            while (from < word.length()) {
                int colon = word.indexOf(':', from);
                int to = colon < 0 ? word.length() : colon;
                String rest = word.substring(from);
                Optional<byte[]> v6 = from > 0 && rest.length() <= MAX_ADDRESS_LENGTH && rest.indexOf(':') >= 0
                        ? AddressText.bytesOf(rest)
                        : Optional.empty();
                if (v6.isPresent()) {
                    return replace(start + from, end, tokens.address(v6.get()));
                }
                String piece = word.substring(from, to);
                if (SecretShapes.secret(piece, place)) {
                    replace(start + from, start + to, REDACTED);
                } else if (piece.indexOf('.') > 0) {
                    int at = start + from;
                    AddressText.bytesOf(piece)
                            .map(tokens::address)
                            .ifPresent(token -> replace(at, at + piece.length(), token));
                }
                from = to + 1;
            }
            return end;
        }
    }
}
