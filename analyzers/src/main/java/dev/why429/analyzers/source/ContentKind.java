package dev.why429.analyzers.source;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a text is, told by its beginning. Only what is surely no log is set aside: whether the rest is a log of a known format is found out
 * when its format is looked for.
 *
 * @param why for what is not read: the reason, one clause
 */
record ContentKind(Kind kind, Optional<CaptureSource.Kind> capture, String config, String why) {
    enum Kind {
        LOG,
        CAPTURE,
        CONFIG,
        NOT_READ
    }

    static final int LOOK_AT_BYTES = 64 << 10;

    private static final int LINES = 50;
    private static final Pattern STATUS_LINE = Pattern.compile("^(< ?)?HTTP/[0-9.]+ [1-5][0-9][0-9]\\b");
    private static final Pattern JSON_LIST = Pattern.compile("^\\[\\s*\\{");

    /** A response as programs print it: over several lines, its status beside its headers. */
    private static final Pattern DUMP_STATUS =
            Pattern.compile("(?i)\"(status|status_?code)\"\\s*:\\s*\"?[1-5][0-9][0-9]\\b");

    private static final Pattern DUMP_HEADERS = Pattern.compile("(?i)\"(response_?)?headers\"\\s*:\\s*[\\[{]");
    private static final Pattern NGINX = Pattern.compile(
            "(?m)^\\s*(http|server|events|location [^{\\n]*|upstream [^{\\n]*)\\s*\\{|^\\s*(limit_req(_zone)?|limit_conn(_zone)?|log_format|proxy_pass|listen)\\s");
    private static final Pattern HAPROXY =
            Pattern.compile("(?m)^(global|defaults|frontend \\S+|backend \\S+|listen \\S+)\\s*$");
    private static final Pattern VCL = Pattern.compile("(?m)^vcl 4\\.[01];");
    private static final Pattern YAML_LINE =
            Pattern.compile("^\\s*(- )?[\"']?[A-Za-z_][A-Za-z0-9_./-]*[\"']?:(\\s.*)?$");
    /** Every stamp has a run of digits with separators: {@code 10:00:00}, {@code 1796069355651}, {@code 1796069355.619}. */
    private static final Pattern STAMP = Pattern.compile("[0-9]{1,2}:[0-9]{2}:[0-9]{2}|[0-9]{10}");

    private static final List<String> CODE =
            List.of("js", "mjs", "cjs", "ts", "tsx", "py", "rb", "go", "java", "php", "lua", "rs", "cs", "sh", "sql");
    private static final List<String> DOCUMENT = List.of("md", "html", "htm", "xml", "pdf", "adoc", "rst");
    private static final List<String> BOILERPLATE = List.of(
            "readme", "license", "licence", "copying", "notice", "authors", "changelog", "requirements", "robots");
    private static final Pattern STATISTIC = Pattern.compile("^[A-Za-z_][A-Za-z0-9_./-]*: ?-?[0-9]+$");
    private static final List<String> YAML = List.of("yaml", "yml");
    private static final List<String> STATUS_NAMES = List.of("status", "status_code", "statusCode");
    private static final List<String> HEADERS_NAMES = List.of("headers", "response_headers", "responseHeaders");
    private static final List<String> TIMES =
            List.of("t", "ts", "time", "timestamp", "@timestamp", "date", "start_time", "startTime", "msec");

    static ContentKind of(String fileName, byte[] head) {
        String extension = extension(fileName);
        if (head.length == 0) {
            return notRead("empty");
        }
        if (binary(head)) {
            return notRead("binary data");
        }
        String text = new String(head, StandardCharsets.UTF_8);
        List<String> lines =
                text.lines().filter(line -> !line.isBlank()).limit(LINES).toList();
        if (lines.isEmpty()) {
            return notRead("nothing but empty lines");
        }
        if (lines.stream().anyMatch(line -> STATUS_LINE.matcher(line).find())) {
            return capture(CaptureSource.Kind.CURL_TEXT);
        }
        boolean list = lines.get(0).startsWith("[") && JSON_LIST.matcher(text).find();
        if (list || lines.get(0).stripLeading().startsWith("{")) {
            return ofJson(lines, text);
        }
        if (CODE.contains(extension)) {
            return notRead("program code; \"why429 audit\" looks at that");
        }
        if (DOCUMENT.contains(extension)) {
            return notRead("a document");
        }
        Optional<String> config = config(extension, lines, text);
        if (config.isPresent()) {
            return new ContentKind(Kind.CONFIG, Optional.empty(), config.get(), "");
        }
        if (lines.get(0).startsWith("[") && lines.get(0).strip().length() <= 2) {
            return notRead("a JSON document, neither a log nor a HAR file");
        }
        if (extension.equals("csv") && !STAMP.matcher(lines.get(0)).find()) {
            return notRead("a table in CSV");
        }
        if (lines.stream().noneMatch(line -> STAMP.matcher(line).find())) {
            boolean small = head.length < LOOK_AT_BYTES;
            return small && isNote(fileName, text)
                    ? new ContentKind(Kind.LOG, Optional.empty(), "", "")
                    : notRead("free text: no line has a time");
        }
        return new ContentKind(Kind.LOG, Optional.empty(), "", "");
    }

