-- Fixed windows only. Half a window is enough to be sure: a steady sender never gets more than the limit through in it.
WITH admitted AS (
    SELECT d.*, l.limit_high AS allowed, CAST(l.window_seconds * 500000 AS BIGINT) AS half, l.alignment, l.window_seconds,
           CASE WHEN l.scope = 'per_node' THEN d.node ELSE '' END AS place
    FROM decisions d JOIN found_limiters l ON l.limiter = d.limiter
    WHERE l.algorithm = 'fixed_window' AND l.limit_high >= 5 AND l.window_seconds > 0 AND d.admitted AND l.cost IS NULL),
ahead AS (
    SELECT *, count(*) OVER w AS n, max(at_us) OVER w AS last_us
    FROM admitted
    WINDOW w AS (PARTITION BY limiter, key, place ORDER BY at_us RANGE BETWEEN CURRENT ROW AND half FOLLOWING)),
overfull AS (
    -- more than the limit in one window of the clock is no matter of its boundary
    SELECT DISTINCT limiter, key FROM (
        SELECT limiter, key, place, floor(at_us / (window_seconds * 1e6)) AS w, count(*) AS n, max(allowed) AS allowed
        FROM admitted WHERE alignment = 'clock' GROUP BY ALL) WHERE n > 1.2 * allowed),
best AS (
    SELECT limiter, key, max(n) AS n, arg_max(at_us, n) AS first_us, arg_max(last_us, n) AS last_us, arg_max(file, n) AS file, arg_max(line, n) AS line,
           max(allowed) AS allowed, max(window_seconds) AS window_seconds
    FROM ahead GROUP BY limiter, key HAVING max(n) >= 1.5 * max(allowed) AND max(n) <= 2.1 * max(allowed)),
kept AS (SELECT b.* FROM best b LEFT JOIN overfull o ON o.limiter = b.limiter AND o.key = b.key WHERE o.key IS NULL),
worst AS (SELECT *, row_number() OVER (PARTITION BY limiter ORDER BY n DESC, key) AS place, count(*) OVER (PARTITION BY limiter) AS keys FROM kept)
SELECT key AS subject_key, limiter, make_timestamp(first_us) AS from_at, make_timestamp(last_us) AS to_at, 0.9 AS confidence, 0 AS explained,
       'F' || file || ':' || line AS evidence,
       n || ' requests of one key passed within less than half a window' || chr(10) || 'no single window admitted more than its limit' AS because,
       n AS admitted, round((last_us - first_us) / 1e6, 3) AS span_seconds, allowed AS declared_limit, window_seconds, keys
FROM worst WHERE place = 1
ORDER BY limiter
