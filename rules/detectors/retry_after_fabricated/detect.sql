-- upstream=429 upstream_retry_after=- action=pause waiting 60s
WITH lines AS (
    SELECT 'F' || file || ':' || line AS id, file, line, logged_at AS moment, lower(coalesce(message, '') || ' ' || coalesce(other_fields, '')) AS text FROM notices
    UNION ALL
    SELECT 'F' || file || ':' || line, file, line, logged_at, lower(coalesce(logged_message, '') || ' ' || coalesce(other_fields, '')) || CASE WHEN upstream_status LIKE '%429%' THEN ' upstream=429' ELSE '' END
    FROM requests WHERE other_fields IS NOT NULL OR logged_message IS NOT NULL),
hinting AS (SELECT * FROM lines WHERE contains(text, 'wait') OR contains(text, 'paus') OR contains(text, 'sleep') OR contains(text, 'cool') OR contains(text, 'back') OR contains(text, 'retry') OR contains(text, 'queue')),
told AS (
    SELECT *, regexp_matches(text, '(?:upstream|vendor|provider|backend)[a-z_ ]*"?\s*[:=]?\s*"?(status"?\s*[:=]?\s*"?)?429') AS refused,
           regexp_extract_all(text, '\b(?:wait|waiting|waited|waits|pause|paused|pausing|sleep|sleeping|cooldown|cool down|cooling down|backoff|backing off|retry in|retrying in)(?:_?seconds|_s)?"?\s*(?:for|of|[:=])?\s*"?([0-9]+(?:[.][0-9]+)?)\s*(?:ms|s|sec|seconds)?\b', 1) AS waited,
           regexp_extract(text, '(?:upstream|vendor|provider)[_-]retry[_-]after"?\s*[:=]\s*"?([0-9]+(?:[.][0-9]+)?)', 1) AS named,
           try_cast(regexp_extract(text, '\bqueued?_?(?:ms|millis)"?\s*[:=]\s*"?([0-9]+)', 1) AS DOUBLE) / 1000 AS queued,
           regexp_extract(text, '\b(?:model|route|operation|endpoint|deployment|resource)"?\s*[:=]\s*"?([^"\s,}]+)', 1) AS what,
           regexp_extract(text, '\b(?:account|tenant|org|project|key)"?\s*[:=]\s*"?([^"\s,}]+)', 1) AS whose
    FROM hinting),
waits AS (SELECT *, try_cast(waited[1] AS DOUBLE) AS wait FROM told WHERE refused AND len(waited) > 0),
held AS (SELECT t.* FROM told t WHERE t.queued >= 1 AND NOT t.refused AND EXISTS (SELECT 1 FROM waits w WHERE w.whose = t.whose AND w.what <> t.what)),
total AS (
    SELECT count(*) AS waits, min(wait) AS low, max(wait) AS high, count(*) FILTER (named <> '') AS named, min(moment) AS from_at, max(moment) AS to_at,
           array_to_string(list(id ORDER BY file, line)[1:6], ' ') AS ids FROM waits WHERE wait > 0),
others AS (SELECT count(*) AS n, median(queued) AS seconds, array_to_string(list(id ORDER BY file, line)[1:3], ' ') AS ids FROM held)
SELECT NULL AS limiter, from_at, to_at, CASE WHEN waits >= 5 THEN 0.93 ELSE 0.85 END AS confidence, 0 AS explained, t.ids || coalesce(' ' || o.ids, '') AS evidence,
       waits || ' of ' || waits || ' waits have the same length' || chr(10) || 'upstream sent no Retry-After' || CASE WHEN o.n > 0 THEN chr(10) || o.n || ' requests that were not refused waited too' ELSE '' END AS because,
       waits, low AS wait_seconds, named AS upstream_named, o.n AS collateral, round(o.seconds, 3) AS collateral_seconds,
       CASE WHEN o.n > 0 THEN ', and ' || o.n || ' requests of the same account for something else waited about ' || round(o.seconds) || ' s' ELSE '' END AS collateral_text
FROM total t, others o WHERE waits >= 3 AND low = high AND named = 0
