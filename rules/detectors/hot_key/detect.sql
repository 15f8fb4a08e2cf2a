WITH keys AS (
    SELECT limiter, key, count(*) AS n, max(per_second) AS peak, min(at_us) AS from_us, max(at_us) AS to_us, arg_min('F' || file || ':' || line, at_us) AS id
    FROM (SELECT *, count(*) OVER (PARTITION BY limiter, key, at_us // 1000000) AS per_second FROM decisions WHERE key <> '') GROUP BY limiter, key),
total AS (SELECT limiter, sum(n) AS n, count(*) AS keys FROM keys GROUP BY limiter)
SELECT k.key AS subject_key, k.limiter, make_timestamp(k.from_us) AS from_at, make_timestamp(k.to_us) AS to_at, 0.9 AS confidence, 0 AS explained, k.id AS evidence,
       'the next keys are far behind' AS because, round(k.n / t.n, 3) AS share, k.n AS decisions, t.keys, k.peak AS peak_per_second
FROM keys k JOIN total t ON t.limiter = k.limiter WHERE t.keys >= 10 AND t.n >= 500 AND k.n >= 0.6 * t.n ORDER BY k.n DESC
