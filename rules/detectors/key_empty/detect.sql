WITH k AS (SELECT *, regexp_extract(limiter_key, '([^:/|_=]*)$', 1) AS tail, coalesce(allowed = false, false) OR kind = 'limiter_reject' OR coalesce(counted > limit_value, false) AS denied FROM keyed),
hit AS (SELECT limiter_key, count(*) AS n, count(DISTINCT coalesce(client_ip, trim(split_part(forwarded, ',', 1)))) AS clients, count(*) FILTER (denied) AS denied, min(moment) AS from_at, max(moment) AS to_at,
               array_to_string(list(id ORDER BY denied DESC, at_us)[1:5], ' ') AS ids
        FROM k WHERE lower(tail) IN ('unknown', 'undefined', 'null', 'nan', 'none', '(null)', '-', 'anonymous', '[object object]') OR limiter_key = '' OR limiter_key LIKE '%:' OR limiter_key LIKE '%=' GROUP BY limiter_key)
SELECT CASE WHEN limiter_key = '' THEN '(empty)' ELSE limiter_key END AS subject_key, NULL AS limiter, from_at, to_at, CASE WHEN clients >= 2 THEN 0.93 ELSE 0.8 END AS confidence, denied AS explained, ids AS evidence,
       'the key is a word for "nothing there"' || CASE WHEN clients >= 2 THEN chr(10) || clients || ' clients share it' ELSE '' END AS because, n AS requests, clients, denied
FROM hit WHERE denied >= 1 AND (clients >= 2 OR n >= 3) ORDER BY denied DESC LIMIT 3
