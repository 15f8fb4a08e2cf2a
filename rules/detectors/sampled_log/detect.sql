-- Requests that the one layer logged and the other must have seen: they bear an id that both log.
WITH ids AS (SELECT DISTINCT i.layer, r.request_id AS id, r.logged_at AS moment, r.file, r.line, r.status, r.upstream_status
             FROM requests r JOIN inputs i ON i.file = r.file WHERE r.request_id IS NOT NULL AND r.request_id <> '' AND i.layer IN ('gateway', 'app')),
kept AS (SELECT i.layer, any_value(i.path) AS path, min(i.file) AS file FROM inputs i WHERE i.requests > 0 OR EXISTS (SELECT 1 FROM requests r WHERE r.file = i.file) GROUP BY i.layer),
expected AS (
    SELECT a.id, min(a.moment) AS moment, 'gateway' AS layer, min('F' || a.file || ':' || a.line) AS evidence, bool_or(g.id IS NOT NULL) AS there
    FROM ids a LEFT JOIN (SELECT DISTINCT id FROM ids WHERE layer = 'gateway') g ON g.id = a.id WHERE a.layer = 'app' GROUP BY a.id
    UNION ALL
    SELECT g.id, min(g.moment), 'app', min('F' || g.file || ':' || g.line), bool_or(a.id IS NOT NULL)
    FROM ids g LEFT JOIN (SELECT DISTINCT id FROM ids WHERE layer = 'app') a ON a.id = g.id
    WHERE g.layer = 'gateway' AND g.upstream_status IS NOT NULL AND regexp_matches(g.upstream_status, '^[23][0-9][0-9]$')
      -- what a second gateway answers itself never reaches the app
      AND (SELECT count(DISTINCT component) FROM inputs WHERE layer IN ('cdn', 'gateway') AND requests > 0) <= 1 GROUP BY g.id),
total AS (SELECT layer, count(*) AS n, count(*) FILTER (there) AS met, min(moment) AS first, max(moment) AS last FROM expected GROUP BY layer
          HAVING count(*) >= 100 AND count(*) FILTER (there) >= 20),

tenths AS (
    SELECT e.layer, least(9, floor(10 * (epoch(e.moment) - epoch(t.first)) / greatest(1e-6, epoch(t.last) - epoch(t.first)))) AS tenth, count(*) AS n, count(*) FILTER (there) AS met
    FROM expected e JOIN total t ON t.layer = e.layer GROUP BY ALL),
-- a sample is thin all the time; a gap is not
even AS (SELECT t.layer, bool_and(abs(x.met / x.n - t.met / t.n) <= 4 * sqrt((t.met / t.n) * (1 - t.met / t.n) / x.n) + 0.02) AS even
         FROM tenths x JOIN total t ON t.layer = x.layer WHERE x.n >= 10 GROUP BY t.layer)
SELECT t.layer AS subject_layer, NULL AS limiter, t.first AS from_at, t.last AS to_at, 0.93 AS confidence, 0 AS explained,
       (SELECT string_agg(evidence, ' ') FROM (SELECT evidence FROM expected x WHERE x.layer = t.layer AND NOT there ORDER BY moment LIMIT 5)) AS evidence,
       'requests that another layer logged are missing here, at the same rate all the time' AS because,
       round(met / n, 4) AS fraction, n AS expected, met AS found
FROM total t JOIN even e ON e.layer = t.layer WHERE met < 0.9 * n AND e.even
