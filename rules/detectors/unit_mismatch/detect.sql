-- the window of the promise slides over the client's requests
WITH d AS (
    SELECT d.limiter, d.key, p.text, p.count AS promised, p.per_seconds, d.admitted, d.at_us, d.file, d.line, s.api_key, s.client_ip, s.moment,
           CAST(p.per_seconds * 1e6 AS BIGINT) - 1 AS span
    FROM decisions d JOIN seen s ON s.exchange = d.exchange JOIN found_limiters l ON l.limiter = d.limiter, promises p
    WHERE (p.by = '' OR l.keys LIKE '%;,' || p.by || ',;%')
      -- enforced over less time than promised
      AND coalesce(l.window_seconds, l.burst / nullif(l.rate_per_second, 0)) < p.per_seconds),
busy AS (
    SELECT *, count(*) OVER (PARTITION BY limiter, key, text ORDER BY at_us RANGE BETWEEN span PRECEDING AND CURRENT ROW) AS in_promise,
           count(*) OVER (PARTITION BY limiter, key, text ORDER BY at_us RANGE BETWEEN 999999 PRECEDING AND CURRENT ROW) AS in_second
    FROM d),
clients AS (
    SELECT limiter, key, text, max(promised) AS promised, max(per_seconds) AS per_seconds, max(in_promise) AS most, max(in_second) AS peak, count(*) AS sent,
           count(*) FILTER (NOT admitted) AS denied, any_value(api_key) AS api_key, any_value(client_ip) AS client_ip, min(moment) AS from_at, max(moment) AS to_at,
           array_to_string(list('F' || file || ':' || line ORDER BY at_us) FILTER (NOT admitted)[1:5], ' ') AS ids
    FROM busy GROUP BY limiter, key, text)
SELECT c.api_key AS subject_api_key, CASE WHEN c.api_key IS NULL THEN c.client_ip END AS subject_client_ip, c.limiter, c.from_at, c.to_at, 0.9 AS confidence, c.denied AS explained, c.ids AS evidence,
       'promised: ' || c.text || chr(10) || 'the busiest stretch of that length holds ' || c.most || ' requests' || chr(10) || c.denied || ' of ' || c.sent || ' were denied' AS because,
       round(c.promised / c.per_seconds, 3) AS claimed_per_second, round(c.most / c.per_seconds, 3) AS mean_per_second, c.peak AS peak_per_second,
       coalesce(l.burst, l.limit_high) AS allowed_burst, c.denied
FROM clients c JOIN found_limiters l ON l.limiter = c.limiter
WHERE c.most <= c.promised AND c.denied >= 5 AND c.denied >= 0.05 * c.sent AND c.peak > c.promised / c.per_seconds
ORDER BY c.denied DESC
