package dev.why429.analyzers.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of {@code curl -i} and {@code curl -v}, and requests with their answers as editors keep them in {@code .http} files. Of several header
 * blocks of one exchange (100 Continue, redirects, a proxy's CONNECT) the last is the answer.
 */
final class CurlText {
    // HTTP/2 429        (no reason)      HTTP/1.1 429 Too Many Requests
    private static final Pattern STATUS = Pattern.compile("^HTTP/[0-9](?:\\.[0-9])? ([1-5][0-9]{2})(?: [^\\r\\n]*)?$");
    private static final Pattern REQUEST =
            Pattern.compile("^([A-Z]{3,10}) (\\S{1,4096})(?: HTTP/[0-9](?:\\.[0-9])?)?$");
    private static final Pattern URL = Pattern.compile("https?://([^/\\s\"'?]{1,255})([/?][^\\s\"']{0,4096})?");
    private static final Pattern METHOD_OPTION = Pattern.compile("(?:-X|--request)[ =]?([A-Z]{3,10})\\b");

    private final String source;
    private final List<CapturedResponse> responses = new ArrayList<>();

    private Optional<String> method = Optional.empty();
    private Optional<String> path = Optional.empty();
    private Optional<String> host = Optional.empty();
    private Headers request = new Headers();
    private Headers response = new Headers();
    private final StringBuilder body = new StringBuilder();
    private int status;
    private Part part = Part.NOTHING;

    private enum Part {
        NOTHING,
        REQUEST_HEADERS,
        RESPONSE_HEADERS,
        BODY
    }

    private CurlText(String source) {
        this.source = source;
    }

    static List<CapturedResponse> read(String text, String source) {
        CurlText reader = new CurlText(source);
        boolean verbose = text.lines().anyMatch(line -> line.startsWith("< HTTP/"));
        text.lines().forEach(line -> {
            if (verbose) {
                reader.verbose(line);
            } else {
                reader.plain(line);
            }
        });
        reader.finish();
        return reader.responses;
    }

    private void plain(String line) {
        Matcher answer = STATUS.matcher(line);
        if (answer.matches()) {
            begin(Integer.parseInt(answer.group(1)));
            return;
        }
        switch (part) {
            case RESPONSE_HEADERS -> header(line, response, Part.BODY);
            case REQUEST_HEADERS -> header(line, request, Part.NOTHING);
            case BODY -> {
                if (isCommand(line)) {
                    finish();
                    command(line);
                } else {
                    append(line);
                }
            }
            case NOTHING -> {
                Matcher asked = REQUEST.matcher(line);
                if (asked.matches()) {
                    asked(asked);
                } else if (isCommand(line)) {
                    command(line);
                }
            }
        }
    }

    private void verbose(String line) {
        if (line.startsWith("> ") || line.equals(">")) {
            String sent = line.length() > 2 ? line.substring(2) : "";
            Matcher asked = REQUEST.matcher(sent);
            if (asked.matches()) {
                finish();
                asked(asked);
            } else if (part == Part.REQUEST_HEADERS) {
                header(sent, request, Part.NOTHING);
            }
        } else if (line.startsWith("< ") || line.equals("<")) {
            String received = line.length() > 2 ? line.substring(2) : "";
            Matcher answer = STATUS.matcher(received);
            if (answer.matches()) {
                begin(Integer.parseInt(answer.group(1)));
            } else if (part == Part.RESPONSE_HEADERS) {
                header(received, response, Part.BODY);
            }
        } else if (line.startsWith("* ") || line.startsWith("{ [") || line.startsWith("} [")) {
            return;
        } else if (isCommand(line)) {
            finish();
            command(line);
        } else if (part == Part.BODY) {
            append(line);
        }
    }

    private static boolean isCommand(String line) {
        return line.startsWith("$ curl ") || line.startsWith("curl ") || line.startsWith("# curl ");
    }

    private void command(String line) {
        Matcher url = URL.matcher(line);
        if (url.find()) {
            host = Optional.of(url.group(1));
            path = Optional.of(Optional.ofNullable(url.group(2)).orElse("/"));
            Matcher option = METHOD_OPTION.matcher(line);
            method = Optional.of(option.find() ? option.group(1) : "GET");
        }
    }

    private void asked(Matcher line) {
        request = new Headers();
        method = Optional.of(line.group(1));
        Matcher url = URL.matcher(line.group(2));
        if (url.matches()) {
            host = Optional.of(url.group(1));
            path = Optional.of(Optional.ofNullable(url.group(2)).orElse("/"));
        } else {
            path = Optional.of(line.group(2));
        }
        part = Part.REQUEST_HEADERS;
    }

    private void header(String line, Headers into, Part then) {
        if (line.isBlank()) {
            part = then;
            return;
        }
        int colon = line.indexOf(':', 1);
        if (colon > 0) {
            into.add(line.substring(0, colon), line.substring(colon + 1));
        }
    }

    private void append(String line) {
        if (body.length() < CaptureReader.MAX_BODY_CHARS) {
            body.append(line).append('\n');
        }
    }

    private void begin(int newStatus) {
        // an answer on the way to the answer: 100, a redirect, a challenge, a proxy's tunnel
        boolean onTheWay = body.toString().isBlank()
                && (status < 200
                        || (status >= 300 && status < 400)
                        || status == 401
                        || status == 407
                        || response.isEmpty());
        if (status != 0 && !onTheWay) {
            finish();
        }
        status = newStatus;
        response = new Headers();
        body.setLength(0);
        part = Part.RESPONSE_HEADERS;
    }

    private void finish() {
        if (status == 0) {
            return;
        }
        Map<String, List<String>> received = response.map();
        Map<String, List<String>> sent = request.map();
        String text = body.toString();
        // the last line of the capture ended the file, not the body
        text = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        responses.add(new CapturedResponse(
                source,
                responses.size() + 1,
                Headers.date(received),
                Optional.empty(),
                method,
                path,
                host.or(() -> Optional.ofNullable(sent.get("host")).map(values -> values.get(0))),
                status,
                sent,
                received,
                CaptureReader.capped(text, CaptureReader.MAX_BODY_CHARS),
                CapturedResponse.idIn(received, sent)));
        status = 0;
        response = new Headers();
        request = new Headers();
        body.setLength(0);
        part = Part.NOTHING;
    }
}
