package dev.why429.analyzers.source;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.regex.PatternSyntaxException;

/** A glob below a folder, or an absolute one: {@code *} within a name, {@code **} over folders, {@code ?}, {@code [ab]}, {@code {a,b}}. */
final class Glob {
    private static final String SPECIAL = "*?[{";

    private final String text;
    private final PathMatcher matcher;
    private final boolean bareName;

    private Glob(String text, PathMatcher matcher, boolean bareName) {
        this.text = text;
        this.matcher = matcher;
        this.bareName = bareName;
    }

    /**
     * @param base what a relative glob is relative to
     * @throws IllegalArgumentException when it is no glob, with the reason
     */
    static Glob of(String glob, Path base) {
        String below = glob.startsWith("./") ? glob.substring(2) : glob;
        boolean absolute = Path.of(fixedPart(below)).isAbsolute();
        String root = base.toAbsolutePath().normalize().toString();
        String whole = absolute ? below : escaped(root.endsWith("/") ? root : root + "/") + below;
        try {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + whole);
            return new Glob(glob, matcher, !absolute && !below.contains("/"));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(e.getDescription(), e);
        }
    }

    static boolean hasWildcard(String text) {
        return text.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
    }

    /** The folders before the first wildcard: where looking for matches begins. */
    static String fixedPart(String glob) {
        int wild = 0;
        while (wild < glob.length() && SPECIAL.indexOf(glob.charAt(wild)) < 0) {
            wild++;
        }
        return wild == glob.length() ? glob : glob.substring(0, glob.lastIndexOf('/', wild) + 1);
    }

    private static String escaped(String literal) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            if ("*?[]{}\\".indexOf(c) >= 0) {
                out.append('\\');
            }
            out.append(c);
        }
        return out.toString();
    }

    boolean matches(Path file) {
        return matcher.matches(file.toAbsolutePath().normalize());
    }

    /** Whether it is one name without a folder, and the file's name matches. */
    boolean matchesName(Path file) {
        Path name = file.getFileName();
        return bareName
                && name != null
                && FileSystems.getDefault().getPathMatcher("glob:" + text).matches(name);
    }

    @Override
    public String toString() {
        return text;
    }
}
