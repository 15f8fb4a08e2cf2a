-- A limiter that counts says so in headers. A stretch in which none of the answers do, on paths that else do, was not counted.
WITH lines AS (
    SELECT i.layer, r.logged_at AS moment, r.file, r.line, r.status, split_part(r.path, '?', 1) AS route,
           regexp_matches(lower(r.response_headers), '"(x-)?ratelimit[a-z-]*"') AS counted
    FROM requests r JOIN inputs i ON i.file = r.file WHERE r.response_headers IS NOT NULL AND r.response_headers NOT IN ('', '{}')),
routes AS (SELECT layer, route FROM lines GROUP BY layer, route HAVING count(*) FILTER (counted) > 0),
ordered AS (
    SELECT l.*, sum(CASE WHEN counted THEN 1 ELSE 0 END) OVER (PARTITION BY l.layer ORDER BY moment, l.file, l.line) AS run
    FROM lines l JOIN routes r ON r.layer = l.layer AND r.route = l.route),
stretches AS (
    SELECT layer, run, count(*) FILTER (NOT counted) AS n, count(*) FILTER (NOT counted AND status = 429) AS denied, count(DISTINCT route) FILTER (NOT counted) AS routes,
           min(moment) FILTER (NOT counted) AS from_at, max(moment) FILTER (NOT counted) AS to_at,
           array_to_string(list('F' || file || ':' || line ORDER BY moment) FILTER (NOT counted)[1:5], ' ') AS ids
    FROM ordered GROUP BY layer, run),
share AS (SELECT layer, count(*) FILTER (counted) / count(*) AS counted FROM ordered GROUP BY layer),
errors AS (SELECT count(*) AS n FROM notices WHERE kind = 'limiter_store_error')
SELECT s.layer AS subject_layer, NULL AS limiter, s.from_at, s.to_at, CASE WHEN e.n > 0 THEN 0.93 ELSE 0.75 END AS confidence, 0 AS explained, s.ids AS evidence,
       'for ' || round(epoch(s.to_at) - epoch(s.from_at), 1) || ' s no answer carries the quota headers that the same routes else carry, and none is denied'
         || CASE WHEN e.n > 0 THEN chr(10) || e.n || ' messages tell that the limiter''s store failed' ELSE '' END AS because,
       strftime(s.from_at, '%Y-%m-%dT%H:%M:%S.%fZ') AS "from", strftime(s.to_at, '%Y-%m-%dT%H:%M:%S.%fZ') AS "to", s.n AS requests, e.n AS store_errors
FROM stretches s JOIN share h ON h.layer = s.layer, errors e
WHERE s.n >= 20 AND s.denied = 0 AND s.routes >= 2 AND epoch(s.to_at) - epoch(s.from_at) >= 1 AND h.counted >= 0.3
ORDER BY s.from_at
