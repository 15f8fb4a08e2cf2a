-- a return is the next request of the same client, method and path after a denial, at least half a second later
WITH followed AS (
    SELECT *, lag(denied) OVER w AS was_denied, (stamp_us - lag(stamp_us) OVER w) / 1e6 AS wait
    FROM seen WINDOW w AS (PARTITION BY who, method, path ORDER BY stamp_us, outer_line)),
returned AS (
    SELECT *, floor(stamp_us / (greatest(resolution_seconds, 0.25) * 1e6)) AS bin FROM followed WHERE was_denied AND wait BETWEEN 0.5 AND 3600),
bins AS (SELECT bin, count(*) AS n, count(DISTINCT who) AS clients FROM returned GROUP BY bin),
mean AS (SELECT sum(n) / greatest(1, max(bin) - min(bin) + 1) AS n, sum(n) AS total, max(bin) - min(bin) + 1 AS span FROM bins),
peaks AS (SELECT b.* FROM bins b, mean m WHERE b.n >= 4 * m.n AND b.clients >= 5),
crowd AS (SELECT r.* FROM returned r JOIN peaks p ON p.bin = r.bin),
told AS (SELECT count(*) AS n, count(DISTINCT who) AS clients, count(DISTINCT bin) AS peaks, median(wait) AS wait, min(moment) AS from_at, max(moment) AS to_at,
                array_to_string(list('F' || file || ':' || line ORDER BY stamp_us)[1:6], ' ') AS ids FROM crowd)
SELECT NULL AS limiter, from_at, to_at, 0.85 AS confidence, 0 AS explained, ids AS evidence,
       'in these moments ' || round(t.n / t.peaks) || ' clients return together, ' || round(t.n / t.peaks / m.n, 1) || ' times as many as on the mean' AS because,
       t.clients, m.total AS returns, t.n AS crowded, t.peaks, round(t.wait, 3) AS median_wait_seconds
FROM told t, mean m WHERE t.peaks >= 3 AND t.n >= 0.35 * m.total AND t.n >= 30 AND m.span >= 40
