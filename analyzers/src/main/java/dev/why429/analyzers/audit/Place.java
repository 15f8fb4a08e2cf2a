package dev.why429.analyzers.audit;

import java.util.Comparator;

/**
 * A position in an audited file.
 *
 * @param file path below the audited root, with slashes
 * @param line from 1
 * @param column from 1, in UTF-16 code units, as SARIF counts
 */
public record Place(String file, int line, int column) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::file).thenComparingInt(Place::line).thenComparingInt(Place::column);

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
