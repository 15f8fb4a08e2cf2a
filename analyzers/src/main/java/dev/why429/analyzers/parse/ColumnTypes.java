package dev.why429.analyzers.parse;

import dev.why429.analyzers.parse.Columns.Column;
import dev.why429.rules.Format;
import dev.why429.rules.Format.Token;
import dev.why429.rules.Format.Unit;
import dev.why429.rules.Format.Value;
import dev.why429.rules.KnownNames;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Says what a column is, left to right: its key's usual meaning where the values agree with it, else what the values can only be. A field that
 * was found already is not given twice.
 */
final class ColumnTypes {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    private static final Pattern IPV6 = Pattern.compile("\\[?[0-9a-fA-F]*:[0-9a-fA-F:]*(?:\\.\\d+){0,3}(?:%\\w+)?]?");
    private static final Pattern ADDRESS_PORT = Pattern.compile("(?:[\\w.-]+|\\[[0-9a-fA-F:.]+]):\\d{1,5}|unix:\\S+");
    private static final Pattern METHOD =
            Pattern.compile("GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|PROPFIND|QUERY|PURGE");
    private static final Pattern REQUEST = Pattern.compile("[A-Z]{2,20} \\S.*? HTTP/\\d(?:\\.\\d)?");
    private static final Pattern TARGET = Pattern.compile("/\\S*|https?://\\S*|\\*");
    private static final Pattern STATUS = Pattern.compile("[1-5]\\d\\d");
    private static final Pattern STATUS_LIST = Pattern.compile("(?:[1-5]\\d\\d|-)(?:(?:, | : )(?:[1-5]\\d\\d|-))*");
    private static final Pattern WHOLE = Pattern.compile("\\d{1,15}");
    private static final Pattern THREE_DECIMALS = Pattern.compile("\\d{1,6}\\.\\d{3}");
    private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(?:\\.\\d{1,9})?");
    private static final Pattern SECONDS_LIST =
            Pattern.compile("(?:\\d{1,6}\\.\\d{3}|-)(?:(?:, | : )(?:\\d{1,6}\\.\\d{3}|-))*");
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z_@+/=.-]{12,128}");
    /** {@code kube-probe/1.29} */
    private static final Pattern AGENT = Pattern.compile("[A-Za-z][\\w.-]*/\\d[\\w.+-]*");

    private static final Pattern PROTOCOL = Pattern.compile("HTTP/\\d(?:\\.\\d)?");
    private static final Pattern UNIT_WORD = Pattern.compile("ms|us|µs|ns|s|sec");
    private static final double MOST = 0.95;
    private static final int LONGEST_REQUEST_SECONDS = 120;

    private final Optional<Format> server;
    private final Stamps stamps = new Stamps(ZoneOffset.UTC);
    private final Set<String> found = new HashSet<>();
    private boolean decimalBefore;
    private boolean secondsAsNginx;

    ColumnTypes(Optional<Format> server) {
        this.server = server;
    }

    /** @param name how the column is shown in the pattern */
    record Typed(String name, Token token) {}

    /** Whether there is enough to call the lines requests: a time, a status, and who or what was asked. */
    boolean enough() {
        return found.contains("time")
                && found.contains("status")
                && (found.contains("client_ip") || found.contains("path") || found.contains("request"));
    }

    /** The word after a number that is its unit, the same on every line: text of the pattern, no column. */
    Optional<String> unitWord(List<String> values, Column column) {
        String word = column.value();
        boolean unit = decimalBefore
                && column.key().isEmpty()
                && UNIT_WORD.matcher(word).matches()
                && values.stream().allMatch(word::equals);
        return unit ? Optional.of(word) : Optional.empty();
    }

    /** Whether the lines say whom the server asked in turn: it stands before another. */
    boolean asksNextHop() {
        return found.contains("upstream_status") || found.contains("upstream_addr");
    }

    /** Seconds with three decimals beside the next hop's answer: of the servers that log both only nginx and its kin write them so. */
    boolean writesAsNginx() {
        return asksNextHop() && secondsAsNginx;
    }

    /**
     * Where a column stands.
     *
     * @param index 0 for the first
     * @param nextWord the next column's value in the first line, empty for the last column
     * @param nextShape as {@link Column#shape}, a blank for the last column
     */
    record Place(int index, Optional<String> nextWord, char nextShape) {
        boolean last() {
            return nextWord.isEmpty();
        }
    }

    Typed type(Column column, List<String> all, Place place) {
        Optional<String> nextWord = place.nextWord();
        List<String> values = all.stream()
                .filter(value -> !value.isEmpty() && !value.equals("-"))
                .toList();
        decimalBefore = !values.isEmpty() && most(values, DECIMAL);
        Optional<Typed> byKey = column.key().isEmpty() ? Optional.empty() : byKey(column, values, nextWord);
        if (!column.key().isEmpty()) {
            return byKey.orElseGet(() -> kept(column.key()));
        }
        if (place.index() == 2 && column.shape() == 'w' && place.nextShape() == '[' && found.contains("client_ip")) {
            return once("user", Value.TEXT, "user").orElseThrow();
        }
        if (values.isEmpty()) {
            boolean referer = column.shape() == '"'
                    && place.nextShape() == '"'
                    && found.contains("bytes")
                    && !found.contains("user_agent");
            return referer ? once("referer", Value.TEXT, "referer").orElseGet(() -> skip("_")) : skip("_");
        }
        return byShape(column, values, nextWord, place.last()).orElseGet(() -> skip("_"));
    }

    /** A quota that the response promised, or a key that no column has. */
    private Typed kept(String key) {
        Optional<String> quota = KnownNames.builtIn().quotaHeader(key);
        String name = quota.orElse(key.toLowerCase(Locale.ROOT));
        return found.add("kept " + name)
                ? new Typed(
                        key,
                        PatternInference.token(
                                name,
                                quota.isPresent() ? Value.RESPONSE_HEADER : Value.OTHER,
                                Optional.empty(),
                                Optional.empty()))
                : skip(key);
    }

    private Optional<Typed> byKey(Column column, List<String> values, Optional<String> nextWord) {
        String meaning = KnownNames.builtIn().key(column.key()).orElse("");
        return switch (meaning) {
            case "" -> Optional.empty();
            case "duration" ->
                most(values, DECIMAL)
                        ? unit(values, nextWord)
                                .flatMap(unit -> once("duration", Value.DURATION, "duration_micros", unit))
                        : Optional.empty();
            case "upstream_duration" ->
                most(values, SECONDS_LIST)
                        ? once("upstream_time", Value.DURATION_LIST, "upstream_micros", Unit.S)
                        : Optional.empty();
            case "address_or_agent" ->
                most(values, ADDRESS_PORT) || lists(values)
                        ? once("upstream_addr", Value.LIST, "upstream_addr")
                        : once("user_agent", Value.TEXT, "user_agent");
            case "upstream_status" ->
                most(values, STATUS_LIST) ? once("upstream_status", Value.LIST, "upstream_status") : Optional.empty();
            case "upstream_addr" -> once("upstream_addr", Value.LIST, "upstream_addr");
            case "client_ip", "peer_ip" -> once(meaning, Value.ADDRESS, meaning);
            case "status" -> most(values, STATUS) ? once("status", Value.STATUS, "status") : Optional.empty();
            case "bytes" -> most(values, WHOLE) ? once("bytes", Value.INTEGER, "bytes") : Optional.empty();
            case "method" -> once("method", Value.METHOD, "method");
            case "path" -> most(values, TARGET) ? once("path", Value.PATH, "path") : Optional.empty();
            case "time" -> stamps(values) ? anotherStamp() : Optional.empty();
            case "request_line" -> most(values, REQUEST) ? request() : Optional.empty();
            default -> once(meaning, Value.TEXT, meaning);
        };
    }

    private Optional<Typed> byShape(Column column, List<String> values, Optional<String> nextWord, boolean last) {
        if (!found.contains("time") && stamps(values)) {
            return stamp();
        }
        boolean after = found.contains("status");
        if (column.shape() == '"') {
            return quoted(values);
        }
        if (most(values, METHOD)) {
            return once("method", Value.METHOD, "method");
        }
        if (!found.contains("path") && most(values, TARGET)) {
            return once("path", Value.PATH, "path");
        }
        if (most(values, PROTOCOL)) {
            return once("protocol", Value.PROTOCOL, "protocol");
        }
        if (!after && (found.contains("path") || found.contains("request")) && most(values, STATUS)) {
            found.add("status");
            return Optional.of(typed("status", Value.STATUS, Optional.of("status"), Optional.empty()));
        }
        if (!after && addresses(values)) {
            return once("client_ip", Value.ADDRESS, "client_ip");
        }
        if (nextWord.filter(word -> UNIT_WORD.matcher(word).matches()).isPresent() && most(values, DECIMAL)) {
            return once("duration", Value.DURATION, "duration_micros", unitOf(nextWord.get()));
        }
        return after ? tail(values, last) : Optional.empty();
    }

    private Optional<Typed> quoted(List<String> values) {
        if (!found.contains("request") && most(values, REQUEST)) {
            return request();
        }
        if (!found.contains("status")) {
            return Optional.empty();
        }
        if (addressLists(values)) {
            return once("forwarded", Value.TEXT, "forwarded");
        }
        if (values.stream().allMatch(value -> value.startsWith("http://") || value.startsWith("https://"))) {
            return once("referer", Value.TEXT, "referer");
        }
        boolean agents = values.stream()
                        .filter(value -> value.contains("/") || value.contains(" "))
                        .count()
                >= values.size() * 0.5;
        return agents ? once("user_agent", Value.TEXT, "user_agent") : Optional.empty();
    }

    // what follows the status
    private Optional<Typed> tail(List<String> values, boolean last) {
        if (most(values, WHOLE)) {
            if (!found.contains("bytes") && found.contains("request") && !found.contains("tail")) {
                found.add("tail");
                return once("bytes", Value.INTEGER, "bytes");
            }
            Optional<Unit> unit = last ? server.flatMap(Format::unit) : Optional.empty();
            if (unit.isPresent()) {
                return once("duration", Value.DURATION, "duration_micros", unit.get());
            }
            if (found.contains("duration") && most(values, STATUS)) {
                return once("upstream_status", Value.LIST, "upstream_status");
            }
            return namedMicros(values);
        }
        found.add("tail");
        if (most(values, THREE_DECIMALS) && seconds(values)) {
            secondsAsNginx = true;
            return found.contains("duration")
                    ? once("upstream_time", Value.DURATION_LIST, "upstream_micros", Unit.S)
                    : once("duration", Value.DURATION, "duration_micros", Unit.S);
        }
        if (found.contains("duration") && most(values, STATUS_LIST)) {
            return once("upstream_status", Value.LIST, "upstream_status");
        }
        if (most(values, ADDRESS_PORT) || lists(values)) {
            return once("upstream_addr", Value.LIST, "upstream_addr");
        }
        if (most(values, AGENT)) {
            return once("user_agent", Value.TEXT, "user_agent");
        }
        if (distinct(values) && most(values, ID)) {
            return once("request_id", Value.TEXT, "request_id");
        }
        return Optional.empty();
    }

    /** Apache's %D is the whole number that people add: microseconds. Seconds (%T) would be small, sizes would repeat. */
    private Optional<Typed> namedMicros(List<String> values) {
        boolean apache = server.filter(f -> f.id().equals("apache")).isPresent();
        long[] sorted = values.stream().mapToLong(Long::parseLong).sorted().toArray();
        boolean fine = sorted[sorted.length / 2] >= 100 && new HashSet<>(values).size() * 2 > values.size();
        return apache && fine && found.contains("user_agent")
                ? once("duration", Value.DURATION, "duration_micros", Unit.US)
                : Optional.empty();
    }

    private Optional<Typed> stamp() {
        if (!found.add("time")) {
            return Optional.empty();
        }
        return Optional.of(typed("time", Value.STAMP, Optional.empty(), Optional.empty()));
    }

    /** A second stamp under a key of its own ({@code msec=1796067602.118}): the finer one counts. */
    private Optional<Typed> anotherStamp() {
        return found.add("time") || found.add("another time")
                ? Optional.of(typed("time", Value.STAMP, Optional.empty(), Optional.empty()))
                : Optional.empty();
    }

    private Optional<Typed> request() {
        if (!found.add("request")) {
            return Optional.empty();
        }
        return Optional.of(typed("request", Value.REQUEST_LINE, Optional.empty(), Optional.empty()));
    }

    private Optional<Typed> once(String name, Value value, String field) {
        return found.add(name)
                ? Optional.of(typed(name, value, Optional.of(field), Optional.empty()))
                : Optional.empty();
    }

    private Optional<Typed> once(String name, Value value, String field, Unit unit) {
        return found.add(name)
                ? Optional.of(typed(name, value, Optional.of(field), Optional.of(unit)))
                : Optional.empty();
    }

    private static Typed typed(String name, Value value, Optional<String> field, Optional<Unit> unit) {
        return new Typed(name, PatternInference.token(name, value, field, unit));
    }

    private static Typed skip(String name) {
        return typed(name, Value.SKIP, Optional.empty(), Optional.empty());
    }

    private boolean stamps(List<String> values) {
        long good = values.stream()
                .filter(value -> {
                    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
                    return bytes.length >= 10 && stamps.read(bytes, 0, bytes.length);
                })
                .count();
        return !values.isEmpty() && good >= values.size() * MOST;
    }

    private static boolean most(List<String> values, Pattern pattern) {
        return !values.isEmpty()
                && values.stream()
                                .filter(value -> pattern.matcher(value).matches())
                                .count()
                        >= values.size() * MOST;
    }

    private static boolean isAddress(String value) {
        String bare = value.startsWith("::ffff:") ? value.substring(7) : value;
        return IPV4.matcher(bare).matches() || (IPV6.matcher(bare).matches() && bare.length() > 2);
    }

    private static boolean addresses(List<String> values) {
        long good = values.stream()
                .filter(value -> isAddress(value) || isAddress(withoutPort(value)))
                .count();
        return good >= values.size() * MOST;
    }

    private static String withoutPort(String value) {
        return ADDRESS_PORT.matcher(value).matches() ? value.substring(0, value.lastIndexOf(':')) : value;
    }

    private static boolean addressLists(List<String> values) {
        long good = values.stream()
                .filter(value -> {
                    for (String one : value.split(",", -1)) {
                        if (!isAddress(one.strip())) {
                            return false;
                        }
                    }
                    return true;
                })
                .count();
        return good >= values.size() * 0.8; // anyone can send anything in X-Forwarded-For
    }

    // 127.0.0.1:80, 127.0.0.1:81
    private static boolean lists(List<String> values) {
        long good = values.stream()
                .filter(value -> {
                    for (String one : value.split(", | : ", -1)) {
                        if (!ADDRESS_PORT.matcher(one).matches() && !one.equals("-")) {
                            return false;
                        }
                    }
                    return true;
                })
                .count();
        return !values.isEmpty() && good >= values.size() * MOST;
    }

    private static boolean distinct(List<String> values) {
        return new HashSet<>(values).size() >= values.size() * MOST;
    }

    private boolean seconds(List<String> values) {
        boolean millis = server.filter(f -> f.id().equals("morgan")).isPresent();
        double[] sorted =
                values.stream().mapToDouble(Double::parseDouble).sorted().toArray();
        return !millis && sorted[sorted.length / 2] <= LONGEST_REQUEST_SECONDS;
    }

    /** Unit of a number under a key such as rt: what follows it, else seconds where it is written as nginx writes them. */
    private Optional<Unit> unit(List<String> values, Optional<String> nextWord) {
        Optional<String> word = nextWord.filter(w -> UNIT_WORD.matcher(w).matches());
        if (word.isPresent()) {
            return Optional.of(unitOf(word.get()));
        }
        boolean asNginx = most(values, THREE_DECIMALS) && seconds(values);
        secondsAsNginx |= asNginx;
        return asNginx ? Optional.of(Unit.S) : Optional.empty();
    }

    private static Unit unitOf(String word) {
        return switch (word) {
            case "ms" -> Unit.MS;
            case "us", "µs" -> Unit.US;
            case "ns" -> Unit.NS;
            default -> Unit.S;
        };
    }
}
