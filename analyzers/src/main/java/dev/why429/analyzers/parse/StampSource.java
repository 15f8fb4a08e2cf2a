package dev.why429.analyzers.parse;

/** A reader that can say how the last stamp was written. */
interface StampSource {
    Stamps stamps();
}
