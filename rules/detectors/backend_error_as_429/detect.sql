WITH hit AS (SELECT a.layer, a.component, s.moment, s.stamp_us, a.file, a.line, coalesce(nullif(r.upstream_status, ''), 'unknown to the log') AS upstream_status
             FROM attributions a JOIN seen s ON s.exchange = a.exchange LEFT JOIN requests r ON r.file = a.file AND r.line = a.line
             WHERE a.reason = 'backend_error' AND a.visible),
ranked AS (SELECT *, row_number() OVER (PARTITION BY layer, component ORDER BY stamp_us, line) AS n FROM hit)
SELECT layer AS subject_layer, component AS subject_component, NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at, 0.93 AS confidence, count(*) AS explained,
       string_agg('F' || file || ':' || line, ' ' ORDER BY n) FILTER (n <= 5) AS evidence,
       'the layer behind failed each of these requests' AS because,
       strftime(min(moment), '%Y-%m-%dT%H:%M:%S.%fZ') AS "from", strftime(max(moment), '%Y-%m-%dT%H:%M:%S.%fZ') AS "to",
       count(*) AS requests, mode(upstream_status) AS upstream_status
FROM ranked GROUP BY layer, component ORDER BY requests DESC
