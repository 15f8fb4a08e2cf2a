WITH responses AS (
    SELECT 'F' || r.file || ':' || r.line AS id, r.host, split_part(r.path, '?', 1) AS route, r.status, lower(r.response_headers) AS headers, r.logged_at AS moment,
           lower(coalesce(r.request_headers, '') || coalesce(r.other_fields, '')) AS asked
    FROM requests r WHERE r.response_headers IS NOT NULL AND r.response_headers NOT IN ('', '{}')
    UNION ALL
    SELECT 'C' || capture, host, split_part(path, '?', 1), status, lower(response_headers), captured_at, lower(coalesce(request_headers, ''))
    FROM captures WHERE response_headers IS NOT NULL),
told AS (SELECT *, contains(headers, '"access-control-allow-origin"') AS allowed FROM responses),
routes AS (
    SELECT coalesce(host, '') AS host, route, count(*) FILTER (status = 429 AND NOT allowed) AS denied, count(*) FILTER (status = 429 AND allowed) AS fine,
           count(*) FILTER (status BETWEEN 200 AND 399 AND allowed) AS others, count(*) FILTER (status BETWEEN 200 AND 399 AND NOT allowed) AS without,
           count(*) FILTER (status = 429 AND NOT allowed AND contains(headers, '"retry-after"')) AS waits,
           count(*) FILTER (status = 429 AND NOT allowed AND contains(asked, 'blocked by cors')) AS blocked,
           min(moment) FILTER (status = 429) AS from_at, max(moment) FILTER (status = 429) AS to_at,
           array_to_string(list(id ORDER BY id) FILTER (status = 429 AND NOT allowed)[1:4], ' ') AS ids, min(id) FILTER (status BETWEEN 200 AND 399 AND allowed) AS other
    FROM told GROUP BY ALL)
SELECT coalesce(route, host) AS subject_path, NULL AS limiter, from_at, to_at, CASE WHEN blocked > 0 THEN 0.95 ELSE 0.9 END AS confidence, 0 AS explained,
       ids || coalesce(' ' || other, '') AS evidence,
       'other responses of the same path carry the header, denied ones do not' || CASE WHEN blocked > 0 THEN chr(10) || 'the browser says that CORS blocked the response' ELSE '' END AS because,
       denied, others, waits AS with_retry_after
FROM routes WHERE denied >= 1 AND fine = 0 AND (others >= 1 AND without = 0 OR blocked > 0) ORDER BY denied DESC LIMIT 3
