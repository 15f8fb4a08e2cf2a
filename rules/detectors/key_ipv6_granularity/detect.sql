-- docker-ratelimit-source: 2001:db8:801:2000::
WITH named AS (
    SELECT *, coalesce(nullif(regexp_extract(headers, '"[a-z-]*(?:source|client|key|bucket|partition)[a-z-]*"\s*:\s*\[?\s*"(([0-9a-f]{1,4}:){2,4}:)(?:/[0-9]{1,3})?"', 1), ''),
                       nullif(regexp_extract(lower(coalesce(partition_key, '')), '^(([0-9a-f]{1,4}:){2,4}:)(?:/[0-9]{1,3})?$', 1), '')) AS prefix
    FROM answers),
hosts AS (SELECT regexp_extract_all(lower(message), '(?:[0-9a-f]{1,4}:){3,7}(?::?[0-9a-f]{1,4})+') AS found, 'F' || file || ':' || line AS id FROM notices WHERE message LIKE '%:%:%:%'),
each AS (SELECT unnest(found) AS host, id FROM hosts)
SELECT n.prefix AS subject_prefix, NULL AS limiter, min(n.moment) AS from_at, max(n.moment) AS to_at, CASE WHEN count(e.host) > 0 THEN 0.93 ELSE 0.85 END AS confidence, count(DISTINCT n.id) FILTER (n.denied AND n.file IS NOT NULL) AS explained,
       array_to_string(list(DISTINCT n.id)[1:4], ' ') || coalesce(' ' || min(e.id), '') AS evidence,
       'the response names the network that it counts by, not the host' || coalesce(chr(10) || 'the host ' || min(e.host) || ' is in it', '') AS because,
       n.prefix, 16 * (length(n.prefix) - length(replace(n.prefix, ':', '')) - 1) AS prefix_bits, max(n.limit_value) AS "limit", max(n.window_seconds) AS window_seconds, count(DISTINCT e.host) AS hosts_named
FROM named n LEFT JOIN each e ON starts_with(e.host, left(n.prefix, length(n.prefix) - 1)) AND e.host <> n.prefix
WHERE n.prefix IS NOT NULL AND n.denied GROUP BY n.prefix
