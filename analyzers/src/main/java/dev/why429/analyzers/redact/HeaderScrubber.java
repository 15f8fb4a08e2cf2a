package dev.why429.analyzers.redact;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Values of headers by the name of the header. What limits say about themselves stays; who asked becomes a token; cookies keep their names. */
final class HeaderScrubber {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> ADDRESSES = Set.of(
            "x-forwarded-for",
            "forwarded",
            "x-real-ip",
            "cf-connecting-ip",
            "cf-connecting-ipv6",
            "true-client-ip",
            "x-client-ip",
            "client-ip",
            "x-cluster-client-ip",
            "fastly-client-ip",
            "x-envoy-external-address",
            "x-original-forwarded-for",
            "x-azure-clientip",
            "x-azure-socketip",
            "x-appengine-user-ip",
            "remote-addr",
            "docker-ratelimit-source",
            "x-rate-limit-request-remote-addr",
            "x-rate-limit-request-forwarded-for");
    private static final Set<String> URLS = Set.of(
            "referer",
            "location",
            "content-location",
            "x-original-uri",
            "x-original-url",
            "x-forwarded-uri",
            "link",
            ":path");
    private static final Set<String> IDENTITIES = Set.of(
            "authorization",
            "proxy-authorization",
            "x-user",
            "x-user-id",
            "x-client-id",
            "x-consumer-username",
            "x-consumer-id",
            "x-tenant",
            "x-tenant-id",
            "x-account-id",
            "from",
            "x-amzn-oidc-identity");
    private static final Set<String> AS_THEY_ARE = Set.of(
            "retry-after",
            "date",
            "content-length",
            "content-type",
            "etag",
            "server",
            "age",
            "cf-ray",
            "x-request-id",
            "x-cache",
            "vary",
            "connection",
            "accept",
            "accept-encoding",
            "traceparent",
            "x-amzn-requestid",
            "x-amz-cf-id",
            "x-correlation-id");

    private final Scrubber scrubber;
    private final Tokens tokens;
    private final boolean strict;

    HeaderScrubber(Scrubber scrubber, Tokens tokens, boolean strict) {
        this.scrubber = scrubber;
        this.tokens = tokens;
        this.strict = strict;
    }

    String value(String headerName, String value) {
        String name = headerName.toLowerCase(Locale.ROOT);
        if (ADDRESSES.contains(name)) {
            return scrubber.addressList(value);
        }
        if (name.startsWith("ratelimit") || name.startsWith("x-ratelimit") || name.startsWith("x-rate-limit")) {
            return withoutPartitionKey(value);
        }
        if (AS_THEY_ARE.contains(name)) {
            return value;
        }
        if (name.equals("cookie") || name.equals("set-cookie")) {
            return cookies(value, name.equals("set-cookie"));
        }
        if (IDENTITIES.contains(name) || SecretNames.secretInQuery(name)) {
            return identity(value);
        }
        if (URLS.contains(name)) {
            return scrubber.url(value);
        }
        if (strict && (name.equals("user-agent") || name.equals("host") || name.equals("x-forwarded-host"))) {
            return tokens.identity(value);
        }
        return scrubber.text(value);
    }

    /** The scheme stays: {@code Bearer tok_…}. */
    private String identity(String value) {
        int blank = value.indexOf(' ');
        String scheme = blank > 0 ? value.substring(0, blank) : "";
        return Set.of("bearer", "basic", "digest", "apikey", "token").contains(scheme.toLowerCase(Locale.ROOT))
                ? scheme + " " + tokens.identity(value.substring(blank + 1).strip())
                : tokens.identity(value);
    }

    /** {@code a=1; b=2} without values; of {@code Set-Cookie} only the first pair is the cookie, the rest are its attributes. */
    private static String cookies(String value, boolean set) {
        StringBuilder out = new StringBuilder();
        for (String pair : value.split(";", -1)) {
            int equals = pair.indexOf('=');
            boolean attribute = set && out.length() > 0;
            out.append(out.length() > 0 ? ";" : "");
            out.append(
                    attribute
                            ? pair
                            : equals < 0 ? Scrubber.REDACTED : pair.substring(0, equals + 1) + Scrubber.REDACTED);
        }
        return out.toString();
    }

    /** {@code "100-in-1min"; q=100; w=60; pk=:NDI1…:} holds a plain hash of the key, which guesses can be tried on. */
    private String withoutPartitionKey(String value) {
        int from = value.indexOf("pk=:");
        int to = from < 0 ? -1 : value.indexOf(':', from + 4);
        return to < 0
                ? value
                : value.substring(0, from + 4)
                        + tokens.identity(value.substring(from + 4, to))
                        + withoutPartitionKey(value.substring(to));
    }

    Map<String, List<String>> headers(Map<String, List<String>> headers) {
        Map<String, List<String>> out = new LinkedHashMap<>();
        headers.forEach((name, values) -> {
            List<String> scrubbed = new ArrayList<>();
            values.forEach(value -> scrubbed.add(value(name, value)));
            out.put(name, scrubbed);
        });
        return out;
    }

    /** A JSON object of headers; what is no such object is scrubbed as text. */
    String json(String text) {
        JsonNode tree;
        try {
            tree = JSON.readTree(text);
        } catch (JacksonException e) {
            return scrubber.text(text);
        }
        if (!(tree instanceof ObjectNode object)) {
            return scrubber.text(text);
        }
        ObjectNode out = JSON.createObjectNode();
        object.properties().forEach(entry -> out.set(entry.getKey(), node(entry.getKey(), entry.getValue())));
        return JSON.writeValueAsString(out);
    }

    private JsonNode node(String name, JsonNode value) {
        if (value instanceof ArrayNode array) {
            ArrayNode out = JSON.createArrayNode();
            array.forEach(element -> out.add(node(name, element)));
            return out;
        }
        if (value.isString()) {
            return JSON.getNodeFactory().stringNode(value(name, value.asString()));
        }
        return value.isContainer() ? JSON.getNodeFactory().stringNode(scrubber.text(value.toString())) : value;
    }
}
