WITH one AS (
    SELECT *, lag(remaining) OVER w - remaining AS step, lag(denied) OVER w AS denied_before
    FROM answers WHERE remaining IS NOT NULL AND limit_value > 0 AND file IS NOT NULL WINDOW w AS (PARTITION BY layer, client, coalesce(policy, '') ORDER BY at_us, line)),
series AS (
    SELECT layer, client, policy, count(*) AS sent, count(*) FILTER (denied) AS denied, count(*) FILTER (NOT denied) AS admitted, count(*) FILTER (denied AND remaining >= 1) AS odd,
           count(*) FILTER (step = 1) AS ones, count(*) FILTER (step > 1) AS others, count(*) FILTER (denied_before AND NOT denied) AS again, max(limit_value) AS "limit", max(window_seconds) AS w,
           min(moment) AS from_at, max(moment) AS to_at, array_to_string(list(id ORDER BY at_us, line) FILTER (denied)[1:5], ' ') AS ids
    FROM one GROUP BY ALL)
SELECT client AS subject_client, NULL AS limiter, from_at, to_at, 0.85 AS confidence, denied AS explained, ids AS evidence,
       'what is left falls one by one to nothing, and only then is denied' || CASE WHEN again > 0 THEN chr(10) || 'admitted again afterwards' ELSE '' END AS because,
       sent, admitted, denied, "limit", CASE WHEN w IS NOT NULL THEN ' per ' || w || ' s' ELSE '' END AS per_window, again AS admitted_again
FROM series WHERE denied >= 1 AND odd = 0 AND ones >= 1 AND others <= 0.1 * ones ORDER BY denied DESC LIMIT 3
