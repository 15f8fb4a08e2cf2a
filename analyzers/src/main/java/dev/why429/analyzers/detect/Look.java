package dev.why429.analyzers.detect;

import java.util.List;

/**
 * How one kind is looked for. A kind whose folder has no {@code detect.sql} is looked for by the class of its name: {@code clock_skew} by
 * {@code ClockSkew}.
 */
interface Look {
    List<Sighting> at(Scene scene);
}
