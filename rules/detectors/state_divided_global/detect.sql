WITH lines AS (
    SELECT 'F' || file || ':' || line AS id, file, line, logged_at AS moment, lower(coalesce(message, '') || ' ' || coalesce(other_fields, '')) AS text FROM notices
    UNION ALL SELECT 'F' || file || ':' || line, file, line, logged_at, lower(coalesce(logged_message, '') || ' ' || coalesce(response_body, '') || ' ' || coalesce(other_fields, '')) FROM requests WHERE status = 429 AND (logged_message IS NOT NULL OR response_body IS NOT NULL OR other_fields IS NOT NULL)
    UNION ALL SELECT 'C' || capture, NULL, position, captured_at, lower(coalesce(body, '')) FROM captures),
named AS (
    SELECT *, try_cast(regexp_extract(text, 'limit(?: exceeded)?[^0-9]{0,40}?\(?limit:? ?([0-9]+(?:[.][0-9]+)?)(?: ?(?:bytes|lines|samples|requests|req))?(?:/s| per s)', 1) AS DOUBLE) AS enforced FROM lines WHERE contains(text, 'limit')),
configured AS (
    SELECT id, v FROM (
        SELECT id, unnest([try_cast(regexp_extract(text, 'ingestion[_ ]rate[_ ](?:limit[_ ])?mb"?\s*[:=]\s*"?([0-9]+(?:[.][0-9]+)?)', 1) AS DOUBLE) * 1048576,
                           try_cast(regexp_extract(text, '(?:ingestion[_ ]rate|(?:global|configured|total)[a-z _-]{0,20}(?:limit|rate))"?\s*(?:is|of|[:=])?\s*"?([0-9]+(?:[.][0-9]+)?)(?: ?(?:/s|bytes|samples|req|$|[^0-9.m]))', 1) AS DOUBLE),
                           try_cast(regexp_extract(text, '(?:global|configured|total)[a-z _-]{0,20}(?:limit|rate)"?\s*(?:is|of|[:=])?\s*"?([0-9]+(?:[.][0-9]+)?) ?mb', 1) AS DOUBLE) * 1048576]) AS v
        FROM lines) WHERE v > 0),
named_and_configured AS (
    SELECT n.enforced, c.v, round(c.v / n.enforced) AS nodes, count(DISTINCT n.id) AS denied, min(n.moment) AS from_at, max(n.moment) AS to_at, array_to_string(list(DISTINCT n.id)[1:4], ' ') || ' ' || min(c.id) AS ids
    FROM named n, configured c WHERE n.enforced > 0 AND c.v > n.enforced GROUP BY ALL)
SELECT NULL AS limiter, from_at, to_at, 0.88 AS confidence, 0 AS explained, ids AS evidence, 'the limit in the message, times ' || nodes || ', is the configured one' AS because,
       v AS configured, enforced, nodes, denied
FROM named_and_configured WHERE nodes BETWEEN 2 AND 64 AND abs(nodes * enforced - v) <= 0.005 * v ORDER BY nodes LIMIT 1
