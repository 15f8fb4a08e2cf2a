package dev.why429.analyzers.audit.read;

/** Patterns of paths: a star stops at a slash, two stars do not. In time of at most pattern times path. */
final class PathPattern {
    private PathPattern() {}

    static boolean matches(String pattern, String path) {
        boolean[] reached = new boolean[path.length() + 1];
        reached[0] = true;
        int p = 0;
        while (p < pattern.length()) {
            char c = pattern.charAt(p);
            if (c == '*') {
                boolean deep = p + 1 < pattern.length() && pattern.charAt(p + 1) == '*';
                for (int i = 0; i < path.length(); i++) {
                    reached[i + 1] |= reached[i] && (deep || path.charAt(i) != '/');
                }
                p += deep ? 2 : 1;
                // a/**/b also means a/b
                if (deep && p < pattern.length() && pattern.charAt(p) == '/' && reached[0]) {
                    p++;
                }
            } else {
                for (int i = path.length(); i > 0; i--) {
                    char at = path.charAt(i - 1);
                    reached[i] = reached[i - 1] && (at == c || (c == '?' && at != '/'));
                }
                reached[0] = false;
                p++;
            }
        }
        return reached[path.length()];
    }
}
