package dev.why429.analyzers.attribute;

import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Denials that look alike: judged once, however many they are.
 *
 * @param hits numbers of the markers that the lines hit
 * @param bytes size of the answer, as text; empty where sizes vary too much to say anything
 * @param storeFailure they fell into a spell in which the limiter's store failed, and how that is known
 * @param ownQuotaLeft their own quota headers show requests left, and unlike other denials of that layer they do not say how long to wait
 * @param quotaLeft their own quota headers show requests left
 * @param count how many a client saw
 * @param hidden how many no client saw
 * @param evidence the first few lines
 */
record Signature(
        long id,
        int file,
        String layer,
        int depth,
        Role role,
        List<Integer> hits,
        String bytes,
        Optional<StoreFailures.How> storeFailure,
        boolean ownQuotaLeft,
        boolean quotaLeft,
        long count,
        long hidden,
        List<String> evidence) {
    private static final int MANY_SIZES = 40;

    /** Where a log shows what the answer said. */
    static final List<String> TEXTS = List.of("response_body", "logged_message", "other_fields");

    /** Groups {@code trails} by what they show; fills the temporary table {@code signed(exchange, seen, file, line, signature)}. */
    static List<Signature> group(CaseStore store, MarkerSql markers) {
        List<String> headers = headers(store, markers.headerNames());
        List<String> texts = TEXTS.stream()
                .filter(column -> store.query(
                                "SELECT count(" + column + ") AS n FROM trails", row -> row.integer("n") > 0)
                        .get(0))
                .toList();
        String paths = headers.stream().map(name -> "'$.\"" + name + "\"'").collect(Collectors.joining(","));
        store.execute("""
                CREATE TEMP TABLE sized AS SELECT file FROM trails GROUP BY file HAVING approx_count_distinct(bytes) <= %d""".formatted(MANY_SIZES));
        store.execute("""
                CREATE TEMP TABLE shown AS
                SELECT t.exchange, t.seen, t.file, t.line, t.layer, t.depth, t.role, t.moment,
                       CASE WHEN t.file IN (SELECT file FROM sized) THEN coalesce(t.bytes::VARCHAR, '') ELSE '' END AS size,
                       %s AS hits, coalesce(f.how, '') AS failed,
                       regexp_matches(coalesce(t.response_headers, ''), %s) AS draft_left,
                       regexp_matches(coalesce(t.response_headers, ''), '"x-ratelimit-remaining":\\s*"?[1-9]') AS x_left,
                       contains(coalesce(t.response_headers, ''), '"retry-after"') AS waits
                FROM (SELECT *, %s AS h FROM trails) t
                LEFT JOIN store_failures f ON f.file = t.file AND f.line = t.line""".formatted(
                        markers.hits("t", headers, texts),
                        MarkerSql.quoted("\"ratelimit\":\\s*\"(limit=\\d+, ?remaining=[1-9]|[^;]*; ?r=[1-9])"
                                + "|\"ratelimit-remaining\":\\s*\"?[1-9]"),
                        headers.isEmpty()
                                ? "[]::VARCHAR[]"
                                : "json_extract_string(CASE WHEN json_valid(response_headers) THEN response_headers END, ["
                                        + paths + "])"));
        store.execute("""
                CREATE TEMP TABLE signed AS
                SELECT s.*, (draft_left OR x_left) AND NOT waits AND s.depth IN (SELECT depth FROM shown WHERE waits) AS own_left,
                       hash(file, role, hits, size, failed, draft_left, x_left, waits)::VARCHAR AS signature
                FROM shown s""");
        for (String table : List.of("shown", "sized")) {
            store.execute("DROP TABLE " + table);
        }
        List<Signature> found = new ArrayList<>();
        store.forEach(
                """
                SELECT signature, any_value(file) AS file, any_value(layer) AS layer, any_value(depth) AS depth, any_value(role) AS role,
                       array_to_string(any_value(hits), ',') AS hits, any_value(size) AS size, any_value(failed) AS failed, any_value(own_left) AS own_left,
                       any_value(draft_left AND NOT waits) AS draft_left,
                       count(*) FILTER (WHERE seen) AS n, count(*) FILTER (WHERE NOT seen) AS hidden,
                       array_to_string(arg_min('F' || file || ':' || line, moment, 3), ',') AS evidence
                FROM signed GROUP BY signature ORDER BY n DESC, hidden DESC, min(moment), signature""",
                row -> found.add(new Signature(
                        Long.parseUnsignedLong(row.text("signature")),
                        (int) row.integer("file"),
                        row.text("layer"),
                        (int) row.integer("depth"),
                        Role.valueOf(row.text("role")),
                        numbers(row.text("hits")),
                        row.text("size"),
                        Optional.of(row.text("failed"))
                                .filter(how -> !how.isEmpty())
                                .map(StoreFailures.How::valueOf),
                        row.bool("own_left"),
                        row.bool("draft_left"),
                        row.integer("n"),
                        row.integer("hidden"),
                        texts(row.text("evidence")))));
        return found;
    }

    /** Which of the headers that markers ask for occur at all. */
    private static List<String> headers(CaseStore store, Set<String> wanted) {
        return store
                .query(
                        "SELECT DISTINCT unnest(json_keys(response_headers)) AS name FROM trails"
                                + " WHERE json_valid(response_headers) AND json_type(response_headers) = 'OBJECT' ORDER BY name",
                        row -> row.text("name"))
                .stream()
                .filter(wanted::contains)
                .toList();
    }

    private static List<String> texts(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(",", -1));
    }

    private static List<Integer> numbers(String list) {
        return texts(list).stream().map(Integer::valueOf).toList();
    }
}
