WITH spent AS (
    SELECT *, row_number() OVER (PARTITION BY client, policy, layer ORDER BY at_us, id) AS n FROM answers a
    WHERE denied AND (remaining <= 0 OR remaining IS NULL AND retry_after_seconds >= 1800)
      AND (window_seconds >= 3600 OR reset_seconds >= 1800) AND coalesce(reset_seconds, retry_after_seconds, window_seconds) <= 35 * 86400),
-- the wait is over before the quota starts anew: it was no quota of that length
early AS (
    SELECT DISTINCT s.client, s.policy, s.layer FROM spent s JOIN answers a ON a.client = s.client AND a.layer = s.layer AND coalesce(a.policy, '') = coalesce(s.policy, '')
    WHERE NOT a.denied AND a.at_us > s.at_us AND a.remaining > 0 AND a.at_us < s.at_us + 0.9e6 * coalesce(s.reset_seconds, 1800))
SELECT s.client AS subject_client, s.policy AS subject_policy, NULL AS limiter, min(s.moment) AS from_at, max(s.moment) AS to_at, 0.9 AS confidence,
       count(*) FILTER (s.file IS NOT NULL) AS explained, string_agg(s.id, ' ' ORDER BY n) FILTER (n <= 5) AS evidence,
       'the responses say that nothing is left, and that it takes ' || round(max(coalesce(s.reset_seconds, s.window_seconds, s.retry_after_seconds))) || ' s' AS because,
       max(s.limit_value) AS "limit", coalesce(max(s.window_seconds), max(s.reset_seconds), max(s.retry_after_seconds)) AS window_seconds_low, max(s.window_seconds) AS window_seconds_high,
       count(*) AS denied, strftime(make_timestamp(max(s.reset_us)), '%Y-%m-%dT%H:%M:%S.%fZ') AS until, round(arg_max(coalesce(s.reset_seconds, s.retry_after_seconds), n), 3) AS wait_seconds
FROM spent s LEFT JOIN early e ON e.client = s.client AND e.layer = s.layer AND coalesce(e.policy, '') = coalesce(s.policy, '')
WHERE e.client IS NULL GROUP BY s.client, s.policy, s.layer ORDER BY denied DESC LIMIT 20