    /** What a person wrote down beside the logs, or a tool printed; not what every folder has. */
    private static boolean isNote(String fileName, String text) {
        String name = fileName.substring(fileName.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return !text.contains("\uFFFD") && BOILERPLATE.stream().noneMatch(name::startsWith);
    }

    private static ContentKind ofJson(List<String> lines, String text) {
        if (lines.get(0).strip().endsWith("}")
                || (lines.size() > 1 && lines.get(1).startsWith("{"))) {
            Optional<JsonNode> first =
                    object(lines.get(0)).or(() -> lines.size() > 1 ? object(lines.get(1)) : Optional.empty());
            if (first.filter(ContentKind::isHar).isPresent()) {
                return capture(CaptureSource.Kind.HAR);
            }
            if (first.filter(ContentKind::isCapture).isPresent()) {
                return capture(CaptureSource.Kind.NDJSON);
            }
            return new ContentKind(Kind.LOG, Optional.empty(), "", "");
        }
        String start = text.replaceAll("\\s", "");
        if (start.startsWith("{\"log\":{") && (start.contains("\"entries\"") || start.contains("\"creator\""))) {
            return capture(CaptureSource.Kind.HAR);
        }
        if (DUMP_STATUS.matcher(text).find() && DUMP_HEADERS.matcher(text).find()) {
            return capture(CaptureSource.Kind.NDJSON);
        }
        if (lines.size() == 1) {
            return new ContentKind(Kind.LOG, Optional.empty(), "", "");
        }
        return notRead("a JSON document, neither a log nor a HAR file");
    }

    /** Loaded when the first line that looks like JSON is met: most logs never need it, and it costs a third of a second. */
    private static final class Json {
        private static final JsonMapper MAPPER = JsonMapper.shared();

        private Json() {}
    }

    private static Optional<JsonNode> object(String line) {
        try {
            return Optional.of(Json.MAPPER.readTree(line)).filter(JsonNode::isObject);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static boolean isHar(JsonNode object) {
        return object.path("log").path("entries").isArray();
    }

    /**
     * A captured answer has its headers beside its status, and a body or what was asked, or no time at all; a logger nests them, or has a level.
     */
    private static boolean isCapture(JsonNode object) {
        JsonNode answer = object.path("response").isObject() ? object.path("response") : object;
        boolean status =
                STATUS_NAMES.stream().anyMatch(name -> answer.path(name).isIntegralNumber());
        boolean headers = HEADERS_NAMES.stream().map(answer::path).anyMatch(node -> node.isArray() || node.isObject());
        boolean exchange = answer.has("body") || object.has("request_headers") || object.has("request");
        return status
                && headers
                && !object.has("level")
                && (exchange || TIMES.stream().noneMatch(object::has));
    }

    private static Optional<String> config(String extension, List<String> lines, String text) {
        boolean stamped = STAMP.matcher(lines.get(0)).find();
        if (stamped) {
            return Optional.empty();
        }
        if (VCL.matcher(text).find() || extension.equals("vcl")) {
            return Optional.of("varnish");
        }
        if (HAPROXY.matcher(text).find()) {
            return Optional.of("haproxy");
        }
        if (extension.equals("toml")) {
            return Optional.of("toml");
        }
        if (YAML.contains(extension)) {
            return Optional.of("yaml");
        }
        if (text.contains("<VirtualHost") || text.contains("LoadModule ")) {
            return Optional.of("apache");
        }
        if (NGINX.matcher(text).find() && text.contains(";")) {
            return Optional.of("nginx");
        }
        if (extension.equals("conf") || extension.equals("cfg") || extension.equals("ini")) {
            return Optional.of("other");
        }
        boolean statistics = !YAML.contains(extension)
                && lines.stream()
                        .allMatch(line -> STATISTIC.matcher(line.strip()).matches());
        boolean yaml = lines.size() > 1
                && !statistics
                && lines.stream().allMatch(line -> YAML_LINE.matcher(line).find());
        return yaml ? Optional.of("yaml") : Optional.empty();
    }

    /**
     * A text has hardly any control characters, and is no known kind of packed or compiled file. A log may hold single NULs (a crash leaves
     * them) and single bytes that are no UTF-8.
     */
    private static boolean binary(byte[] head) {
        int control = 0;
        for (byte b : head) {
            if (b >= 0 && b < 0x20 && b != '\n' && b != '\r' && b != '\t' && b != 0x1b) {
                control++;
            }
        }
        boolean zip = head.length > 3 && head[0] == 'P' && head[1] == 'K' && head[2] < 9;
        return zip || control > head.length / 10;
    }

    private static String extension(String fileName) {
        String name = fileName.toLowerCase(Locale.ROOT);
        for (String packed : List.of(".gz", ".zst", ".bz2", ".xz")) {
            if (name.endsWith(packed)) {
                name = name.substring(0, name.length() - packed.length());
            }
        }
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static ContentKind notRead(String why) {
        return new ContentKind(Kind.NOT_READ, Optional.empty(), "", why);
    }

    private static ContentKind capture(CaptureSource.Kind kind) {
        return new ContentKind(Kind.CAPTURE, Optional.of(kind), "", "");
    }
}
