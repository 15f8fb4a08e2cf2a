package dev.why429.analyzers.detect;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Case.Interval;
import dev.why429.analyzers.store.CaseStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The case's tables, and beside them the temporary ones that detectors ask again and again. Beyond the tables of the earlier stages there are:
 *
 * <ul>
 *   <li>{@code seen}: one row per client request, with who asked ({@code who}, a number that stands for the finest identity the log shows), its
 *       place in the order of the log ({@code stamp_us}, {@code outer_line}), the answer, and who denied it
 *   <li>{@code decisions}: one row per decision of a limiter: limiter, key, node, {@code at_us}, {@code end_us}, admitted, file, line
 *   <li>{@code found_limiters}, {@code promises}: limiters and declared limits as rows
 *   <li>{@code clock_pairs}: lines of one request in two layers, by an id that both log
 *   <li>{@code denial_responses}: denied responses of which headers are known, from log lines and captures
 *   <li>{@code answers}, {@code keyed}, {@code notes}: see {@link AnswerTables}
 * </ul>
 */
final class Scene {
    private final DetectionInput input;
    private final long denials;
    private List<NodeClock> clocks = List.of();
    private boolean clocksAsked;

    Scene(DetectionInput input) {
        this.input = input;
        // a limiter of an earlier run on the same connection must not speak here
        for (String table :
                List.of("seen", "decisions", "found_limiters", "promises", "denial_responses", "clock_pairs")) {
            store().execute("DROP TABLE IF EXISTS temp." + table);
        }
        store().execute(SEEN);
        limiters();
        AnswerTables.fill(store());
        promises();
        store().execute(DENIAL_RESPONSES);
        store().execute(ClockPairs.SHARED_IDS);
        denials = store().query("SELECT count(*) AS n FROM seen WHERE denied", row -> row.integer("n"))
                .get(0);
    }

    CaseStore store() {
        return input.store();
    }

    /** Denied requests that the client saw. */
    long denials() {
        return denials;
    }

    /** The clocks of all nodes that share requests with an outer node. */
    List<NodeClock> clocks() {
        if (!clocksAsked) {
            clocks = NodeClock.of(store());
            clocksAsked = true;
        }
        return clocks;
    }

    private static final String SEEN = """
            CREATE TEMP TABLE seen AS
            SELECT e.exchange, e.arrived_at AS moment, epoch_us(e.arrived_at) AS at_us,
                   coalesce(epoch_us(r.logged_at), epoch_us(e.arrived_at)) AS stamp_us,
                   e.status, coalesce(a.visible AND a.reason <> 'not_a_limit', false) AS denied, a.exchange IS NOT NULL AND NOT a.visible AS hidden,
                   a.layer AS denied_by, a.reason, a.component, a.class,
                   coalesce(a.file, e.outer_file) AS file, coalesce(a.line, e.outer_line) AS line, e.outer_file, e.outer_line,
                   e.client_ip, e.peer_ip, e.forwarded, e.api_key, e."user", e.user_agent, e.method, e.path,
                   coalesce(i.time_resolution_seconds, 1) AS resolution_seconds, i.layer AS outer_layer,
                   hash(coalesce(e.api_key, ''), coalesce(e."user", ''), coalesce(e.client_ip, ''), coalesce(e.user_agent, '')) AS who
            FROM exchanges e
            LEFT JOIN inputs i ON i.file = e.outer_file
            LEFT JOIN requests r ON r.file = e.outer_file AND r.line = e.outer_line
            LEFT JOIN (SELECT exchange, any_value(visible) AS visible, any_value(layer) AS layer, any_value(component) AS component,
                              any_value(reason) AS reason, any_value(class) AS class, any_value(file) AS file, any_value(line) AS line
                       FROM attributions GROUP BY exchange) a ON a.exchange = e.exchange
            """;

