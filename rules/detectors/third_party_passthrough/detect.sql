WITH hit AS (SELECT a.component, s.moment, s.stamp_us, s.line AS place, a.file, a.line, split_part(s.path, '?', 1) AS path
             FROM attributions a JOIN seen s ON s.exchange = a.exchange WHERE a.layer = 'third_party' AND a.reason <> 'not_a_limit'),
ranked AS (SELECT *, row_number() OVER (PARTITION BY component ORDER BY stamp_us, place) AS n FROM hit),
paths AS (SELECT component, string_agg(path, chr(10) ORDER BY times DESC, path) AS paths
          FROM (SELECT component, path, count(*) AS times, row_number() OVER (PARTITION BY component ORDER BY count(*) DESC, path) AS k FROM hit GROUP BY component, path) WHERE k <= 5 GROUP BY component)
SELECT NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at, 0.9 AS confidence, count(*) AS explained,
       string_agg('F' || file || ':' || line, ' ' ORDER BY n) FILTER (n <= 5) AS evidence,
       'the answers bear the marks of ' || r.component || ', not of a limiter here' AS because,
       r.component AS provider, count(*) AS requests, any_value(p.paths) AS paths
FROM ranked r LEFT JOIN paths p ON p.component = r.component GROUP BY r.component ORDER BY requests DESC
