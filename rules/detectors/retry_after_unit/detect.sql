-- the pause after a denial, against the pause that the denial asked for
WITH asked AS (
    SELECT a.id, a.file, a.client, a.client_field, a.request_id, a.method, a.route, a.denied, a.retry_after_seconds AS wait, a.at_us, a.line, a.moment,
           count(*) OVER (PARTITION BY a.request_id, a.file) AS tries
    FROM (SELECT DISTINCT ON (id) * FROM answers WHERE file IS NOT NULL ORDER BY id, retry_after_seconds NULLS LAST) a),
paused AS (
    SELECT *, (lead(at_us) OVER w - at_us) / 1e6 AS gap
    FROM asked WINDOW w AS (PARTITION BY file, client, method, route, CASE WHEN tries > 1 THEN request_id END ORDER BY at_us, line)),
ratios AS (SELECT *, gap / wait AS ratio FROM paused WHERE denied AND wait > 0 AND gap > 0),
clients AS (
    SELECT file, client, any_value(client_field) AS client_field, count(*) AS n, median(ratio) AS middle, median(wait) AS wait, median(gap) AS gap,
           quantile_cont(ratio, 0.1) AS low, quantile_cont(ratio, 0.9) AS high, count(DISTINCT wait) AS waits, min(moment) AS from_at, max(moment) AS to_at,
           array_to_string(list(id ORDER BY at_us, line)[1:5], ' ') AS ids
    FROM ratios GROUP BY file, client),
-- one value of Retry-After only: a fixed pause may have this length by chance, so it must be close to it
misread AS (
    SELECT *, CASE WHEN middle < 0.01 THEN 'seconds are taken for milliseconds' ELSE 'milliseconds are made of what are seconds' END AS read_as
    FROM clients
    WHERE (n >= 3 AND low >= 0.00095 AND high <= 0.0016 AND high <= 1.6 * low) OR (n >= 2 AND low >= 900 AND high <= 1300))
SELECT CASE WHEN count(*) = 1 AND any_value(client_field) = 'api_key' THEN any_value(client) END AS subject_api_key,
       CASE WHEN count(*) = 1 AND any_value(client_field) = 'user' THEN any_value(client) END AS subject_user,
       CASE WHEN count(*) = 1 AND any_value(client_field) IN ('client_ip', 'tenant') THEN any_value(client) END AS subject_client_ip,
       NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, CASE WHEN max(waits) > 1 THEN 0.95 ELSE 0.8 END AS confidence, 0 AS explained,
       arg_max(ids, n) AS evidence,
       'the pause is a constant part of Retry-After, near a thousandth or a thousandfold' AS because,
       count(*) AS clients, sum(n) AS retries, median(wait) AS retry_after_seconds, round(median(gap), 4) AS median_gap_seconds, round(median(middle), 5) AS ratio, read_as
FROM misread GROUP BY read_as
