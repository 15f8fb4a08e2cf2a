package dev.why429.analyzers.reconstruct;

/** Whether denials come in blocks of a fixed length, and of which. */
final class Blocks {
    private static final int LEAST_BLOCKS = 3;
    /** Blocks of a fixed length end within the stamps' grain of each other. */
    private static final double TOLERANCE = 0.08;

    private Blocks() {}

    /**
     * From the first denial of a spell to its last is less than the block, to the next allowed request at least it.
     *
     * @return seconds; 0 where the spells do not agree on a length
     */
    static double length(Series s) {
        double atLeast = 0;
        double atMost = Double.POSITIVE_INFINITY;
        int spells = 0;
        for (int g = 0; g < s.buckets(); g++) {
            int first = -1;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                if (s.denied[i]) {
                    if (first < 0) {
                        first = i;
                        spells++;
                    }
                    atLeast = Math.max(atLeast, (s.early[i] - s.late[first]) / 1e6);
                } else if (first >= 0) {
                    atMost = Math.min(atMost, (s.late[i] - s.early[first]) / 1e6);
                    first = -1;
                }
            }
        }
        if (spells < LEAST_BLOCKS || atLeast <= 0 || atMost < atLeast * (1 - TOLERANCE) || atMost > 2 * atLeast) {
            return 0;
        }
        double snapped = Grids.simplestWindow(Math.min(atLeast, atMost), Math.max(atLeast, atMost));
        return Double.isNaN(snapped) ? (atLeast + atMost) / 2 : snapped;
    }
}
