package dev.why429.analyzers.replay;

/** The route behind a path, as far as the path alone shows it: no query, and segments that look like an id become one placeholder. */
final class RouteTemplate {
    private RouteTemplate() {}

    static String of(String path) {
        int end = path.length();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '?' || path.charAt(i) == '#') {
                end = i;
                break;
            }
        }
        StringBuilder route = new StringBuilder(end);
        int from = 0;
        while (from <= end) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 || slash > end ? end : slash;
            route.append(isId(path, from, to) ? "{id}" : path.substring(from, to));
            if (to < end) {
                route.append('/');
            }
            from = to + 1;
        }
        return route.toString();
    }

    /** Only digits ({@code 4711}), or at least eight characters of hexadecimal digits and dashes with a digit ({@code 3f2a-…}). */
    private static boolean isId(String path, int from, int to) {
        boolean hex = to - from >= 8;
        boolean digit = false;
        boolean onlyDigits = to > from;
        for (int i = from; i < to; i++) {
            char c = path.charAt(i);
            boolean d = c >= '0' && c <= '9';
            digit |= d;
            onlyDigits &= d;
            hex &= d || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-';
        }
        return onlyDigits || (hex && digit);
    }
}
