package dev.why429.analyzers.reconstruct;

import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;

/** From paths to routes and from addresses to networks. */
final class Routes {
    private static final int SHORTEST_ID = 8;
    private static final int SITE_PREFIX_BITS = 56;

    private Routes() {}

    /** The path with its identifiers replaced: {@code /orders/17} and {@code /orders/18} are one route. */
    static String template(String path) {
        StringBuilder route = new StringBuilder(path.length());
        int from = 0;
        while (from < path.length()) {
            int slash = path.indexOf('/', from + 1);
            int to = slash < 0 ? path.length() : slash;
            boolean begins = path.charAt(from) == '/';
            String segment = path.substring(begins ? from + 1 : from, to);
            route.append(begins ? "/" : "").append(isIdentifier(segment) ? "{id}" : segment);
            from = to;
        }
        return route.toString();
    }

    /** The first part of the path, {@code /api}: handlers often serve everything below one. */
    static String prefix(String path) {
        int second = path.indexOf('/', 1);
        return second < 0 ? path : path.substring(0, second);
    }

    private static boolean isIdentifier(String segment) {
        if (segment.isEmpty()) {
            return false;
        }
        boolean digits = true;
        boolean hex = true;
        boolean anyDigit = false;
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            anyDigit |= digit;
            digits &= digit;
            hex &= digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-';
        }
        return digits || (hex && anyDigit && segment.length() >= SHORTEST_ID);
    }

    /**
     * The network a limiter may count by: the /56 of an IPv6 address, which one customer usually has; of an IPv4 address the address itself.
     * Addresses that were made unreadable keep their parts: the second is the /56.
     */
    static String network(String address) {
        if (address.startsWith("ip_")) {
            String[] parts = address.split("\\.", -1);
            return parts.length == 4 ? parts[0] + "." + parts[1] : address;
        }
        if (address.indexOf(':') < 0) {
            return address;
        }
        IPAddress parsed = new IPAddressString(address).getAddress();
        return parsed == null || !parsed.isIPv6()
                ? address
                : parsed.toPrefixBlock(SITE_PREFIX_BITS).toString();
    }
}
