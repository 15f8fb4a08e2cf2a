WITH k AS (SELECT regexp_extract(limiter_key, '((?:[0-9]{1,3}[.]){3}[0-9]{1,3}|\[[0-9a-fA-F:.]+\]|ip_[0-9a-z]+(?:[.][0-9a-z]+)+(?:~[a-z_]+)?):([0-9]{2,5})(?:[^0-9.]|$)', 1) AS client, limiter_key,
                  max(counted) AS counted, max(limit_value) AS limit_value, min(id) AS id, min(moment) AS from_at, max(moment) AS to_at FROM keyed GROUP BY ALL),
clients AS (SELECT client, count(*) AS keys, sum(coalesce(counted, 1)) AS counted, max(limit_value) AS limit_value, min(from_at) AS from_at, max(to_at) AS to_at, array_to_string(list(id ORDER BY id)[1:6], ' ') AS ids
            FROM k WHERE client <> '' GROUP BY client HAVING count(*) >= 2),
promised AS (SELECT min(count) AS "limit" FROM promises)
SELECT arg_max(client, keys) AS subject_client, NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, 0.95 AS confidence, 0 AS explained, arg_max(ids, keys) AS evidence,
       'the keys have the same address and differ in the port' AS because,
       max(keys) AS keys, arg_max(counted, keys) AS counted, coalesce(max(limit_value), max(p."limit")) AS "limit", count(*) AS clients
FROM clients, promised p HAVING count(*) > 0
