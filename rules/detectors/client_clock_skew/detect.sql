-- WARN got 429 reset=1772445660 resume in -790 s
WITH said AS (
    SELECT 'F' || file || ':' || line AS id, file, line, logged_at, epoch_us(logged_at) / 1e6 AS stamp,
           try_cast(regexp_extract(lower(coalesce(message, '') || ' ' || coalesce(other_fields, '')), 'reset[a-z_-]{0,8}"?\s*[:=]?\s*"?([0-9]{10})', 1) AS DOUBLE) AS reset_s,
           try_cast(regexp_extract(lower(coalesce(message, '') || ' ' || coalesce(other_fields, '')), '(?:resum\w*|wait\w*|sleep\w*|retry\w*|back ?off|delay\w*|pause\w*)[a-z_ "]{0,14}[:=]?\s*"?(-[0-9]+(?:[.][0-9]+)?)\s*(?:s\b|sec|ms|$|["}])', 1) AS DOUBLE) AS wait
    FROM notices WHERE regexp_matches(lower(coalesce(message, '') || coalesce(other_fields, '')), '-[0-9]') AND (message IS NOT NULL OR other_fields IS NOT NULL)),
negative AS (SELECT * FROM said WHERE wait < -1),
matched AS (
    SELECT n.*, s.at_us / 1e6 AS server_s, s.id AS answer
    FROM negative n LEFT JOIN (SELECT DISTINCT ON (reset_us) reset_us, at_us, id FROM answers WHERE reset_us IS NOT NULL AND at_us IS NOT NULL ORDER BY reset_us, at_us) s ON abs(s.reset_us / 1e6 - n.reset_s) < 1),
-- client stamps beside the Date of the response
dated AS (
    SELECT id, file, line, moment, at_us / 1e6 - epoch(try_strptime(regexp_extract(headers, '"date"\s*:\s*\[?\s*"[a-z]{3}, ([0-9]{2} [a-z]{3} [0-9]{4} [0-9:]{8}) gmt', 1), '%d %b %Y %H:%M:%S')) AS off,
           reset_us / 1e6 - at_us / 1e6 AS wait
    FROM answers WHERE contains(headers, '"date"') AND at_us IS NOT NULL),
off AS (SELECT count(*) AS n, median(off) AS middle, quantile_cont(off, 0.9) - quantile_cont(off, 0.1) AS spread, median(wait) AS wait, min(moment) AS from_at, max(moment) AS to_at, array_to_string(list(DISTINCT id)[1:5], ' ') AS ids FROM dated WHERE off IS NOT NULL)
SELECT NULL AS limiter, min(logged_at) AS from_at, max(logged_at) AS to_at, CASE WHEN count(server_s) > 0 THEN 0.95 ELSE 0.75 END AS confidence, 0 AS explained,
       array_to_string(list(id ORDER BY file, line)[1:4], ' ') || coalesce(' ' || min(answer), '') AS evidence,
       'the client reckons a wait of ' || round(arg_min(wait, line)) || ' s until a reset that lies ahead'
         || CASE WHEN count(server_s) > 0 THEN chr(10) || 'the response with this reset bears a date ' || round(min(stamp - server_s)) || ' s before the client''s stamp' ELSE '' END AS because,
       coalesce(round(min(stamp - server_s), 3), round(-min(wait), 3)) AS offset_seconds_low, round(min(stamp - server_s), 3) AS offset_seconds_high, round(arg_min(wait, line), 3) AS computed_wait_seconds, count(*) AS responses
FROM matched HAVING count(*) > 0
UNION ALL
SELECT NULL, from_at, to_at, 0.9, 0, ids, 'the client''s stamps and the Date of its responses differ by ' || round(middle, 1) || ' s, over and over', round(middle - 1, 3), round(middle + 1, 3), round(coalesce(wait, 0), 3), n
FROM off WHERE abs(middle) > 10 AND spread < 5 AND abs(middle) < 3e6 AND NOT EXISTS (SELECT 1 FROM matched)
  -- whole hours are a zone that the log does not name
  AND abs(middle - round(middle / 1800) * 1800) > 10
