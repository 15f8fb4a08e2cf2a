WITH p AS (SELECT * FROM seen WHERE method = 'OPTIONS'),
-- the remaining number falls by one over the preflight, or it is denied like any other
stepped AS (
    SELECT id, client, method, denied, moment, at_us, line, exchange, lag(remaining) OVER w - remaining AS step, limit_value, remaining
    FROM answers WHERE remaining IS NOT NULL AND file IS NOT NULL WINDOW w AS (PARTITION BY layer, client, coalesce(policy, '') ORDER BY at_us, line)),
counted AS (
    SELECT client, count(*) FILTER (method = 'OPTIONS' AND (step = 1 OR step IS NULL AND remaining = limit_value - 1)) AS took, count(*) FILTER (method = 'OPTIONS' AND step <= 0 AND NOT denied) AS free
    FROM stepped GROUP BY client),
hit AS (
    SELECT coalesce(s.api_key, s."user", s.client_ip) AS client, any_value(s.client_ip) AS client_ip, count(*) AS sent, count(*) FILTER (s.method = 'OPTIONS') AS preflights,
           count(*) FILTER (s.method = 'OPTIONS' AND s.denied AND s.reason = 'limit') AS denied_preflights, count(*) FILTER (s.method = 'OPTIONS' AND NOT s.denied) AS passed,
           count(*) FILTER (s.denied) AS denied, count(*) FILTER (NOT s.denied) AS admitted, min(s.moment) AS from_at, max(s.moment) AS to_at,
           array_to_string(list('F' || s.file || ':' || s.line ORDER BY s.denied DESC, s.stamp_us) FILTER (s.method = 'OPTIONS')[1:5], ' ') AS ids
    FROM seen s GROUP BY 1 HAVING count(*) FILTER (s.method = 'OPTIONS') > 0),
judged AS (
    SELECT h.*, coalesce(c.took, 0) AS took FROM hit h LEFT JOIN counted c ON c.client = h.client
    WHERE preflights >= 0.05 * sent AND (coalesce(c.took, 0) >= 2 AND coalesce(c.free, 0) <= 0.2 * c.took OR denied_preflights >= 2 AND coalesce(c.free, 0) = 0 OR denied_preflights >= 1 AND coalesce(c.took, 0) >= 1))
SELECT CASE WHEN count(*) = 1 THEN any_value(client_ip) END AS subject_client_ip, NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at,
       CASE WHEN sum(took) > 0 THEN 0.95 ELSE 0.85 END AS confidence, sum(denied) AS explained, arg_max(ids, preflights) AS evidence,
       CASE WHEN sum(took) > 0 THEN 'what is left falls by one over ' || sum(took) || ' preflights' ELSE 'preflights are denied by the limit' END AS because,
       greatest(sum(took), sum(denied_preflights)) AS preflights, sum(CASE WHEN took > 0 THEN admitted ELSE sent END) AS counted, sum(denied_preflights) AS denied_preflights, count(*) AS clients,
       round(1 - sum(preflights) / sum(sent), 3) AS share_of_limit
FROM judged HAVING count(*) > 0
