WITH hit AS (SELECT a.layer, a.component, s.moment, s.stamp_us, s.who, s.status, a.file, a.line FROM attributions a JOIN seen s ON s.exchange = a.exchange
             WHERE a.reason = 'limiter_error' AND a.visible),
ranked AS (SELECT *, row_number() OVER (PARTITION BY layer, component ORDER BY stamp_us, line) AS n FROM hit)
SELECT layer AS subject_layer, component AS subject_component, NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at, 0.92 AS confidence, count(*) AS explained,
       string_agg('F' || file || ':' || line, ' ' ORDER BY n) FILTER (n <= 5) AS evidence,
       'they hit ' || count(DISTINCT who) || ' clients at once, whatever these had sent before' AS because,
       strftime(min(moment), '%Y-%m-%dT%H:%M:%S.%fZ') AS "from", strftime(max(moment), '%Y-%m-%dT%H:%M:%S.%fZ') AS "to",
       count(*) AS requests, count(DISTINCT who) AS clients,
       CASE WHEN count(*) FILTER (status = 429) * 2 >= count(*) THEN 'backend-error-as-429' ELSE 'backend-fail-closed' END AS pitfall
FROM ranked GROUP BY layer, component ORDER BY requests DESC
