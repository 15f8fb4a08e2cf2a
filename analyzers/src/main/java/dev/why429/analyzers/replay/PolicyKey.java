package dev.why429.analyzers.replay;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a policy counts by: parts that are joined, each a chain of fields of which the first that a request has counts.
 *
 * @param parts {@code user|client_ip+route} is [[user, client_ip], [route]]; empty: one bucket for everybody
 */
public record PolicyKey(List<List<String>> parts) {
    /** Fields that a policy can count by, besides {@code global}. */
    public static final List<String> FIELDS = List.of(
            "client_ip",
            "client_net",
            "peer_ip",
            "xff_leftmost",
            "api_key",
            "user",
            "tenant",
            "route",
            "path",
            "method",
            "host",
            "node",
            "user_agent");

    public PolicyKey {
        parts = parts.stream().map(List::copyOf).toList();
    }

    /** Every field that is needed, once. */
    public List<String> fields() {
        return parts.stream().flatMap(List::stream).distinct().toList();
    }

    @Override
    public String toString() {
        return parts.isEmpty()
                ? "global"
                : parts.stream().map(part -> String.join("|", part)).collect(Collectors.joining("+"));
    }
}
