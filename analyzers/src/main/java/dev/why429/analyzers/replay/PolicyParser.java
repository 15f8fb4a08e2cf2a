package dev.why429.analyzers.replay;

import dev.why429.analyzers.InputProblem;
import dev.why429.analyzers.replay.Policy.PolicyCosts;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads one policy by hand, since every problem shall name its value, its position and what was expected. */
final class PolicyParser {
    private static final Map<String, Long> UNIT_MICROS = Map.of(
            "ms",
            1000L,
            "s",
            1_000_000L,
            "m",
            60_000_000L,
            "min",
            60_000_000L,
            "h",
            3_600_000_000L,
            "d",
            86_400_000_000L);

    /** What a limiter takes besides key and costs; those in brackets may be left out. */
    private static final Map<String, Set<String>> OPTIONS = options();

    private final String text;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Option> options = new LinkedHashMap<>();

    /** @param at position of the value, 1 being the first character of the policy */
    private record Option(String name, String value, int at) {}

    /** Whole requests in whole microseconds. */
    private record Rate(BigInteger requests, BigInteger micros) {}

    PolicyParser(String text) {
        this.text = text;
    }

    private static Map<String, Set<String>> options() {
        Map<String, Set<String>> options = new LinkedHashMap<>();
        for (String bucket : List.of("token-bucket", "gcra", "leaky-bucket")) {
            options.put(bucket, Set.of("rate", "burst"));
        }
        options.put("fixed-window", Set.of("limit", "window", "align"));
        options.put("sliding-log", Set.of("limit", "window"));
        options.put("sliding-counter", Set.of("limit", "window"));
        options.put("leaky-queue", Set.of("rate", "queue", "max-wait"));
        options.put("concurrency", Set.of("limit"));
        return options;
    }

    Policy parse() {
        if (text.indexOf('&') >= 0) {
            return layered();
        }
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        Set<String> known = OPTIONS.get(name);
        if (known == null) {
            problem(
                    name,
                    1,
                    "is no limiter that can be replayed; expected " + list(OPTIONS.keySet())
                            + ", as in token-bucket:rate=20/s,burst=40,key=api_key");
            throw failure();
        }
        if (colon >= 0) {
            readOptions(colon + 1);
        }
        checkNames(known);
        PolicyKey key =
                options.containsKey("key") ? key(options.get("key")) : new PolicyKey(List.of(List.of("client_ip")));
        PolicyCosts costs = costs();
        Optional<long[]> parameters = parameters(name);
        String limiter = name.equals("fixed-window") && firstRequest() ? "fixed-window-first" : name;
        if (problems.isEmpty() && parameters.isPresent()) {
            try {
                Limiter unused = ReferenceLimiters.twin(limiter, parameters.get());
                return new Policy(text, limiter, parameters.get(), List.of(key), costs);
            } catch (LimiterProblem e) {
                problems.add("the policy \"" + text + "\" is out of range: " + e.getMessage());
            }
        }
        throw failure();
    }

    /** Several token buckets joined by {@code &}: a request passes all of them or is charged to none. */
    private Policy layered() {
        List<PolicyKey> keys = new ArrayList<>();
        List<Long> parameters = new ArrayList<>();
        PolicyCosts costs = new PolicyCosts(Map.of(), 1);
        for (String part : text.split("&", -1)) {
            try {
                Policy one = new PolicyParser(part.strip()).parse();
                if (!one.limiter().equals("token-bucket")) {
                    problems.add("\"" + part.strip()
                            + "\" is no token-bucket; several limits at once, joined by &, are token buckets");
                }
                keys.add(one.key());
                Arrays.stream(one.parameters()).forEach(parameters::add);
                costs = one.costs().byPath().isEmpty() && one.costs().otherwise() == 1 ? costs : one.costs();
            } catch (InputProblem e) {
                problems.addAll(e.problems());
            }
        }
        if (keys.size() > 16) {
            problems.add("the policy \"" + text + "\" has " + keys.size() + " limits; up to 16 can be joined by &");
        }
        if (!problems.isEmpty()) {
            throw failure();
        }
        return new Policy(
                text, "layered", parameters.stream().mapToLong(Long::longValue).toArray(), keys, costs);
    }

    private void readOptions(int from) {
        int at = from;
        while (at <= text.length()) {
            int comma = text.indexOf(',', at);
            int end = comma < 0 ? text.length() : comma;
            readOption(text.substring(at, end), at + 1);
            if (comma < 0) {
                return;
            }
            at = comma + 1;
        }
    }

