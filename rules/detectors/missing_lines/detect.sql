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

runs AS (
    SELECT *, sum(CASE WHEN there THEN 1 ELSE 0 END) OVER (PARTITION BY layer ORDER BY moment, id) AS run FROM expected),
gaps AS (
    SELECT r.layer, run, count(*) FILTER (NOT there) AS n, min(moment) FILTER (NOT there) AS from_at, max(moment) FILTER (NOT there) AS to_at,
           string_agg(evidence, ' ' ORDER BY moment) FILTER (NOT there) AS ids
    FROM runs r GROUP BY r.layer, run),
-- one stretch in which nothing is there, and hardly anything missing elsewhere
worst AS (SELECT *, row_number() OVER (PARTITION BY layer ORDER BY n DESC) AS place, sum(n) OVER (PARTITION BY layer) AS missing FROM gaps WHERE n > 0)
SELECT w.layer AS subject_layer, NULL AS limiter, w.from_at, w.to_at, 0.92 AS confidence, 0 AS explained, array_to_string(string_split(ids, ' ')[1:5], ' ') AS evidence,
       'another layer logged ' || w.n || ' requests in a row that are not here; before and after all are' AS because,
       w.n AS count, strftime(w.from_at, '%Y-%m-%dT%H:%M:%S.%fZ') AS "from", strftime(w.to_at, '%Y-%m-%dT%H:%M:%S.%fZ') AS "to"
FROM worst w JOIN total t ON t.layer = w.layer
WHERE place = 1 AND w.n >= 10 AND w.n >= 0.5 * w.missing AND w.missing <= 0.5 * t.n AND epoch(w.to_at) - epoch(w.from_at) >= 0.5
