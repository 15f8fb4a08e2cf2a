/** Responses that somebody captured: {@code curl -i}, NDJSON, HAR. */
package dev.why429.analyzers.capture;
