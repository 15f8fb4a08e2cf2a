WITH raw AS (
    SELECT *, try_cast(regexp_extract(lower(coalesce(other_fields, '') || ' ' || coalesce(message, '')), '"?\b(?:now|now_s|now_ms|arg_now|caller_now|node_time|clock)"?\s*[:=]\s*"?([0-9]{9,16}(?:[.][0-9]+)?)', 1) AS DOUBLE) AS said,
           try_cast(regexp_extract(lower(coalesce(other_fields, '') || ' ' || coalesce(message, '')), '"?\b(?:tokens|tokens_left|remaining)"?\s*[:=]\s*"?([0-9]+(?:[.][0-9]+)?)', 1) AS DOUBLE) AS tokens
    FROM keyed WHERE node <> ''),
calls AS (SELECT *, CASE WHEN said > 1e14 THEN said / 1e6 WHEN said > 1e11 THEN said / 1e3 ELSE said END AS now_s FROM raw WHERE said IS NOT NULL),
ordered AS (SELECT *, max(now_s) OVER (PARTITION BY limiter_key ORDER BY at_us, line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest, lag(node) OVER (PARTITION BY limiter_key ORDER BY at_us, line) AS node_before,
                   lead(now_s) OVER (PARTITION BY limiter_key ORDER BY at_us, line) AS now_after FROM calls),
offsets AS (SELECT limiter_key, node, median(now_s - at_us / 1e6) AS off FROM calls GROUP BY ALL),
ahead AS (SELECT limiter_key, max(off) AS off, count(*) AS nodes FROM offsets GROUP BY limiter_key),
keys AS (
    SELECT o.limiter_key, count(*) FILTER (now_s < latest AND node <> node_before) AS rewinds, count(*) FILTER (now_s < latest AND now_after >= latest) AS refills, count(*) FILTER (coalesce(allowed, true)) AS admitted,
           (max(at_us) - min(at_us)) / 1e6 AS span, max(tokens) + 1 AS capacity, min(moment) AS from_at, max(moment) AS to_at, max(latest - now_s) FILTER (now_s < latest) AS widest,
           array_to_string(list(id ORDER BY at_us, line) FILTER (now_s < latest OR (latest IS NOT NULL AND node <> node_before))[1:6], ' ') AS ids
    FROM ordered o GROUP BY o.limiter_key)
SELECT k.limiter_key AS subject_key, NULL AS limiter, k.from_at, k.to_at, CASE WHEN k.rewinds >= 2 THEN 0.95 ELSE 0.85 END AS confidence, 0 AS explained, k.ids AS evidence,
       'the time argument goes back when the node changes, by up to ' || round(k.widest, 3) || ' s' || CASE WHEN k.refills > 0 THEN chr(10) || 'and forward again: the same time fills the bucket twice' ELSE '' END AS because,
       a.nodes, (SELECT string_agg(node || '=' || round(f.off - a.off, 3), chr(10) ORDER BY node) FROM offsets f WHERE f.limiter_key = k.limiter_key) AS offset_seconds,
       k.rewinds, k.admitted, round(k.span, 3) AS span_seconds, k.capacity
FROM keys k JOIN ahead a ON a.limiter_key = k.limiter_key WHERE a.nodes >= 2 AND k.rewinds >= 1 AND k.widest >= 0.05 ORDER BY k.rewinds DESC LIMIT 3
