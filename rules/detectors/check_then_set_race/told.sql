-- No limiter fits, because the race itself is in its decisions: a serial client is cut at the same count in every window of the clock, while
-- clients that send many at once pass far above it and are never cut. A higher limit for those keys would look the same, unless one of them
-- were serial; so no serial client may be above the count.
WITH w AS (SELECT unnest([5, 10, 15, 20, 30, 60]) AS w),
d AS (SELECT coalesce(api_key, "user", client_ip) AS key, at_us, denied, file, line FROM seen WHERE reason IS NULL OR reason = 'limit' AND denied),
near AS (SELECT *, count(*) OVER (PARTITION BY key ORDER BY at_us RANGE BETWEEN 50000 PRECEDING AND 50000 FOLLOWING) AS crowd FROM d),
windows AS (
    SELECT w.w, key, floor(at_us / (w.w * 1e6)) AS at_w, count(*) FILTER (NOT denied) AS n, count(*) FILTER (denied) AS cut, quantile_cont(crowd, 0.5) AS crowd, min(at_us) AS first_us, max(at_us) AS last_us,
           array_to_string(list('F' || file || ':' || line ORDER BY at_us DESC) FILTER (NOT denied)[1:3], ' ') AS ids
    FROM near, w GROUP BY ALL),
-- the first and the last window of the log may be cut off
serial AS (
    SELECT w, mode(n) AS base, count(*) AS windows, min(n) AS low, max(n) AS high FROM windows x
    WHERE cut >= 3 AND crowd < 5 GROUP BY w HAVING count(*) >= 3 AND min(n) >= 5 AND max(n) <= 1.02 * min(n)),
best AS (SELECT * FROM serial ORDER BY w LIMIT 1),
over AS (SELECT x.*, b.base FROM windows x JOIN best b ON b.w = x.w WHERE x.n > 1.2 * b.base),
total AS (
    SELECT count(*) FILTER (crowd >= 5) AS races, count(*) FILTER (crowd < 5) AS slow, count(DISTINCT key) AS keys, sum(n - base) AS over_admitted, max(n) AS most, min(base) AS base, min(first_us) AS first_us, max(last_us) AS last_us,
           arg_max(ids, n) AS ids, sum(cut) AS cut, any_value(w) AS w FROM over)
SELECT NULL AS limiter, make_timestamp(first_us) AS from_at, make_timestamp(last_us) AS to_at, 0.7 AS confidence, 0 AS explained, ids AS evidence,
       'clients that send one after the other are cut at ' || base || ' in each window of ' || w || ' s' || chr(10) || races || ' windows hold more, all of them filled by requests within the same tenth of a second'
         || chr(10) || 'a higher limit for these keys would look alike' AS because,
       over_admitted, most AS most_admitted, base AS "limit", keys
FROM total WHERE races >= 2 AND slow = 0
