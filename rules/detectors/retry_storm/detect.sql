-- A repetition has the method and path of the request that was denied and follows it within a few requests of the same client. How often that
-- happens by chance is seen after requests that were admitted: a client that keeps its pace repeats a path as often after an admission as after a
-- denial; a client that retries does so after denials only. Paths that a client asks all the time tell nothing and are left out of the test.
WITH placed AS (
    SELECT *, row_number() OVER (PARTITION BY who ORDER BY stamp_us, outer_line) AS place,
           count(*) OVER (PARTITION BY who) AS of_client, count(*) OVER (PARTITION BY who, method, path) AS of_path
    FROM seen),
followed AS (
    SELECT *, lead(place) OVER w - place AS requests_between, (lead(stamp_us) OVER w - stamp_us) / 1e6 AS gap, lead(denied) OVER w AS next_denied
    FROM placed WINDOW w AS (PARTITION BY who, method, path ORDER BY stamp_us, outer_line)),
tested AS (
    SELECT *, of_path <= 0.06 * of_client AND of_client >= 50 AS rare,
           coalesce(requests_between <= 10 AND gap <= 1 + resolution_seconds, false) AS repeated
    FROM followed),
chance AS (
    SELECT who, count(*) FILTER (denied AND rare) AS denied_rare, count(*) FILTER (NOT denied AND rare) AS admitted_rare,
           count(*) FILTER (denied AND rare AND repeated) / nullif(count(*) FILTER (denied AND rare), 0) AS after_denial,
           count(*) FILTER (NOT denied AND rare AND repeated) / nullif(count(*) FILTER (NOT denied AND rare), 0) AS after_admission,
           median(gap) FILTER (denied AND rare AND repeated) AS delay,
           -- one path only: the delay must tell
           count(DISTINCT (method, path)) AS paths, count(*) FILTER (denied) AS denied, count(*) FILTER (NOT denied) AS admitted,
           median(gap) FILTER (denied) AS any_delay, median(gap) FILTER (NOT denied) AS any_pace, max(resolution_seconds) AS resolution
    FROM tested GROUP BY who HAVING count(*) FILTER (denied) >= 20),
storming AS (
    SELECT who, greatest(3 * delay, resolution) AS within FROM chance
    WHERE denied_rare >= 10 AND admitted_rare >= 5 AND after_denial - after_admission > 0.35 AND delay < 1
    UNION ALL
    SELECT who, greatest(3 * any_delay, resolution) FROM chance
    WHERE paths <= 3 AND admitted >= 20 AND any_delay < 1 AND any_pace > 10 * greatest(any_delay, resolution)),
linked AS (
    SELECT t.*, s.within, denied AND coalesce(gap <= within, false) AS retried, rare AND denied AND coalesce(gap <= within, false) AS rare_retried,
           try_cast(regexp_extract(r.response_headers, '(?i)"retry-after":\s*\[?"?([0-9]+)', 1) AS DOUBLE) AS wait
    FROM tested t JOIN storming s ON s.who = t.who LEFT JOIN requests r ON r.file = t.file AND r.line = t.line),
per_client AS (
    SELECT who, count(*) AS sent, count(*) FILTER (rare) AS rare_sent,
           -- where rare paths tell, they stand for all: on a path that is asked all the time the next request need not be a retry
           CASE WHEN count(*) FILTER (rare) >= 50
                THEN count(*) * (count(*) FILTER (rare AND denied) / count(*) FILTER (rare)) * greatest(0, (after_denial - by_chance) / (1 - by_chance))
                ELSE count(*) FILTER (retried) END AS retries
    FROM (SELECT *, count(*) FILTER (rare_retried) OVER p / nullif(count(*) FILTER (rare AND denied) OVER p, 0) AS after_denial,
                 -- a new request may follow as fast as a retry: as often as it does after an admission
                 coalesce(count(*) FILTER (rare AND NOT denied AND gap <= within) OVER p / nullif(count(*) FILTER (rare AND NOT denied) OVER p, 0), 0) AS by_chance
          FROM linked WINDOW p AS (PARTITION BY who))
    GROUP BY who, after_denial, by_chance),
total AS (SELECT count(*) AS clients, sum(sent) AS sent, round(sum(retries)) AS retries FROM per_client),
shown AS (SELECT string_agg('F' || file || ':' || line, ' ' ORDER BY stamp_us) AS ids FROM (SELECT * FROM linked WHERE retried ORDER BY stamp_us LIMIT 5)),
rest AS (
    SELECT min(moment) AS from_at, max(moment) AS to_at, median(gap) FILTER (CASE WHEN rare THEN rare_retried ELSE retried END) AS delay,
           max(resolution_seconds) AS resolution, count(*) FILTER (retried AND gap < wait) AS ignored, count(wait) AS waits,
           count(*) FILTER (retried AND next_denied) AS denied_retries,
           any_value(api_key) AS api_key, any_value("user") AS "user", any_value(client_ip) AS client_ip, any_value(user_agent) AS user_agent
    FROM linked)
SELECT CASE WHEN clients = 1 THEN api_key END AS subject_api_key, CASE WHEN clients = 1 THEN "user" END AS subject_user,
       CASE WHEN clients = 1 THEN client_ip END AS subject_client_ip, CASE WHEN clients = 1 THEN user_agent END AS subject_user_agent,
       NULL AS limiter, from_at, to_at, 0.93 AS confidence, denied_retries AS explained, ids AS evidence,
       'after a denial the same request follows at once, after an admission it does not' || chr(10)
         || CASE WHEN waits = 0 THEN 'the log does not show which Retry-After was sent' ELSE ignored || ' came before Retry-After was over' END AS because,
       clients, sent AS requests, sent - retries AS first_attempts, retries, round(sent / greatest(sent - retries, 1), 3) AS amplification,
       round((SELECT count(*) FROM seen) / greatest((SELECT count(*) FROM seen) - retries, 1), 3) AS overall_amplification,
       greatest(0, delay - resolution) AS median_retry_delay_seconds_low, delay + resolution AS median_retry_delay_seconds_high,
       ignored AS retry_after_ignored
FROM total, shown, rest WHERE clients > 0 AND retries > 0
