-- denied with room in the window: all requests of the client in it, denied ones too, are fewer than the limit, over and over
WITH told AS (SELECT client, min(limit_value) AS "limit", arg_min(window_seconds, limit_value) AS window_seconds FROM answers WHERE limit_value > 0 AND window_seconds BETWEEN 1 AND 3600 GROUP BY client),
promised AS (SELECT count AS "limit", per_seconds AS window_seconds FROM promises WHERE per_seconds BETWEEN 1 AND 3600 ORDER BY per_seconds DESC LIMIT 1),
asked AS (
    SELECT coalesce(s.api_key, s."user", s.client_ip, '') AS client, s.denied AND s.reason = 'limit' AS denied, s.at_us, s.moment, s.file, s.line, s.outer_line FROM seen s),
limited AS (
    SELECT a.*, coalesce(t."limit", (SELECT "limit" FROM promised)) AS "limit", coalesce(t.window_seconds, (SELECT window_seconds FROM promised)) AS w
    FROM asked a LEFT JOIN told t ON t.client = a.client),
held AS (SELECT *, count(*) OVER (PARTITION BY client ORDER BY at_us RANGE BETWEEN CAST(w * 1e6 AS BIGINT) PRECEDING AND CURRENT ROW) AS in_window FROM limited WHERE w IS NOT NULL),
clients AS (
    SELECT client, any_value("limit") AS "limit", any_value(w) AS w, count(*) FILTER (denied AND in_window < 0.8 * "limit") AS stuck, count(*) FILTER (denied) AS denied,
           count(*) FILTER (NOT denied) AS admitted, max(in_window) FILTER (denied) AS most, min(moment) FILTER (denied) AS from_at, max(moment) FILTER (denied) AS to_at,
           (max(at_us) FILTER (denied) - min(at_us) FILTER (denied)) / 1e6 AS seconds, max(at_us) FILTER (NOT denied) AS last_admitted, min(at_us) FILTER (denied) AS first_denied,
           array_to_string(list('F' || file || ':' || line ORDER BY at_us) FILTER (denied)[1:5], ' ') AS ids
    FROM held GROUP BY client)
SELECT client AS subject_client, NULL AS limiter, from_at, to_at, 0.8 AS confidence, denied AS explained, ids AS evidence,
       'denied for ' || round(seconds) || ' s, with at most ' || most || ' requests in a window of ' || w || ' s' || chr(10) || 'nothing passed any more after the first denial' AS because,
       "limit", w AS window_seconds, most AS sent_per_window, stuck AS denied, NULL AS counter, 1 AS keys
FROM clients
WHERE stuck >= 3 AND stuck = denied AND most < 0.8 * "limit" AND seconds >= 3 * w AND (last_admitted IS NULL OR last_admitted < first_denied)
ORDER BY stuck DESC LIMIT 1
