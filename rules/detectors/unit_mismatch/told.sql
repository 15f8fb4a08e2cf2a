-- No limiter needs to be known: a promise over a minute or more, a client below it, denials, and an end of the wait long before the promised
-- time is over.
WITH p AS (SELECT * FROM promises WHERE per_seconds >= 10),
asked AS (
    SELECT coalesce(s.api_key, s."user", s.client_ip, '') AS client, s.api_key, s.client_ip, s.denied AND s.reason IN ('limit', 'unknown') AS denied, s.status, s.at_us, s.moment, s.file, s.line, p.text, p.count AS promised, p.per_seconds, p.source,
           count(*) OVER (PARTITION BY coalesce(s.api_key, s."user", s.client_ip, ''), p.text, p.per_seconds ORDER BY s.at_us RANGE BETWEEN CAST(p.per_seconds * 1e6 AS BIGINT) - 1 PRECEDING AND CURRENT ROW) AS in_promise,
           count(*) OVER (PARTITION BY coalesce(s.api_key, s."user", s.client_ip, ''), p.text, p.per_seconds ORDER BY s.at_us RANGE BETWEEN 999999 PRECEDING AND CURRENT ROW) AS in_second
    FROM seen s, p WHERE s.status < 500),
waits AS (SELECT exchange, max(retry_after_seconds) AS wait, max(window_seconds) AS w, max(reset_seconds) AS reset FROM answers WHERE denied AND file IS NOT NULL GROUP BY exchange),
slices AS (
    SELECT a.client, a.text, a.per_seconds, min(coalesce(w.w, w.wait, w.reset)) AS slice, min_by(a.at_us / 1e6 + w.wait, a.at_us) AS ends, bool_or(w.w < 1) AS tiny
    FROM asked a JOIN seen s ON s.file = a.file AND s.line = a.line JOIN waits w ON w.exchange = s.exchange WHERE a.denied GROUP BY ALL),
after AS (
    SELECT a.client, a.text, a.per_seconds, min(b.at_us - a.at_us) / 1e6 AS admitted_after FROM asked a JOIN asked b ON b.client = a.client AND b.text = a.text AND b.per_seconds = a.per_seconds AND NOT b.denied AND b.at_us > a.at_us
    WHERE a.denied AND (SELECT count(*) FROM asked) <= 20000 GROUP BY ALL),
clients AS (
    SELECT client, text, promised, per_seconds, any_value(source) AS source, max(in_promise) AS most, max(in_second) AS peak, count(*) AS sent, count(*) FILTER (denied) AS denied, any_value(api_key) AS api_key, any_value(client_ip) AS client_ip,
           min(moment) AS from_at, max(moment) AS to_at, min(at_us) FILTER (denied) AS first_us, array_to_string(list('F' || file || ':' || line ORDER BY at_us) FILTER (denied)[1:5], ' ') AS ids
    FROM asked GROUP BY ALL),
-- lines that a note says are left out
omitted AS (SELECT coalesce(sum(try_cast(regexp_extract(lower(text), '([0-9]+) ?(?:-|to) ?([0-9]+) (?:are|were) omitted', 2) AS BIGINT) - try_cast(regexp_extract(lower(text), '([0-9]+) ?(?:-|to) ?([0-9]+) (?:are|were) omitted', 1) AS BIGINT) + 1), 0) AS n FROM notes),
first AS (SELECT c.client, c.text, c.per_seconds, count(*) FILTER (NOT a.denied AND a.at_us < c.first_us) AS burst FROM clients c JOIN asked a ON a.client = c.client AND a.text = c.text AND a.per_seconds = c.per_seconds GROUP BY ALL)
SELECT c.api_key AS subject_api_key, CASE WHEN c.api_key IS NULL THEN c.client_ip END AS subject_client_ip, NULL AS limiter, c.from_at, c.to_at, 0.88 AS confidence, c.denied AS explained, c.ids || CASE WHEN c.source LIKE 'F%' THEN ' ' || c.source ELSE '' END AS evidence,
       'promised: ' || c.text || chr(10) || 'the busiest stretch of that length holds ' || (c.most + o.n) || ' requests' || chr(10)
         || CASE WHEN s.slice IS NOT NULL THEN 'the denial says to come back after ' || round(s.slice, 3) || ' s, not after ' || c.per_seconds || ' s'
                 ELSE 'the client is admitted again ' || round(r.admitted_after, 1) || ' s after a denial' END
         || CASE WHEN o.n > 0 THEN chr(10) || 'a note says that ' || o.n || ' lines are left out: counted as admitted' ELSE '' END AS because,
       round(c.promised / c.per_seconds, 3) AS claimed_per_second, round((c.most + o.n) / c.per_seconds, 3) AS mean_per_second, c.peak AS peak_per_second, f.burst + o.n AS allowed_burst, c.denied,
       CASE WHEN s.tiny OR coalesce(s.slice, r.admitted_after) <= c.per_seconds / 800 THEN 'unit-ms-s' ELSE 'unit-window-slice' END AS pitfall
FROM clients c JOIN first f ON f.client = c.client AND f.text = c.text AND f.per_seconds = c.per_seconds LEFT JOIN slices s ON s.client = c.client AND s.text = c.text AND s.per_seconds = c.per_seconds
LEFT JOIN after r ON r.client = c.client AND r.text = c.text AND r.per_seconds = c.per_seconds, omitted o
WHERE c.most + o.n <= 0.9 * c.promised AND c.denied >= 3 AND coalesce(s.slice, r.admitted_after) < 0.5 * c.per_seconds
  -- the first denial comes at a whole part of the promise, or far below it
  AND f.burst + o.n <= 0.6 * c.promised
ORDER BY c.denied DESC LIMIT 3
