-- Retry-After: 60000 beside X-RateLimit-Reset: 58
WITH denied AS (SELECT * FROM answers WHERE denied AND retry_after_seconds IS NOT NULL),
-- the client's next admission bounds the true wait from above
next AS (
    SELECT d.id, min(s.at_us - d.at_us) / 1e6 AS admitted_after
    FROM denied d JOIN seen s ON s.exchange > 0 AND NOT s.denied AND NOT s.hidden AND s.status < 400 AND s.at_us > d.at_us
         AND coalesce(s.api_key, s."user", s.client_ip) = d.client
    WHERE d.retry_after_seconds >= 1000 AND d.client <> ''
    GROUP BY d.id),
told AS (
    SELECT d.*, coalesce(CASE WHEN d.reset_seconds > 0 THEN d.reset_seconds END, d.window_seconds) AS wait, n.admitted_after,
           regexp_extract(d.headers, '"retry-after"\s*:\s*\[?\s*"?([^",\]}]+)', 1) AS written
    FROM denied d LEFT JOIN next n ON n.id = d.id),
judged AS (
    SELECT *, CASE WHEN retry_after_seconds >= 1e9 THEN 'a moment of the clock'
                   WHEN retry_after_seconds >= 1000 AND wait IS NOT NULL AND retry_after_seconds / 1000 BETWEEN 0.4 * wait AND 2.5 * wait THEN 'milliseconds'
                   WHEN retry_after_seconds >= 1000 AND wait IS NULL AND admitted_after < retry_after_seconds / 100 THEN 'milliseconds'
                   WHEN retry_after_form = 'delta_seconds' AND retry_after_seconds > 0 AND retry_after_seconds <> floor(retry_after_seconds) THEN 'a fraction' END AS unit
    FROM told),
wrong AS (SELECT *, row_number() OVER (PARTITION BY layer, component, unit ORDER BY at_us, id) AS n FROM judged WHERE unit IS NOT NULL)
SELECT layer AS subject_layer, component AS subject_component, NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at,
       CASE WHEN unit = 'milliseconds' AND min(wait) IS NULL THEN 0.8 ELSE 0.93 END AS confidence, 0 AS explained,
       string_agg(id, ' ' ORDER BY n) FILTER (n <= 5) AS evidence,
       CASE unit WHEN 'milliseconds' THEN 'a thousandth of it is the wait that the reset, the window or the next admission shows'
                 WHEN 'a fraction' THEN 'the standard knows whole seconds or a date; a client may read nothing, or 0'
                 ELSE 'as seconds it would end in decades; as a moment of the clock it is near' END AS because,
       count(*) AS responses, coalesce(nullif(arg_min(written, n), ''), CAST(arg_min(retry_after_seconds, n) AS VARCHAR)) AS retry_after_sent,
       round(arg_min(retry_after_seconds, n), 3) AS read_as_seconds,
       CASE unit WHEN 'a fraction' THEN round(arg_min(retry_after_seconds, n), 3) WHEN 'milliseconds' THEN 0 ELSE 0 END AS true_wait_seconds_low,
       round(coalesce(CASE WHEN unit = 'a fraction' THEN arg_min(ceil(retry_after_seconds), n) END, arg_min(wait, n), min(admitted_after)), 3) AS true_wait_seconds_high,
       unit
FROM wrong GROUP BY layer, component, unit ORDER BY responses DESC, unit
