-- windows of the clock; a window that is too full counts when most of what is too much ran at the same time
WITH d AS (
    SELECT d.*, l.limit_high AS allowed, floor(d.at_us / (l.window_seconds * 1e6)) AS w, r.duration_micros AS took
    FROM decisions d JOIN found_limiters l ON l.limiter = d.limiter JOIN requests r ON r.file = d.file AND r.line = d.line
    WHERE l.algorithm = 'fixed_window' AND l.alignment = 'clock' AND l.window_seconds > 0 AND l.limit_high >= 5 AND l.cost IS NULL AND l.scope <> 'per_node'),
together AS (
    SELECT *, count(*) OVER (PARTITION BY limiter, key, w ORDER BY at_us RANGE BETWEEN 50000 PRECEDING AND 50000 FOLLOWING) AS near FROM d WHERE admitted),
windows AS (
    SELECT limiter, key, w, count(*) AS n, max(allowed) AS allowed, quantile_cont(near, 0.5) AS crowd, min(at_us) AS first_us, max(at_us) AS last_us,
           array_to_string(list('F' || file || ':' || line ORDER BY at_us DESC)[1:3], ' ') AS ids
    FROM together GROUP BY limiter, key, w),
-- what full windows hold is the limit: the reconstruction may have been misled by the race itself
cut AS (
    SELECT x.limiter, mode(x.n) AS usual, count(*) AS n
    FROM windows x JOIN (SELECT DISTINCT limiter, key, w FROM d WHERE NOT admitted) y ON y.limiter = x.limiter AND y.key = x.key AND y.w = x.w GROUP BY x.limiter),
over AS (SELECT x.*, least(x.allowed, c.usual) AS base FROM windows x JOIN cut c ON c.limiter = x.limiter WHERE x.n > 1.2 * least(x.allowed, c.usual) AND x.crowd >= 5 AND c.n >= 3),
-- a serial client that is over the limit too is no race
serial AS (SELECT x.limiter, count(*) AS n FROM windows x JOIN cut c ON c.limiter = x.limiter WHERE x.n > 1.1 * least(x.allowed, c.usual) AND x.crowd < 5 GROUP BY x.limiter)
SELECT o.limiter, make_timestamp(min(first_us)) AS from_at, make_timestamp(max(last_us)) AS to_at, 0.88 AS confidence, 0 AS explained,
       arg_max(ids, n) AS evidence,
       count(*) || ' windows hold more than the limit, all of them filled by requests within the same tenth of a second' || chr(10) || 'windows that fill slowly are cut at the limit' AS because,
       sum(n - base) AS over_admitted, max(n) AS most_admitted, min(base) AS "limit", count(DISTINCT key) AS keys
FROM over o LEFT JOIN (SELECT limiter, n AS times FROM serial) s ON s.limiter = o.limiter
WHERE coalesce(s.times, 0) <= 1
GROUP BY o.limiter HAVING count(*) >= 2
