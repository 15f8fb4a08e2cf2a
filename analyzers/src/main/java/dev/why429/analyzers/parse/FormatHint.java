package dev.why429.analyzers.parse;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/**
 * What a person said about an input.
 *
 * @param logFormat the server's own format string, or the id of a format ({@code pino-http}, {@code apache:vhost_combined})
 * @param component what wrote it: {@code nginx}, {@code express}
 * @param layer cdn, gateway, app, third_party
 * @param zone for stamps that bear no zone
 * @param reference a moment not long after the last line, by which stamps without a year get theirs; EPOCH when none is known
 * @param identityHeaders further request headers that say who asks, header name to field: {@code x-client → api_key}
 */
public record FormatHint(
        Optional<String> logFormat,
        Optional<String> component,
        Optional<String> layer,
        ZoneId zone,
        Map<String, String> identityHeaders,
        Instant reference) {
    /** Without a reference: stamps that bear no year are none. */
    public FormatHint(
            Optional<String> logFormat,
            Optional<String> component,
            Optional<String> layer,
            ZoneId zone,
            Map<String, String> identityHeaders) {
        this(logFormat, component, layer, zone, identityHeaders, Instant.EPOCH);
    }

    public static FormatHint none() {
        return new FormatHint(Optional.empty(), Optional.empty(), Optional.empty(), ZoneOffset.UTC, Map.of());
    }

    public FormatHint withLogFormat(String given) {
        return new FormatHint(Optional.of(given), component, layer, zone, identityHeaders, reference);
    }

    public FormatHint withReference(Instant moment) {
        return new FormatHint(logFormat, component, layer, zone, identityHeaders, moment);
    }

    public FormatHint withComponent(String given) {
        return new FormatHint(logFormat, Optional.of(given), layer, zone, identityHeaders, reference);
    }
}
