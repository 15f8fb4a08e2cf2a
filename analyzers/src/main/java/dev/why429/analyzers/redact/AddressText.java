package dev.why429.analyzers.redact;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * An address as it stands in the tables: raw ({@code 203.0.113.7}) or as a token of it
 * ({@code ip_1f9a0c22b7.03be41~documentation}). Both tell family, class and networks, so what groups by network need not know which it is.
 *
 * <p>A token of an IPv4 address has two parts: its /24, and the host in it. One of an IPv6 address has four: its /48, its /56, its /64, and
 * the host. Each part is a keyed hash of everything up to it, so equal networks have equal beginnings and nothing else can be seen.
 */
public final class AddressText {
    static final String PREFIX = "ip_";

    private static final int MAX_LENGTH = 64;
    private static final List<Integer> V4_NETWORKS = List.of(24);
    private static final List<Integer> V6_NETWORKS = List.of(48, 56, 64);

    private final byte[] raw;
    private final String token;
    private final boolean v6;
    private final AddressClass addressClass;

    private AddressText(byte[] raw, String token, boolean v6, AddressClass addressClass) {
        this.raw = raw;
        this.token = token;
        this.v6 = v6;
        this.addressClass = addressClass;
    }

    /**
     * Reads an address or a token of one. A port, brackets, an interface ({@code %eth0}) and the IPv4-mapped form ({@code ::ffff:1.2.3.4})
     * are taken off.
     *
     * @return empty when it is neither
     */
    public static Optional<AddressText> parse(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty() || trimmed.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        if (trimmed.startsWith(PREFIX)) {
            return parseToken(trimmed);
        }
        return bytesOf(trimmed).map(bytes -> new AddressText(bytes, "", bytes.length == 16, AddressClass.of(bytes)));
    }

    private static Optional<AddressText> parseToken(String text) {
        int tilde = text.indexOf('~');
        String body = tilde < 0 ? text : text.substring(0, tilde);
        Optional<AddressClass> named =
                tilde < 0 ? Optional.of(AddressClass.PUBLIC) : AddressClass.ofSuffix(text.substring(tilde + 1));
        long dots = body.chars().filter(c -> c == '.').count();
        if (named.isEmpty() || (dots != 1 && dots != 3)) {
            return Optional.empty();
        }
        return Optional.of(new AddressText(new byte[0], body, dots == 3, named.get()));
    }

    /** The 4 or 16 bytes of a raw address. */
    static Optional<byte[]> bytesOf(String text) {
        String bare = text;
        if (bare.startsWith("[")) {
            int close = bare.indexOf(']');
            if (close < 0 || !isPort(bare.substring(close + 1))) {
                return Optional.empty();
            }
            bare = bare.substring(1, close);
        } else if (bare.indexOf('.') > 0 && bare.indexOf(':') > 0 && bare.indexOf(':') == bare.lastIndexOf(':')) {
            int colon = bare.indexOf(':');
            if (!isPort(bare.substring(colon))) {
                return Optional.empty();
            }
            bare = bare.substring(0, colon);
        }
        if (bare.indexOf(':') < 0) {
            return v4(bare);
        }
        int percent = bare.indexOf('%');
        return v6(percent > 0 ? bare.substring(0, percent) : bare);
    }

    private static boolean isPort(String rest) {
        return rest.isEmpty()
                || (rest.length() > 1
                        && rest.length() <= 6
                        && rest.charAt(0) == ':'
                        && rest.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    }

    private static Optional<byte[]> v4(String text) {
        byte[] bytes = new byte[4];
        int part = 0;
        int value = -1;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '.';
            if (c >= '0' && c <= '9') {
                value = (value < 0 ? 0 : value * 10) + c - '0';
                if (value > 255) {
                    return Optional.empty();
                }
            } else if (c == '.' && value >= 0 && part < 4) {
                bytes[part++] = (byte) value;
                value = -1;
            } else {
                return Optional.empty();
            }
        }
        return part == 4 ? Optional.of(bytes) : Optional.empty();
    }

    /** Given nothing but hexadecimal digits, colons and dots, with a colon, the JDK reads an address and never asks a name server. */
    private static Optional<byte[]> v6(String text) {
        if (text.indexOf(':') == text.lastIndexOf(':')
                || !text.chars().allMatch(c -> c == ':' || c == '.' || (c < 128 && Character.digit(c, 16) >= 0))) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text).getAddress());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    public boolean isV6() {
        return v6;
    }

    /** Whether it is a token, not the address itself. */
    public boolean isToken() {
        return !token.isEmpty();
    }

    public AddressClass addressClass() {
        return addressClass;
    }

    /** Lengths for which {@link #network} answers: 24; or 48, 56, 64. */
    public List<Integer> prefixLengths() {
        return v6 ? V6_NETWORKS : V4_NETWORKS;
    }

    /**
     * The network that the address is in: {@code 203.0.113.0/24}, or {@code ip_1f9a0c22b7/24}. Equal exactly for addresses of one network.
     *
     * @param prefixLength one of {@link #prefixLengths}
     * @throws IllegalArgumentException for another one, since a token cannot tell it
     */
    public String network(int prefixLength) {
        int index = prefixLengths().indexOf(prefixLength);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "no /" + prefixLength + " of an IPv" + (v6 ? 6 : 4) + " address is kept");
        }
        if (!isToken()) {
            return rawNetwork(prefixLength) + "/" + prefixLength;
        }
        int end = -1;
        for (int i = 0; i <= index; i++) {
            end = token.indexOf('.', end + 1);
        }
        return token.substring(0, end) + "/" + prefixLength;
    }

    private String rawNetwork(int prefixLength) {
        byte[] network = raw.clone();
        for (int i = prefixLength / 8; i < network.length; i++) {
            network[i] = 0;
        }
        return text(network);
    }

    /** The address in one way of writing, ports and the like left out; or the token with its class. */
    @Override
    public String toString() {
        return isToken() ? token + addressClass.suffix() : text(raw);
    }

    private static String text(byte[] bytes) {
        if (bytes.length == 4) {
            return (bytes[0] & 0xff) + "." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
        }
        return compressed(bytes);
    }

    /** RFC 5952: lower case, no leading zeros, the longest run of two or more zero groups (the first of equals) as {@code ::}. */
    private static String compressed(byte[] bytes) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
        }
        int bestStart = -1;
        int bestLength = 1;
        for (int i = 0; i < 8; i++) {
            int length = 0;
            while (i + length < 8 && groups[i + length] == 0) {
                length++;
            }
            if (length > bestLength) {
                bestStart = i;
                bestLength = length;
            }
        }
        StringBuilder out = new StringBuilder(40);
        for (int i = 0; i < 8; i++) {
            if (i == bestStart) {
                out.append("::");
                i += bestLength - 1;
            } else {
                boolean separate = out.length() > 0 && out.charAt(out.length() - 1) != ':';
                out.append(separate ? ":" : "").append(Integer.toHexString(groups[i]));
            }
        }
        return out.toString();
    }
}