    private void readOption(String part, int at) {
        int equals = part.indexOf('=');
        if (equals <= 0 || equals == part.length() - 1) {
            problem(part, at, "is no option; expected name=value");
            return;
        }
        String name = part.substring(0, equals).strip();
        Option option = new Option(name, part.substring(equals + 1).strip(), at + equals + 1);
        if (options.putIfAbsent(name, option) != null) {
            problem(name, at, "is given twice");
        }
    }

    private void checkNames(Set<String> known) {
        for (Option option : options.values()) {
            String name = option.name();
            if (!known.contains(name) && !name.equals("key") && !name.equals("cost") && !name.startsWith("cost.")) {
                problem(
                        name,
                        option.at() - name.length() - 1,
                        "is no option of this limiter; expected " + list(new TreeSet<>(known))
                                + ", key, cost or cost./path");
            }
        }
    }

    private Optional<long[]> parameters(String name) {
        if (name.equals("leaky-queue")) {
            return queue();
        }
        if (name.equals("concurrency")) {
            // without a logged duration a request is over at once
            return required("limit", "10").flatMap(o -> whole(o, 1)).map(limit -> new long[] {limit, 1});
        }
        if (OPTIONS.get(name).contains("rate")) {
            Optional<Rate> rate = required("rate", "20/s").flatMap(this::rate);
            Optional<Long> burst = name.equals("leaky-bucket") && !options.containsKey("burst")
                    ? Optional.of(0L)
                    : required("burst", "40").flatMap(o -> whole(o, name.equals("leaky-bucket") ? 0 : 1));
            if (rate.isEmpty() || burst.isEmpty()) {
                return Optional.empty();
            }
            return name.equals("leaky-bucket") ? milli(rate.get(), burst.get()) : fraction(rate.get(), burst.get());
        }
        Optional<Long> limit = required("limit", "100").flatMap(o -> whole(o, 1));
        Optional<Long> window = required("window", "60s").flatMap(this::duration);
        if (limit.isEmpty() || window.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new long[] {limit.get(), window.get()});
    }

    /** How long the queue is, in requests or in time; a part of a microsecond is given to who waits. */
    private Optional<long[]> queue() {
        Optional<long[]> rate = required("rate", "10/s").flatMap(this::rate).flatMap(r -> fraction(r, 1));
        Option places = options.get("queue");
        Option wait = options.get("max-wait");
        if ((places == null) == (wait == null)) {
            problems.add("the policy \"" + text + "\" needs either queue=20 or max-wait=2s");
            return Optional.empty();
        }
        Optional<Long> count = places == null ? Optional.of(0L) : whole(places, 0);
        Optional<Long> most = wait == null ? Optional.of(0L) : duration(wait);
        if (rate.isEmpty() || count.isEmpty() || most.isEmpty()) {
            return Optional.empty();
        }
        long requests = rate.get()[1];
        long period = rate.get()[2];
        if (count.get() > (Exact.LATEST - requests) / period) {
            problem(places.value(), places.at(), "is too long a queue at this rate; expected less");
            return Optional.empty();
        }
        long maxWait = places == null ? most.get() : Exact.up(count.get() * period, requests);
        return Optional.of(new long[] {maxWait, requests, period});
    }

    private Optional<long[]> fraction(Rate rate, long burst) {
        BigInteger common = rate.requests().gcd(rate.micros());
        BigInteger requests = rate.requests().divide(common);
        BigInteger micros = rate.micros().divide(common);
        if (requests.bitLength() > 52 || micros.bitLength() > 52) {
            Option option = options.get("rate");
            problem(
                    option.value(),
                    option.at(),
                    "has too many digits to be counted exactly; expected a rate such as 20/s");
            return Optional.empty();
        }
        return Optional.of(new long[] {burst, requests.longValueExact(), micros.longValueExact()});
    }

    private Optional<long[]> milli(Rate rate, long burst) {
        BigInteger milli =
                rate.requests().multiply(BigInteger.valueOf(1_000_000_000L)).divide(rate.micros());
        if (milli.signum() <= 0 || milli.bitLength() > 40) {
            Option option = options.get("rate");
            problem(
                    option.value(),
                    option.at(),
                    "is no rate that nginx's arithmetic can hold; expected at least 0.001/s");
            return Optional.empty();
        }
        return Optional.of(new long[] {burst, milli.longValueExact()});
    }

    private boolean firstRequest() {
        Option align = options.get("align");
        if (align == null || align.value().equals("clock")) {
            return false;
        }
        if (!align.value().equals("first")) {
            problem(align.value(), align.at(), "is no alignment; expected clock or first");
        }
        return true;
    }

    private Optional<Option> required(String name, String example) {
        Option option = options.get(name);
        if (option == null) {
            problems.add("the policy \"" + text + "\" has no " + name + "; expected " + name + "=" + example);
        }
        return Optional.ofNullable(option);
    }

