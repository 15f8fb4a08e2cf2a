package dev.why429.analyzers.figure;

import dev.why429.analyzers.casefile.Case;
import dev.why429.analyzers.casefile.Figures;
import dev.why429.analyzers.store.CaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which keys several clients share, and who of these was denied for what the others did. */
final class KeySharing {
    private static final int MOST_KEYS = 8;

    private KeySharing() {}

    static List<Figures.Sharing> of(CaseStore store, List<Case.Limiter> limiters) {
        List<Figures.Sharing> all = new ArrayList<>();
        for (Case.Limiter limiter : limiters) {
            double most = limiter.limit()
                    .or(limiter::burst)
                    .flatMap(interval -> interval.high().or(interval::low))
                    .orElse(0.0);
            double within = Levels.windowSeconds(limiter);
            all.addAll(shared(store, limiter, most, within));
        }
        return all;
    }

    /** @param most requests that one key may send within so many seconds; 0: not known, nobody is called innocent */
    private static List<Figures.Sharing> shared(CaseStore store, Case.Limiter limiter, double most, double within) {
        String sql = """
                WITH worst AS (
                    SELECT key FROM decisions WHERE limiter = ? GROUP BY key HAVING count(*) FILTER (NOT admitted) > 0
                    ORDER BY count(*) FILTER (NOT admitted) DESC, key LIMIT ?),
                one AS (
                    SELECT d.key, d.node, d.at_us, d.admitted, e.api_key, e."user", e.client_ip, e.user_agent,
                           -- a line that does not name its user agent tells nothing about clients behind one address
                           CASE WHEN coalesce(e.api_key, e."user") IS NOT NULL
                                THEN coalesce(e.api_key, e."user") || ' ' || coalesce(e.client_ip, '')
                                ELSE e.client_ip || ' ' || e.user_agent END AS client
                    FROM decisions d JOIN exchanges e ON e.exchange = d.exchange WHERE d.limiter = ? AND d.key IN (SELECT key FROM worst)),
                counted AS (
                    SELECT *, count(*) OVER (PARTITION BY key, client ORDER BY at_us RANGE BETWEEN %d PRECEDING AND CURRENT ROW) AS own
                    FROM one),
                clients AS (
                    SELECT key, client, count(*) AS requests, count(*) FILTER (NOT admitted) AS denials, max(own) AS peak
                    FROM counted WHERE client IS NOT NULL GROUP BY key, client),
                names AS (
                    SELECT key, count(DISTINCT api_key) AS api_keys, count(DISTINCT "user") AS users, count(DISTINCT client_ip) AS addresses,
                           count(DISTINCT user_agent) AS user_agents
                    FROM one GROUP BY key)
                SELECT c.key, count(*) AS clients, sum(requests)::BIGINT AS requests, sum(denials)::BIGINT AS denials,
                       count(*) FILTER (denials > 0 AND peak <= ?) AS innocent,
                       coalesce(sum(denials) FILTER (denials > 0 AND peak <= ?), 0)::BIGINT AS innocent_denials,
                       any_value(n.api_keys) AS api_keys, any_value(n.users) AS users, any_value(n.addresses) AS addresses,
                       any_value(n.user_agents) AS user_agents
                FROM clients c JOIN names n ON n.key = c.key GROUP BY c.key HAVING count(*) > 1 ORDER BY denials DESC, c.key
                """.formatted(Math.max(1, Math.round(within * 1e6)));
        return store.query(
                sql,
                row -> new Figures.Sharing(
                        limiter.id(),
                        row.text("key"),
                        row.integer("clients"),
                        distinct(row),
                        row.integer("requests"),
                        row.integer("denials"),
                        row.integer("innocent"),
                        row.integer("innocent_denials")),
                limiter.id(),
                MOST_KEYS,
                limiter.id(),
                most,
                most);
    }

    private static Map<String, Long> distinct(CaseStore.Row row) {
        Map<String, Long> distinct = new TreeMap<>();
        for (String name : List.of("api_keys", "users", "addresses", "user_agents")) {
            if (row.integer(name) > 0) {
                distinct.put(name, row.integer(name));
            }
        }
        return distinct;
    }
}
