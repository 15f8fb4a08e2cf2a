-- without the keys: each chain of one client starts at the full limit and counts down on its own
WITH lines AS (SELECT *, trim(split_part(forwarded, ',', 1)) AS leftmost FROM answers WHERE contains(forwarded, ',') AND remaining IS NOT NULL AND limit_value > 1 AND file IS NOT NULL),
chains AS (SELECT leftmost, forwarded, count(*) AS n, max(remaining) AS most, max(limit_value) AS limit_value, max(remaining) - min(remaining) AS fell, min(id) AS id, min(moment) AS from_at, max(moment) AS to_at
           FROM lines GROUP BY leftmost, forwarded),
clients AS (SELECT leftmost, count(*) AS keys, sum(n) AS counted, max(n) AS largest, max(limit_value) AS limit_value, min(from_at) AS from_at, max(to_at) AS to_at, array_to_string(list(id ORDER BY id)[1:6], ' ') AS ids
            FROM chains GROUP BY leftmost HAVING count(*) >= 2 AND count(*) FILTER (n >= 2 AND fell = n - 1 AND most = limit_value - 1) >= 2 AND count(*) FILTER (most < limit_value - 1) = 0)
SELECT arg_max(leftmost, keys) AS subject_client, NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, 0.85 AS confidence, 0 AS explained, arg_max(ids, keys) AS evidence,
       'what is left starts at the full limit for each chain of the same client' AS because,
       max(keys) AS keys, arg_max(counted, keys) AS counted, arg_max(largest, keys) AS largest, max(limit_value) AS "limit", count(*) AS clients
FROM clients HAVING count(*) > 0
