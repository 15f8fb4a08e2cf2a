-- x-envoy-attempt-count, or one line with a number of attempts: the gateway asked several times for one request of the client
WITH lines AS (
    SELECT r.file, r.line, r.status, r.logged_at, r.request_id, r.attempt, r.upstream_status, i.layer,
           try_cast(coalesce(nullif(regexp_extract(lower(coalesce(r.request_headers, '') || coalesce(r.response_headers, '') || coalesce(r.other_fields, '')), '"(?:x-envoy-)?(?:upstream_request_)?attempt[-_]count"\s*:\s*\[?\s*"?([0-9]+)', 1), ''),
                             CASE WHEN r.attempt > 1 AND r.upstream_status IS NOT NULL THEN CAST(r.attempt AS VARCHAR) END) AS BIGINT) AS tries
    FROM requests r JOIN inputs i ON i.file = r.file),
-- lines of one id, one for each attempt, are counted as what they are
counted AS (SELECT *, count(*) OVER (PARTITION BY file, coalesce(request_id, CAST(line AS VARCHAR))) AS lines_of_id FROM lines WHERE tries IS NOT NULL),
total AS (
    SELECT count(*) AS sent, sum(tries) AS upstream, count(*) FILTER (tries > 1 AND (status = 429 OR upstream_status LIKE '%429%')) AS again, count(*) FILTER (tries > 1 AND status = 429) AS seen,
           sum(CASE WHEN status = 429 THEN tries WHEN tries > 1 THEN tries - 1 ELSE 0 END) AS denied, count(*) FILTER (tries > 1 AND status >= 500) AS failed,
           min(logged_at) FILTER (tries > 1) AS from_at, max(logged_at) FILTER (tries > 1) AS to_at, array_to_string(list('F' || file || ':' || line ORDER BY logged_at, line) FILTER (tries > 1)[1:5], ' ') AS ids
    FROM counted WHERE lines_of_id = 1)
SELECT NULL AS limiter, from_at, to_at, 0.92 AS confidence, 0 AS explained, ids AS evidence, again || ' denied requests were tried several times by the gateway' AS because,
       sent AS edge_requests, upstream AS upstream_requests, round(upstream / sent, 3) AS amplification, denied AS denied_behind, seen AS denied_seen, failed
FROM total WHERE again >= 1 AND again >= 0.02 * sent
