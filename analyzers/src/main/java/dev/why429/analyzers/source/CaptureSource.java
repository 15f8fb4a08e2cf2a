package dev.why429.analyzers.source;

/** A file of captured responses. */
public record CaptureSource(String path, Kind kind, Content content) {
    /** How the responses are written. */
    public enum Kind {
        /** {@code curl -i}: status line, headers, empty line, body */
        CURL_TEXT,
        /** one JSON object a line, each with {@code status}, {@code headers} and what was asked */
        NDJSON,
        /** HTTP Archive, as browsers save it */
        HAR
    }
}
