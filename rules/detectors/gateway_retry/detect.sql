-- a list of statuses is one request tried several times
WITH tries AS (
    SELECT r.file, r.line, r.status, r.logged_at, regexp_split_to_array(r.upstream_status, '\s*[,:]\s*') AS tried
    FROM requests r JOIN inputs i ON i.file = r.file
    WHERE i.layer IN ('gateway', 'cdn') AND r.upstream_status IS NOT NULL AND r.upstream_status NOT IN ('', '-')),
counted AS (
    SELECT *, len(tried) AS n, list_contains(tried[1:len(tried) - 1], '429') AS again, len(list_filter(tried, lambda x: x = '429')) AS denied FROM tries),
total AS (
    SELECT count(*) AS sent, sum(n) AS upstream, sum(denied) AS denied, count(*) FILTER (again) AS again,
           count(*) FILTER (again AND status = 429) AS seen, count(*) FILTER (again AND status >= 500) AS failed,
           min(logged_at) FILTER (again) AS from_at, max(logged_at) FILTER (again) AS to_at
    FROM counted),
shown AS (SELECT string_agg('F' || file || ':' || line, ' ' ORDER BY logged_at, line) AS ids FROM (SELECT * FROM counted WHERE again ORDER BY logged_at, line LIMIT 5))
SELECT NULL AS limiter, from_at, to_at, 0.95 AS confidence, 0 AS explained, ids AS evidence,
       again || ' requests were sent to another node after a 429' || CASE WHEN failed > 0 THEN chr(10) || failed || ' of them ended in an error: nodes that deny were taken for dead' ELSE '' END AS because,
       sent AS edge_requests, upstream AS upstream_requests, round(upstream / sent, 3) AS amplification, denied AS denied_behind, seen AS denied_seen, failed
FROM total, shown WHERE again >= 3 OR (again >= 1 AND sent <= 30)
