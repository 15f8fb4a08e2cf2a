package dev.why429.analyzers.reconstruct;

import java.util.ArrayList;
import java.util.List;

/** Whether denials come in blocks of a fixed length, and of which. */
final class Blocks {
    private static final int LEAST_BLOCKS = 3;
    /** Blocks of a fixed length end within the stamps' grain of each other. */
    private static final double TOLERANCE = 0.08;

    /** Of these blocks denials must have filled so much. */
    private static final double NEARLY = 0.7;

    private Blocks() {}

    /**
     * From the first denial of a spell to its last is less than the block, to the next allowed request at least it.
     *
     * @return seconds; 0 where the spells do not agree on a length
     */
    static double length(Series s) {
        List<double[]> spells = new ArrayList<>();
        for (int g = 0; g < s.buckets(); g++) {
            int first = -1;
            double lasted = 0;
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                if (s.denied[i]) {
                    first = first < 0 ? i : first;
                    lasted = (s.early[i] - s.late[first]) / 1e6;
                } else if (first >= 0) {
                    spells.add(new double[] {lasted, (s.late[i] - s.early[first]) / 1e6});
                    first = -1;
                }
            }
        }
        double atLeast = spells.stream().mapToDouble(l -> l[0]).max().orElse(0);
        double atMost = spells.stream().mapToDouble(l -> l[1]).min().orElse(0);
        long full = spells.stream().filter(l -> l[0] > NEARLY * atLeast).count();
        if (full < LEAST_BLOCKS || atLeast <= 0 || atMost < atLeast * (1 - TOLERANCE) || atMost > 2 * atLeast) {
            return 0;
        }
        double snapped = Grids.simplestWindow(Math.min(atLeast, atMost), Math.max(atLeast, atMost));
        return Double.isNaN(snapped) ? (atLeast + atMost) / 2 : snapped;
    }
}
