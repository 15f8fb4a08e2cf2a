package dev.why429.analyzers.capture;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/** Captures written as JSON: one object a line, or a HAR file (http archive 1.2). */
final class JsonCaptures {
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(100)
                            .maxStringLength(16 * 1024 * 1024)
                            .maxNumberLength(400)
                            .build())
                    .build())
            .build();
    private static final Pattern URL = Pattern.compile("^[a-z]{2,5}://([^/?]{1,255})([/?].{0,8192})?$", Pattern.DOTALL);

    private JsonCaptures() {}

    /** One object a line; or objects over several lines each, one after the other or in one list. */
    static List<CapturedResponse> objects(String text, String source, List<String> problems) {
        Optional<String> first = text.lines().filter(line -> !line.isBlank()).findFirst();
        return first.filter(JsonCaptures::isWholeObject).isPresent()
                ? lines(text, source, problems)
                : documents(text, source, problems);
    }

    /** Whether an object is a captured answer, and not a line of a logger. */
    static boolean isCapture(String line) {
        JsonNode node = JSON.readTree(line);
        JsonNode answer = node.path("response").isObject() ? node.path("response") : node;
        return first(answer, "status", "status_code", "statusCode").isPresent()
                && object(answer, "response_headers", "responseHeaders", "headers")
                        .isContainer()
                && !node.has("level");
    }

    static boolean isWholeObject(String line) {
        try {
            return JSON.readTree(line).isObject();
        } catch (JacksonException e) {
            return false;
        }
    }

    private static List<CapturedResponse> lines(String text, String source, List<String> problems) {
        List<CapturedResponse> responses = new ArrayList<>();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                one(JSON.readTree(line), source, number, problems).ifPresent(responses::add);
            } catch (JacksonException e) {
                problems.add(source + ":" + number + ": no JSON object; the line is left out");
            }
        }
        return responses;
    }

    private static List<CapturedResponse> documents(String text, String source, List<String> problems) {
        List<CapturedResponse> responses = new ArrayList<>();
        int number = 0;
        try (MappingIterator<JsonNode> nodes = JSON.readerFor(JsonNode.class).readValues(text)) {
            while (nodes.hasNextValue()) {
                number++;
                one(nodes.nextValue(), source, number, problems).ifPresent(responses::add);
            }
        } catch (JacksonException e) {
            problems.add("\"" + source + "\": after object " + number + " no JSON: " + e.getOriginalMessage());
        }
        return responses;
    }

    /** Names as curl wrappers, requests, axios, fetch and test runners choose them; {@code response} and {@code request} may be nested. */
    private static Optional<CapturedResponse> one(JsonNode node, String source, int number, List<String> problems) {
        JsonNode answer = node.path("response").isObject() ? node.path("response") : node;
        JsonNode asked = node.path("request").isObject() ? node.path("request") : node;
        int status = first(answer, "status", "status_code", "statusCode")
                .flatMap(JsonCaptures::status)
                .orElse(0);
        if (status < 100) {
            problems.add(source + ":" + number + ": no \"status\" between 100 and 999; the object is left out");
            return Optional.empty();
        }
        Map<String, List<String>> sent =
                new LinkedHashMap<>(headers(object(node, "request_headers", "requestHeaders")));
        if (node.path("request").isObject()) {
            sent.putAll(headers(asked.path("headers")));
        }
        // what a browser's console notes beside the answer
        first(node, "origin").ifPresent(origin -> sent.putIfAbsent("origin", List.of(origin)));
        return Optional.of(response(
                source,
                number,
                first(node, "ts", "t", "time", "timestamp", "startedDateTime"),
                first(node, "client", "client_ip", "remote_addr"),
                first(asked, "method").orElse(""),
                first(asked, "url", "path").orElse(""),
                status,
                sent,
                headers(object(answer, "response_headers", "responseHeaders", "headers")),
                body(object(answer, "body", "response_body", "data", "text", "content"))));
    }

    private static Optional<Integer> status(String text) {
        return text.matches("[1-9][0-9]{2}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }

    private static JsonNode object(JsonNode node, String... names) {
        for (String name : names) {
            if (node.has(name)) {
                return node.path(name);
            }
        }
        return node.path(names[0]);
    }

    static List<CapturedResponse> har(byte[] bytes, String source, List<String> problems) {
        List<CapturedResponse> responses = new ArrayList<>();
        try {
            int number = 0;
            for (JsonNode entry : JSON.readTree(bytes).path("log").path("entries")) {
                number++;
                JsonNode answer = entry.path("response");
                JsonNode asked = entry.path("request");
                if (answer.path("status").asInt(0) < 100) {
                    // a browser writes status 0 for an answer that it was not allowed to show
                    problems.add(source + ": entry " + number + " has no status; it is left out");
                    continue;
                }
                JsonNode content = answer.path("content");
                String body = content.path("text").asString("");
                if (content.path("encoding").asString("").equals("base64")) {
                    body = unpacked(body);
                }
                responses.add(response(
                        source,
                        number,
                        first(entry, "startedDateTime"),
                        Optional.empty(),
                        asked.path("method").asString(""),
                        asked.path("url").asString(""),
                        answer.path("status").asInt(),
                        headers(asked.path("headers")),
                        headers(answer.path("headers")),
                        body));
            }
        } catch (JacksonException e) {
            problems.add("\"" + source + "\" is no HAR file: " + e.getOriginalMessage());
        }
        return responses;
    }

    private static CapturedResponse response(
            String source,
            int position,
            Optional<String> at,
            Optional<String> client,
            String method,
            String url,
            int status,
            Map<String, List<String>> request,
            Map<String, List<String>> response,
            String body) {
        Matcher absolute = URL.matcher(url);
        boolean whole = absolute.matches();
        String path = whole ? Optional.ofNullable(absolute.group(2)).orElse("/") : url;
        Optional<String> host = whole
                ? Optional.of(absolute.group(1))
                : request.getOrDefault("host", List.of()).stream().findFirst();
        return new CapturedResponse(
                source,
                position,
                at.flatMap(JsonCaptures::instant).or(() -> Headers.date(response)),
                client,
                Optional.of(method).filter(m -> !m.isBlank()),
                Optional.of(path).filter(p -> !p.isBlank()),
                host,
                status,
                request,
                response,
                CaptureReader.capped(body, CaptureReader.MAX_BODY_CHARS),
                CapturedResponse.idIn(response, request));
    }

    private static Optional<String> first(JsonNode node, String... names) {
        for (String name : names) {
            if (node.path(name).isValueNode() && !node.path(name).isNull()) {
                return Optional.of(node.path(name).asString(""));
            }
        }
        return Optional.empty();
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return epoch(text);
        }
    }

    private static Optional<Instant> epoch(String text) {
        try {
            double value = Double.parseDouble(text);
            // seconds since 1970 up to the year 5138, milliseconds above
            double seconds = value >= 1e11 ? value / 1000 : value;
            return value > 0 && value < 1e14
                    ? Optional.of(Instant.EPOCH.plusNanos(Math.round(seconds * 1e6) * 1000))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String body(JsonNode node) {
        return node.isString() ? node.asString() : node.isMissingNode() || node.isNull() ? "" : node.toString();
    }

    /** [["Name", "value"], …], [{"name": …, "value": …}, …] or {"name": "value" or [values]}. */
    private static Map<String, List<String>> headers(JsonNode node) {
        Headers headers = new Headers();
        if (node.isArray()) {
            for (JsonNode item : node) {
                if (item.isArray() && item.size() == 2) {
                    headers.add(item.get(0).asString(""), item.get(1).asString(""));
                } else if (item.isObject()) {
                    headers.add(
                            item.path("name").asString(""), item.path("value").asString(""));
                }
            }
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                if (entry.getValue().isArray()) {
                    entry.getValue().forEach(value -> headers.add(entry.getKey(), value.asString("")));
                } else {
                    headers.add(entry.getKey(), entry.getValue().asString(""));
                }
            }
        }
        return headers.map();
    }

    private static String unpacked(String base64) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
            return CaptureReader.decode(bytes, Math.min(bytes.length, 4 * CaptureReader.MAX_BODY_CHARS));
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
