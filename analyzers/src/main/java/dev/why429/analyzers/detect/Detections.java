package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import java.util.List;

/**
 * What the detectors said.
 *
 * @param findings those that explain most denials first
 * @param quiet kinds that were looked for and not found
 * @param skipped kinds that could not be looked for
 */
public record Detections(
        List<Case.Finding> findings,
        List<String> quiet,
        List<Case.Skipped> skipped,
        List<Case.BlindSpot> blindSpots,
        Case.Verdict verdict) {}
