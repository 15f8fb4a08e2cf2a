-- the reconstruction cut the time where no single limit fits: two limiters alike in all but the limit, one after the other
WITH pairs AS (
    SELECT a.limiter AS first, b.limiter AS second, b.from_at AS moment, a.from_at AS from_at, b.to_at AS to_at, b.component,
           coalesce(a.rate_per_second, a.limit_high) AS before, coalesce(b.rate_per_second, b.limit_high) AS after
    FROM found_limiters a JOIN found_limiters b ON a.layer = b.layer AND a.key = b.key AND a.component = b.component AND a.limiter <> b.limiter
     AND a.to_at <= b.from_at + INTERVAL 2 SECOND AND a.from_at < b.from_at
    WHERE abs(coalesce(a.rate_per_second, a.limit_high) - coalesce(b.rate_per_second, b.limit_high)) > 0.1 * coalesce(a.rate_per_second, a.limit_high)),
near AS (SELECT *, row_number() OVER (PARTITION BY second ORDER BY from_at DESC) AS n FROM pairs),
shown AS (SELECT limiter, string_agg('F' || file || ':' || line, ' ' ORDER BY at_us) AS ids
          FROM (SELECT *, row_number() OVER (PARTITION BY limiter ORDER BY at_us) AS n FROM decisions WHERE NOT admitted) WHERE n <= 4 GROUP BY limiter)
SELECT component AS subject_component, second AS limiter, moment AS from_at, NULL AS to_at, 0.88 AS confidence, 0 AS explained, coalesce(ids, '') AS evidence,
       'no single limit fits the decisions before and after this moment' AS because,
       strftime(moment, '%Y-%m-%dT%H:%M:%S.%fZ') AS "at", before, after
FROM near LEFT JOIN shown s ON s.limiter = near.second WHERE n = 1 ORDER BY moment
