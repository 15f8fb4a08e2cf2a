package dev.why429.analyzers.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads captured responses: the text of {@code curl -i} or {@code curl -v}, one JSON object a line, or a HAR file. */
public final class CaptureReader {
    /** Longer files are not captures that a person took. */
    public static final int MAX_FILE_BYTES = 64 * 1024 * 1024;

    /** What is kept of a body: limiters' bodies are short. */
    public static final int MAX_BODY_CHARS = 64 * 1024;

    /** What is kept of one header's value. */
    static final int MAX_HEADER_CHARS = 8 * 1024;

    static final int MAX_HEADERS = 200;

    /** How many responses of one file are kept. */
    static final int MAX_RESPONSES = 20_000;

    private static final int HEAD_BYTES = 256 * 1024;
    private static final Pattern STATUS_LINE =
            Pattern.compile("(?m)^(?:< )?HTTP/[0-9](?:\\.[0-9])? [1-5][0-9][0-9]\\b");
    private static final Pattern JSON_STATUS =
            Pattern.compile("(?i)\"(status|status_?code)\"\\s*:\\s*\"?[1-9][0-9][0-9]\\b");
    private static final Pattern JSON_HEADERS = Pattern.compile("(?i)\"(response_?)?headers\"\\s*:\\s*[\\[{]");

    private CaptureReader() {}

    /** How captures are written. */
    public enum Kind {
        CURL_TEXT,
        JSON,
        HAR
    }

    /**
     * What a file holds.
     *
     * @param problems what could not be read, one sentence each
     */
    public record Reading(List<CapturedResponse> responses, List<String> problems) {}

    /** Whether a file is a capture, by its first bytes; empty for a log or anything else. */
    public static Optional<Kind> recognise(byte[] head) {
        String text = decode(head, Math.min(head.length, HEAD_BYTES));
        String start = text.stripLeading();
        if (start.startsWith("{") || start.startsWith("[")) {
            String upToEntries = start.substring(0, Math.min(start.length(), 4096));
            if (upToEntries.matches("(?s)\\{\\s*\"log\"\\s*:\\s*\\{.*")
                    && (upToEntries.contains("\"entries\"") || upToEntries.contains("\"creator\""))) {
                return Optional.of(Kind.HAR);
            }
            String line = start.lines().findFirst().orElse("");
            boolean capture = JsonCaptures.isWholeObject(line)
                    ? JsonCaptures.isCapture(line)
                    : JSON_STATUS.matcher(start).find()
                            && JSON_HEADERS.matcher(start).find();
            return capture ? Optional.of(Kind.JSON) : Optional.empty();
        }
        return STATUS_LINE
                        .matcher(text.substring(0, Math.min(text.length(), 16 * 1024)))
                        .find()
                ? Optional.of(Kind.CURL_TEXT)
                : Optional.empty();
    }

    /**
     * @param source how to name the file
     * @throws IOException when the stream cannot be read
     */
    public static Reading read(InputStream in, String source) throws IOException {
        byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
        if (bytes.length > MAX_FILE_BYTES) {
            return new Reading(
                    List.of(),
                    List.of(
                            "\"" + source + "\" is larger than " + MAX_FILE_BYTES / (1024 * 1024)
                                    + " MiB and is not read as a capture; give the entries that matter in a file of their own"));
        }
        List<String> problems = new ArrayList<>();
        Optional<Kind> kind = recognise(bytes);
        if (kind.isEmpty()) {
            return new Reading(
                    List.of(),
                    List.of("\"" + source
                            + "\" is no capture: expected the text of curl -i, a HAR file, or JSON objects"
                            + " with status, headers and body"));
        }
        List<CapturedResponse> responses = switch (kind.get()) {
            case CURL_TEXT -> CurlText.read(decode(bytes, bytes.length), source);
            case JSON -> JsonCaptures.objects(decode(bytes, bytes.length), source, problems);
            case HAR -> JsonCaptures.har(bytes, source, problems);
        };
        if (responses.size() > MAX_RESPONSES) {
            problems.add("\"" + source + "\" holds " + responses.size() + " responses; the first " + MAX_RESPONSES
                    + " are kept");
            responses = responses.subList(0, MAX_RESPONSES);
        }
        return new Reading(List.copyOf(responses), List.copyOf(problems));
    }

    static String decode(byte[] bytes, int length) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE)
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("malformed bytes are replaced, never refused", e);
        }
    }

    static String capped(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit);
    }
}
