-- here and there an answer without the count that the same route else carries: the call to the limiter's store failed or was too slow
WITH lines AS (
    SELECT i.layer, r.logged_at AS moment, r.file, r.line, r.status, split_part(coalesce(r.path, ''), '?', 1) AS route, r.duration_micros / 1e3 AS ms,
           EXISTS (SELECT 1 FROM quotas q WHERE q.file = r.file AND q.line = r.line AND (q.limit_value IS NOT NULL OR q.remaining IS NOT NULL)) AS counted
    FROM requests r JOIN inputs i ON i.file = r.file WHERE r.status < 500 AND EXISTS (SELECT 1 FROM quotas)),
routes AS (
    SELECT layer, route, count(*) AS n, count(*) FILTER (NOT counted AND status < 400) AS uncounted, count(*) FILTER (counted) AS counted, max(ms) FILTER (counted AND status < 400) AS slowest_counted,
           min(ms) FILTER (NOT counted AND status < 400) AS fastest_uncounted, count(*) FILTER (NOT counted AND status = 429) AS denied,
           min(moment) FILTER (NOT counted) AS from_at, max(moment) FILTER (NOT counted) AS to_at, array_to_string(list('F' || file || ':' || line ORDER BY moment, line) FILTER (NOT counted)[1:6], ' ') AS ids
    FROM lines GROUP BY ALL),
stats AS (
    SELECT max(try_cast(regexp_extract(lower(message), '(?:failure_mode_allowed|fail(?:ed)?_open)"?\s*[:=]\s*"?([0-9]+)', 1) AS BIGINT)) AS allowed, min('F' || file || ':' || line) AS id
    FROM notices WHERE regexp_matches(lower(message), '(failure_mode_allowed|fail(ed)?_open)"?\s*[:=]\s*"?[1-9]')),
errors AS (SELECT count(*) AS n FROM notices WHERE kind = 'limiter_store_error')
SELECT layer AS subject_layer, NULL AS limiter, from_at, to_at, CASE WHEN s.allowed > 0 OR e.n > 0 THEN 0.93 ELSE 0.8 END AS confidence, 0 AS explained,
       ids || coalesce(' ' || s.id, '') AS evidence,
       uncounted || ' of ' || r.n || ' answers of the route carry no quota headers, the others do'
         || CASE WHEN fastest_uncounted > slowest_counted THEN chr(10) || 'they take at least ' || round(fastest_uncounted, 1) || ' ms, the counted ones at most ' || round(slowest_counted, 1) || ' ms: a timeout' ELSE '' END
         || CASE WHEN s.allowed > 0 THEN chr(10) || 'the gateway''s statistics count ' || s.allowed || ' requests let through on failure' ELSE '' END AS because,
       strftime(from_at, '%Y-%m-%dT%H:%M:%S.%fZ') AS "from", strftime(to_at, '%Y-%m-%dT%H:%M:%S.%fZ') AS "to", uncounted AS requests, e.n AS store_errors, 'medium' AS severity
FROM routes r, stats s, errors e
WHERE r.counted >= 2 AND uncounted >= 2 AND denied = 0
  AND (coalesce(s.allowed, 0) > 0 OR e.n > 0 OR (uncounted >= 3 AND fastest_uncounted > 1.5 * slowest_counted AND r.n <= 2000))
ORDER BY uncounted DESC LIMIT 1
