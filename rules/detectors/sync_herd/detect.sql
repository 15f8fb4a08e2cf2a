WITH d AS (SELECT *, stamp_us / 1e6 AS s, denied AND reason = 'limit' AS hit FROM seen WHERE stamp_us IS NOT NULL),
span AS (SELECT greatest(1, max(s) - min(s)) AS seconds, count(*) AS n, count(*) FILTER (hit) AS denied FROM d),
periods AS (SELECT unnest([60, 300, 900, 3600]) AS p),
hits AS (
    SELECT p, count(*) FILTER (hit) AS denied, count(DISTINCT who) FILTER (hit) AS clients, count(DISTINCT floor(s / p)) FILTER (hit) AS peaks,
           min(moment) FILTER (hit) AS from_at, max(moment) FILTER (hit) AS to_at, array_to_string(list('F' || file || ':' || line ORDER BY stamp_us) FILTER (hit)[1:6], ' ') AS ids
    FROM d, periods WHERE s - floor(s / p) * p < 3 + resolution_seconds GROUP BY p),
peak AS (SELECT max(n) AS n FROM (SELECT floor(s) AS t, count(*) AS n FROM d GROUP BY t)),
best AS (SELECT h.* FROM hits h, span x WHERE h.denied >= 0.95 * x.denied AND h.denied >= 3 AND h.clients >= 3 AND (h.peaks >= 2 OR h.p >= 300 AND h.clients >= 5 AND h.peaks >= 1)
         -- a log of a few seconds has nothing to compare with
         AND x.seconds >= CASE WHEN h.peaks >= 2 THEN h.p ELSE 60 END ORDER BY p DESC LIMIT 1)
SELECT NULL AS limiter, from_at, to_at, CASE WHEN peaks >= 2 THEN 0.9 ELSE 0.75 END AS confidence, b.denied AS explained, ids AS evidence,
       'nothing is denied at other times of the period' || chr(10) || clients || ' clients are denied together' AS because,
       clients, p AS period_seconds, peaks, b.denied, round(b.denied / x.denied, 3) AS share, k.n AS peak_per_second, round(x.n / x.seconds, 3) AS mean_per_second
FROM best b, span x, peak k WHERE k.n >= 4 * x.n / x.seconds
