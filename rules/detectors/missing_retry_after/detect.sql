-- log lines tell it for all denials; captures only where no log does
WITH told AS (
    -- a reset says when to come back as well; a header that is logged as empty was not sent
    SELECT *, layer <> '' AS logged,
           regexp_matches(headers, '"retry-after"\s*:\s*\[?\s*"?[^"\s\],}-]') OR regexp_matches(headers, '"(x-)?rate-?limit[a-z-]*reset[a-z-]*"\s*:\s*\[?\s*"?[0-9]|"ratelimit[a-z-]*"\s*:\s*\[?\s*"[^"]*\b(t|reset)=[0-9]') AS says_when
    FROM denial_responses),
counted AS (
    SELECT layer, component, logged, count(*) AS n, count(*) FILTER (NOT says_when) AS missing,
           count(*) FILTER (NOT says_when AND regexp_matches(headers, '"(x-)?ratelimit[a-z-]*"')) AS quota,
           min(moment) AS from_at, max(moment) AS to_at, string_agg(id, ' ' ORDER BY id) FILTER (NOT says_when) AS ids
    FROM told GROUP BY layer, component, logged)
SELECT layer AS subject_layer, component AS subject_component, NULL AS limiter, from_at, to_at, CASE WHEN logged THEN 0.97 ELSE 0.85 END AS confidence, 0 AS explained,
       array_to_string(string_split(ids, ' ')[1:5], ' ') AS evidence,
       missing || ' of ' || n || CASE WHEN logged THEN ' logged' ELSE ' captured' END || ' responses carry no Retry-After' AS because,
       n AS responses, missing AS without_retry_after, quota AS with_quota_headers
FROM counted
WHERE missing >= 0.5 * n AND (logged OR NOT EXISTS (SELECT 1 FROM told WHERE logged))
ORDER BY missing DESC
