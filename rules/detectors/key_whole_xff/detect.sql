WITH k AS (SELECT address AS client, limiter_key, max(counted) AS counted, max(limit_value) AS limit_value, min(id) AS id, min(moment) AS from_at, max(moment) AS to_at
           FROM keyed WHERE contains(limiter_key, ',') AND address <> '' GROUP BY address, limiter_key),
clients AS (SELECT client, count(*) AS keys, sum(counted) AS counted, max(counted) AS largest, max(limit_value) AS limit_value, min(from_at) AS from_at, max(to_at) AS to_at,
                   array_to_string(list(id ORDER BY id)[1:6], ' ') AS ids FROM k GROUP BY client HAVING count(*) >= 2),
promised AS (SELECT min(count) AS "limit" FROM promises)
SELECT arg_max(client, keys) AS subject_client, NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, 0.95 AS confidence, 0 AS explained, arg_max(ids, keys) AS evidence,
       'the keys begin with the same address and differ in the proxies behind it' AS because,
       max(keys) AS keys, arg_max(counted, keys) AS counted, arg_max(largest, keys) AS largest, coalesce(max(limit_value), max(p."limit")) AS "limit", count(*) AS clients
FROM clients, promised p HAVING count(*) > 0
