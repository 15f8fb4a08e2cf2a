WITH hit AS (SELECT s.status, s.moment, s.stamp_us, a.file, a.line FROM attributions a JOIN seen s ON s.exchange = a.exchange
             WHERE a.visible AND a.reason = 'limit' AND s.status <> 429 AND s.status >= 400)
SELECT NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at, 0.9 AS confidence, count(*) AS explained,
       array_to_string(list('F' || file || ':' || line ORDER BY stamp_us)[1:5], ' ') AS evidence, 'a limiter denied them, and the client saw another status' AS because,
       count(*) AS requests, string_agg(DISTINCT CAST(status AS VARCHAR), chr(10)) AS statuses
FROM hit HAVING count(*) > 0
