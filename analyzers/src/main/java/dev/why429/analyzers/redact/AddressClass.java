package dev.why429.analyzers.redact;

import java.util.Locale;
import java.util.Optional;

/** What the IANA special-purpose address registries (RFC 6890) say of an address; derived before redaction and kept by it. */
public enum AddressClass {
    PUBLIC,
    /** RFC 1918, and fc00::/7 of RFC 4193 */
    PRIVATE,
    LOOPBACK,
    /** 100.64.0.0/10 of RFC 6598: behind a carrier's NAT */
    SHARED,
    LINK_LOCAL,
    /** RFC 5737 and RFC 3849 */
    DOCUMENTATION,
    /** unspecified, multicast, broadcast */
    RESERVED;

    /** As it stands at the end of a token: {@code ~private}; nothing for a public address. */
    String suffix() {
        return this == PUBLIC ? "" : "~" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<AddressClass> ofSuffix(String word) {
        for (AddressClass value : values()) {
            if (value != PUBLIC && value.suffix().equals("~" + word)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    static AddressClass of(byte[] address) {
        return address.length == 4 ? ofV4(address) : ofV6(address);
    }

    private static AddressClass ofV4(byte[] a) {
        int first = a[0] & 0xff;
        int second = a[1] & 0xff;
        int third = a[2] & 0xff;
        if (first == 127) {
            return LOOPBACK;
        }
        if (first == 10 || (first == 172 && second >= 16 && second < 32) || (first == 192 && second == 168)) {
            return PRIVATE;
        }
        if (first == 100 && second >= 64 && second < 128) {
            return SHARED;
        }
        if (first == 169 && second == 254) {
            return LINK_LOCAL;
        }
        if ((first == 192 && second == 0 && third == 2)
                || (first == 198 && second == 51 && third == 100)
                || (first == 203 && second == 0 && third == 113)) {
            return DOCUMENTATION;
        }
        return first == 0 || first >= 224 ? RESERVED : PUBLIC;
    }

    private static AddressClass ofV6(byte[] a) {
        int first = ((a[0] & 0xff) << 8) | (a[1] & 0xff);
        int second = ((a[2] & 0xff) << 8) | (a[3] & 0xff);
        if (first == 0) {
            boolean zeros = true;
            for (int i = 2; i < 15; i++) {
                zeros &= a[i] == 0;
            }
            return zeros && a[15] == 1 ? LOOPBACK : RESERVED;
        }
        if ((first & 0xfe00) == 0xfc00) {
            return PRIVATE;
        }
        if ((first & 0xffc0) == 0xfe80) {
            return LINK_LOCAL;
        }
        if ((first == 0x2001 && second == 0x0db8) || (first & 0xfff0) == 0x3ff0) {
            return DOCUMENTATION;
        }
        return (first & 0xff00) == 0xff00 ? RESERVED : PUBLIC;
    }
}