    private static final String DENIAL_RESPONSES = """
            CREATE TEMP TABLE denial_responses AS
            SELECT 'F' || r.file || ':' || r.line AS id, a.layer, a.component, lower(r.response_headers) AS headers, r.logged_at AS moment
            FROM attributions a JOIN requests r ON r.file = a.file AND r.line = a.line
            WHERE r.response_headers IS NOT NULL AND r.response_headers NOT IN ('', '{}')
            UNION ALL
            SELECT 'C' || capture, '', '', lower(response_headers), captured_at
            FROM captures WHERE status IN (SELECT DISTINCT status FROM seen WHERE denied) AND response_headers IS NOT NULL
            """;

    private void promises() {
        store().execute(
                        "CREATE TEMP TABLE promises(text VARCHAR, count DOUBLE, per_seconds DOUBLE, \"by\" VARCHAR, source VARCHAR)");
        input.declared().forEach(text -> Promise.read(text).ifPresent(promise -> add(promise, "--declared")));
        store().query("SELECT id, text FROM notes ORDER BY file, line", row ->
                        new String[] {row.text("id"), row.text("text")})
                .forEach(note -> Promise.within(note[1]).forEach(promise -> add(promise, note[0])));
    }

    private void add(Promise promise, String source) {
        store().execute(
                        "INSERT INTO promises VALUES (?, ?, ?, ?, ?)",
                        promise.text(),
                        promise.count(),
                        promise.perSeconds(),
                        promise.by(),
                        source);
    }

    private void limiters() {
        store().execute("""
                CREATE TEMP TABLE found_limiters(limiter VARCHAR, layer VARCHAR, component VARCHAR, algorithm VARCHAR, key VARCHAR,
                    keys VARCHAR, scope VARCHAR, nodes INTEGER, limit_low DOUBLE, limit_high DOUBLE, window_seconds DOUBLE,
                    rate_per_second DOUBLE, burst DOUBLE, alignment VARCHAR, denied_count BOOLEAN, effective_limit DOUBLE,
                    cost VARCHAR, agreement DOUBLE, from_at TIMESTAMP, to_at TIMESTAMP)""");
        store().execute("""
                CREATE TEMP TABLE decisions(limiter VARCHAR, exchange BIGINT, key VARCHAR, node VARCHAR, at_us BIGINT, end_us BIGINT,
                    admitted BOOLEAN, file INTEGER, line BIGINT)""");
        for (Case.Limiter limiter : input.limiters()) {
            store().execute(
                            "INSERT INTO found_limiters VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                            limiter.id(),
                            limiter.layer(),
                            limiter.component(),
                            limiter.algorithm(),
                            String.join(",", limiter.key()),
                            keys(limiter),
                            limiter.scope(),
                            limiter.nodes().orElse(null),
                            low(limiter.limit()),
                            high(limiter.limit()),
                            middle(limiter.windowSeconds()),
                            middle(limiter.ratePerSecond()),
                            middle(limiter.burst()),
                            limiter.alignment(),
                            limiter.deniedCount().orElse(null),
                            limiter.effectiveLimit().orElse(null),
                            limiter.cost().map(Scene::costs).orElse(null),
                            limiter.agreement(),
                            limiter.from(),
                            limiter.to());
            Decisions.fill(store(), limiter);
        }
    }

    /** Every grouping that the log cannot tell from this limiter's, {@code ;} between, each with {@code ,} before and after its fields. */
    private static String keys(Case.Limiter limiter) {
        StringBuilder keys = new StringBuilder(";," + String.join(",", limiter.key()) + ",;");
        limiter.equivalentKeys()
                .forEach(key -> keys.append(";,").append(String.join(",", key)).append(",;"));
        return keys.toString();
    }

    private static String costs(Map<String, Double> costs) {
        return costs.entrySet().stream()
                .map(cost -> cost.getKey() + "=" + cost.getValue())
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static Double low(Optional<Interval> value) {
        return value.flatMap(Interval::low)
                .or(() -> value.flatMap(Interval::high))
                .orElse(null);
    }

    private static Double high(Optional<Interval> value) {
        return value.flatMap(Interval::high)
                .or(() -> value.flatMap(Interval::low))
                .orElse(null);
    }

    private static Double middle(Optional<Interval> value) {
        return value.isEmpty() || low(value) == null ? null : (Double) ((low(value) + high(value)) / 2);
    }
}
