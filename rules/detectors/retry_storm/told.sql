-- The log itself links the attempts: one request id, several denied lines in one file. Without ids: the pace quickens after a denial.
WITH lines AS (
    SELECT r.file, r.line, r.request_id, r.attempt, r.status, r.method, split_part(coalesce(r.path, ''), '?', 1) AS path, coalesce(r.api_key, r."user", r.tenant, r.client_ip, '') AS client, r.api_key, r."user",
           r.client_ip, r.user_agent, r.logged_at AS moment, epoch_us(r.logged_at) AS at_us, q.retry_after_seconds AS wait, i.time_resolution_seconds AS u
    FROM requests r JOIN inputs i ON i.file = r.file LEFT JOIN (SELECT file, line, max(retry_after_seconds) AS retry_after_seconds FROM quotas GROUP BY ALL) q ON q.file = r.file AND q.line = r.line
    WHERE (SELECT count(*) FROM (SELECT 1 FROM requests LIMIT 20001)) <= 20000),
linked AS (
    SELECT *, count(*) OVER g AS tries, lead(at_us) OVER (g ORDER BY at_us, line) - at_us AS gap_us, lag(status) OVER (g ORDER BY at_us, line) AS status_before, lag(wait) OVER (g ORDER BY at_us, line) AS wait_before,
           at_us - lag(at_us) OVER (g ORDER BY at_us, line) AS since_us, lead(status) OVER (g ORDER BY at_us, line) AS next_status
    FROM lines WHERE request_id IS NOT NULL WINDOW g AS (PARTITION BY file, request_id)),
storms AS (
    SELECT *, status_before = 429 AND since_us / 1e6 <= greatest(1, 0.9 * coalesce(wait_before, 0)) AS retry FROM linked),
clients AS (
    SELECT client, file, count(*) AS sent, count(*) FILTER (retry) AS retries, count(DISTINCT request_id) AS first_attempts, median(since_us) FILTER (retry) / 1e6 AS delay,
           count(*) FILTER (retry AND since_us / 1e6 < wait_before) AS ignored, count(*) FILTER (retry AND status = 429) AS denied, max(tries) AS longest, max(u) AS u, max(client_ip) AS client_ip, max(api_key) AS api_key, max("user") AS "user", max(user_agent) AS user_agent,
           min(moment) AS from_at, max(moment) AS to_at, array_to_string(list('F' || file || ':' || line ORDER BY at_us, line) FILTER (retry)[1:5], ' ') AS ids
    FROM storms GROUP BY client, file),
storming AS (SELECT * FROM clients WHERE longest >= 3 AND retries >= 2 AND retries >= 0.5 * first_attempts AND delay < 5)
SELECT CASE WHEN count(*) = 1 THEN any_value(api_key) END AS subject_api_key, CASE WHEN count(*) = 1 THEN any_value("user") END AS subject_user, CASE WHEN count(*) = 1 THEN any_value(client_ip) END AS subject_client_ip,
       CASE WHEN count(*) = 1 THEN any_value(user_agent) END AS subject_user_agent, NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, 0.95 AS confidence, sum(denied) AS explained, arg_max(ids, retries) AS evidence,
       'the attempts bear one request id' || CASE WHEN sum(ignored) > 0 THEN chr(10) || sum(ignored) || ' came before Retry-After was over' ELSE '' END AS because,
       count(*) AS clients, sum(sent) AS requests, sum(sent - retries) AS first_attempts, sum(retries) AS retries, round(sum(sent) / greatest(sum(sent - retries), 1), 3) AS amplification,
       round((SELECT count(*) FROM lines) / greatest((SELECT count(*) FROM lines) - sum(retries), 1), 3) AS overall_amplification,
       greatest(0, round(median(delay) - CASE WHEN max(u) >= 0.5 THEN max(u) ELSE 0 END, 6)) AS median_retry_delay_seconds_low, round(median(delay) + CASE WHEN max(u) >= 0.5 THEN max(u) ELSE 0 END, 6) AS median_retry_delay_seconds_high,
       sum(ignored) AS retry_after_ignored, 'high' AS severity
FROM storming HAVING count(*) > 0
