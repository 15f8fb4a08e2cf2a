-- 4, 2, 0 with one request each; a preflight or another try of the same request would explain the second count
WITH one AS (
    SELECT DISTINCT ON (layer, client, policy, exchange, id) layer, component, client, coalesce(policy, '') AS policy, limit_value, remaining, reset_seconds, method, request_id, exchange,
           denied, at_us, moment, id, line
    FROM answers WHERE remaining IS NOT NULL AND file IS NOT NULL ORDER BY layer, client, policy, exchange, id),
stepped AS (
    SELECT *, lag(remaining) OVER w - remaining AS step, lag(request_id) OVER w AS before, lag(method) OVER w AS method_before,
           count(*) OVER (PARTITION BY layer, client, policy, request_id) AS tries
    FROM one WINDOW w AS (PARTITION BY layer, client, policy, limit_value ORDER BY at_us, line, id)),
series AS (
    SELECT layer, client, policy, limit_value, mode(step) FILTER (step > 0) AS step, count(*) FILTER (step > 0) AS falls,
           count(*) FILTER (step = 1) AS ones, count(*) FILTER (method = 'OPTIONS') AS preflights, max(tries) FILTER (request_id IS NOT NULL) AS tries,
           min(moment) AS from_at, max(moment) AS to_at, count(*) AS sent, max(remaining) AS most, count(*) FILTER (denied) AS denied,
           array_to_string(list(id ORDER BY at_us, line)[1:5], ' ') AS ids
    FROM stepped GROUP BY layer, client, policy, limit_value),
double AS (
    SELECT s.*, (SELECT count(*) FROM stepped t WHERE t.layer = s.layer AND t.client = s.client AND t.policy = s.policy AND t.limit_value = s.limit_value AND t.step = s.step) AS same
    FROM series s
    WHERE step BETWEEN 2 AND 5 AND falls >= 2 AND ones = 0 AND preflights = 0 AND coalesce(tries, 1) = 1 AND limit_value >= 2 * step
      -- the first request too took so many
      AND (limit_value - most) % step = 0)
SELECT arg_max(client, falls) AS subject_key, NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, CASE WHEN sum(falls) >= 5 THEN 0.93 ELSE 0.88 END AS confidence,
       sum(denied) AS explained, arg_max(ids, falls) AS evidence,
       sum(falls) || ' steps, all of the same width, and no preflight or repetition between them' AS because,
       step, arg_max(limit_value, falls) AS "limit", floor(arg_max(limit_value, falls) / step) AS effective_limit, sum(falls) AS steps, count(*) AS keys
FROM double d WHERE same = falls
GROUP BY layer, policy, step
-- keys that are counted singly show that the limiter does not always do so
HAVING count(*) >= 0.8 * (SELECT count(*) FROM series o WHERE o.layer = d.layer AND o.policy = d.policy AND o.falls >= 2)