    private Optional<Long> whole(Option option, long least) {
        String value = option.value();
        if (!value.isEmpty() && value.length() <= 15 && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            long number = Long.parseLong(value);
            if (number >= least) {
                return Optional.of(number);
            }
        }
        problem(value, option.at(), "is no " + option.name() + "; expected a whole number from " + least);
        return Optional.empty();
    }

    private Optional<Long> duration(Option option) {
        Optional<Long> micros = micros(option.value(), false);
        if (micros.isEmpty()) {
            problem(option.value(), option.at(), "is no duration; expected a number and ms, s, m, h or d, such as 60s");
        }
        return micros;
    }

    /** {@code 60s}; where allowed also {@code s} alone, for one of it. */
    static Optional<Long> micros(String value, boolean unitAlone) {
        int digits = 0;
        while (digits < value.length() && value.charAt(digits) >= '0' && value.charAt(digits) <= '9') {
            digits++;
        }
        Long unit = UNIT_MICROS.get(value.substring(digits));
        if (unit == null || digits > 12 || (digits == 0 && !unitAlone)) {
            return Optional.empty();
        }
        long count = digits == 0 ? 1 : Long.parseLong(value.substring(0, digits));
        return count == 0 || count > (1L << 51) / unit ? Optional.empty() : Optional.of(count * unit);
    }

    /** @throws IllegalArgumentException when the text is no rate such as 50/s */
    static double requestsPerMicro(String text) {
        PolicyParser parser = new PolicyParser(text);
        return parser.rate(new Option("rate", text, 1))
                .map(rate -> rate.requests().doubleValue() / rate.micros().doubleValue())
                .orElseThrow(() -> new IllegalArgumentException(text));
    }

    private Optional<Rate> rate(Option option) {
        String value = option.value();
        int slash = value.indexOf('/');
        Optional<Long> period = slash < 0 ? Optional.empty() : micros(value.substring(slash + 1), true);
        String amount = slash < 0 ? "" : value.substring(0, slash);
        int point = amount.indexOf('.');
        String digits = point < 0 ? amount : amount.substring(0, point) + amount.substring(point + 1);
        int decimals = point < 0 ? 0 : amount.length() - point - 1;
        boolean number = !digits.isEmpty()
                && digits.length() <= 15
                && (point < 0 || (point > 0 && decimals > 0))
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && Long.parseLong(digits) > 0;
        if (!number || period.isEmpty()) {
            problem(value, option.at(), "is no rate; expected a number per time, such as 20/s, 100/m, 0.5/s or 5/10s");
            return Optional.empty();
        }
        return Optional.of(new Rate(
                new BigInteger(digits), BigInteger.valueOf(period.get()).multiply(BigInteger.TEN.pow(decimals))));
    }

    private PolicyKey key(Option option) {
        if (option.value().equals("global")) {
            return new PolicyKey(List.of());
        }
        List<List<String>> parts = new ArrayList<>();
        int at = option.at();
        for (String part : option.value().split("\\+", -1)) {
            List<String> chain = new ArrayList<>();
            for (String field : part.split("\\|", -1)) {
                if (!PolicyKey.FIELDS.contains(field)) {
                    problem(
                            field,
                            at,
                            "is no field to count by; expected " + String.join(", ", PolicyKey.FIELDS)
                                    + " (joined by +, alternatives by |) or global alone");
                }
                chain.add(field);
                at += field.length() + 1;
            }
            parts.add(chain);
        }
        return new PolicyKey(parts);
    }

    private PolicyCosts costs() {
        Map<String, Long> byPath = new HashMap<>();
        long otherwise = 1;
        for (Option option : options.values()) {
            if (option.name().equals("cost")) {
                otherwise = whole(option, 1).orElse(1L);
            } else if (option.name().startsWith("cost.")) {
                String path = option.name().substring("cost.".length());
                if (!path.startsWith("/")) {
                    problem(path, option.at() - path.length() - 1, "is no path; expected cost./path=5");
                }
                String trimmed = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
                byPath.put(trimmed, whole(option, 1).orElse(1L));
            }
        }
        return new PolicyCosts(byPath, otherwise);
    }

    private void problem(String value, int at, String expected) {
        problems.add("\"" + value + "\" at " + at + " of the policy \"" + text + "\" " + expected);
    }

    private InputProblem failure() {
        return new InputProblem(InputProblem.Kind.USAGE, problems);
    }

    private static String list(java.util.Collection<String> words) {
        return words.stream().collect(Collectors.joining(", "));
    }
}
