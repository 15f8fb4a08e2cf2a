package dev.why429.analyzers.ticket;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is asked about a client.
 *
 * @param by the field that names it: api_key, user, tenant or client_ip
 * @param values the value as given, and what redaction may have made of it: any of them is the client
 * @param shown how the answer names the client; never a whole API key
 * @param claim what the client says it was promised
 */
public record TicketQuestion(
        String by,
        List<String> values,
        String shown,
        Optional<Claim> claim,
        Optional<Instant> from,
        Optional<Instant> to) {
    public TicketQuestion {
        values = List.copyOf(values);
    }

    /**
     * A promised rate.
     *
     * @param text as given, {@code 20/s}
     * @param count requests
     * @param perSeconds in this time
     */
    public record Claim(String text, double count, double perSeconds) {}
}
