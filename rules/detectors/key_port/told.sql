-- a proxy that sends address:port, and a count that is full for each port
WITH lines AS (
    SELECT *, regexp_extract(trim(split_part(coalesce(forwarded, client_ip), ',', 1)), '^"?((?:[0-9]{1,3}[.]){3}[0-9]{1,3}|\[[0-9a-fA-F:.]+\]|ip_[0-9a-z]+(?:[.][0-9a-z]+)+(?:~[a-z_]+)?):[0-9]{2,5}"?$', 1) AS address,
           trim(split_part(coalesce(forwarded, client_ip), ',', 1)) AS socket
    FROM answers WHERE file IS NOT NULL AND remaining IS NOT NULL AND limit_value > 1),
sockets AS (SELECT address, socket, count(*) AS n, max(remaining) AS most, max(remaining) - min(remaining) AS fell, max(limit_value) AS limit_value, min(id) AS id, min(moment) AS from_at, max(moment) AS to_at
            FROM lines WHERE address <> '' GROUP BY ALL),
clients AS (SELECT address, count(*) AS keys, sum(n) AS counted, max(limit_value) AS limit_value, min(from_at) AS from_at, max(to_at) AS to_at, array_to_string(list(id ORDER BY id)[1:6], ' ') AS ids
            FROM sockets GROUP BY address HAVING count(*) >= 3 AND bool_and(most = limit_value - 1 AND fell = n - 1))
SELECT arg_max(address, keys) AS subject_client, NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, 0.9 AS confidence, 0 AS explained, arg_max(ids, keys) AS evidence,
       'the proxy sends address and port, and what is left is the full limit for each port' AS because,
       max(keys) AS keys, arg_max(counted, keys) AS counted, max(limit_value) AS "limit", count(*) AS clients
FROM clients HAVING count(*) > 0
