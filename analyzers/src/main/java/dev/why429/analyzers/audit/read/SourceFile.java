package dev.why429.analyzers.audit.read;

import dev.why429.analyzers.audit.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An audited file's text, and where in it an offset lies. */
public final class SourceFile {
    private static final List<String> TEST_FOLDERS = List.of(
            "/test/",
            "/tests/",
            "/__tests__/",
            "/spec/",
            "/specs/",
            "/testdata/",
            "/test-data/",
            "/fixtures/",
            "/e2e/",
            "/integration/",
            "/integration-tests/",
            "/docs/",
            "/doc/",
            "/mocks/",
            "/__mocks__/",
            "/benchmark/",
            "/benchmarks/",
            "/environments/test",
            "/environments/development");

    private final String path;
    private final String text;
    private final int[] lineStarts;
    private final boolean forTests;

    /** @param path below the audited root, with slashes */
    public SourceFile(String path, String text) {
        this.path = path;
        this.text = text;
        this.lineStarts = lineStarts(text);
        this.forTests = forTests(path, name());
    }

    private static int[] lineStarts(String text) {
        List<Integer> starts = new ArrayList<>();
        starts.add(0);
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            starts.add(at + 1);
        }
        return starts.stream().mapToInt(Integer::intValue).toArray();
    }

    public String path() {
        return path;
    }

    public String text() {
        return text;
    }

    /** Last part of the path, in lower case. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    }

    /** @param offset in UTF-16 code units from 0 */
    public Place at(int offset) {
        int low = java.util.Arrays.binarySearch(lineStarts, Math.max(0, Math.min(offset, text.length())));
        int line = low >= 0 ? low : -low - 2;
        return new Place(path, line + 1, offset - lineStarts[line] + 1);
    }

    /** @param line from 1, column from 1 */
    public Place at(int line, int column) {
        return new Place(path, line, column);
    }

    public int lineCount() {
        return lineStarts.length;
    }

    /** @return the line without its end, empty when there is no such line */
    public String line(int line) {
        if (line < 1 || line > lineStarts.length) {
            return "";
        }
        int end = line < lineStarts.length ? lineStarts[line] - 1 : text.length();
        return text.substring(lineStarts[line - 1], end).stripTrailing();
    }

    /** Whether the file is for tests or for reading: what stands there runs nowhere. */
    public boolean forTests() {
        return forTests;
    }

    private static boolean forTests(String path, String name) {
        String lower = "/" + path.toLowerCase(Locale.ROOT);
        return TEST_FOLDERS.stream().anyMatch(lower::contains)
                || name.contains(".test.")
                || name.contains(".spec.")
                || name.startsWith("test_")
                || name.endsWith("_test.py")
                || name.endsWith("_test.go")
                || name.endsWith("_spec.rb")
                || name.endsWith("test.java")
                || name.endsWith("tests.cs");
    }
}
