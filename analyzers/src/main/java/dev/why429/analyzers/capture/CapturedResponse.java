package dev.why429.analyzers.capture;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One answer as a client saw it.
 *
 * @param source name of the file it was read from
 * @param position place in the file, from 1
 * @param capturedAt when it was sent or received; from the Date header where nothing else says so
 * @param requestHeaders names in lower case
 * @param responseHeaders names in lower case, values in the order received
 * @param body at most {@link CaptureReader#MAX_BODY_CHARS} characters
 * @param requestId the id that the request bears in the logs too
 */
public record CapturedResponse(
        String source,
        int position,
        Optional<Instant> capturedAt,
        Optional<String> clientIp,
        Optional<String> method,
        Optional<String> path,
        Optional<String> host,
        int status,
        Map<String, List<String>> requestHeaders,
        Map<String, List<String>> responseHeaders,
        String body,
        Optional<String> requestId) {
    /** Headers that carry an id which gateways and applications log; a provider's own {@code request-id} is not among them. */
    static final List<String> ID_HEADERS = List.of(
            "x-request-id",
            "x-correlation-id",
            "x-trace-id",
            "x-kong-request-id",
            "x-b3-traceid",
            "x-amzn-trace-id",
            "x-amz-cf-id");

    static Optional<String> idIn(Map<String, List<String>> response, Map<String, List<String>> request) {
        return ID_HEADERS.stream()
                .flatMap(name -> java.util.stream.Stream.concat(
                        response.getOrDefault(name, List.of()).stream(),
                        request.getOrDefault(name, List.of()).stream()))
                .filter(id -> !id.isBlank())
                .findFirst();
    }

    /** All values of a header, joined as one where it was repeated; empty when it is not there. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(responseHeaders.get(name.toLowerCase(Locale.ROOT)))
                .map(values -> String.join(", ", values));
    }
}
