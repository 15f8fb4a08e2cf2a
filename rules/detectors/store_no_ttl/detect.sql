-- the store itself says so: a TTL of -1 beside a limiter's key
WITH dumped AS (
    SELECT 'F' || n.file || ':' || n.line AS id, n.file, n.line, n.logged_at AS moment, coalesce(n.limiter_key, '') AS key, n.counted, coalesce(n.message, '') || ' ' || coalesce(n.other_fields, '') AS text
    FROM notices n WHERE regexp_matches(coalesce(n.message, '') || ' ' || coalesce(n.other_fields, ''), '(?i)\bttl"?\W{0,12}(\(integer\) )?-1\b')),
denials AS (SELECT count(*) AS n FROM seen WHERE denied),
told AS (SELECT min("limit") AS "limit", arg_min(w, "limit") AS w FROM (SELECT limit_value AS "limit", window_seconds AS w FROM answers WHERE limit_value > 0 UNION ALL SELECT count, per_seconds FROM promises))
SELECT CASE WHEN max(key) <> '' THEN max(key) ELSE regexp_extract(min(text), '(\S+:\S+)', 1) END AS subject_client, NULL AS limiter, min(moment) AS from_at, max(moment) AS to_at, 0.95 AS confidence, max(d.n) AS explained,
       array_to_string(list(id ORDER BY file, line)[1:5], ' ') AS evidence, 'the store says that the key never expires (TTL -1)' AS because,
       max(t."limit") AS "limit", max(t.w) AS window_seconds, NULL AS sent_per_window, max(d.n) AS denied,
       coalesce(max(counted), max(try_cast(regexp_extract(text, '(?i)(?:value|count|get)\W{0,12}([0-9]+)', 1) AS BIGINT))) AS counter, count(DISTINCT key) AS keys
FROM dumped, denials d, told t HAVING count(*) > 0
