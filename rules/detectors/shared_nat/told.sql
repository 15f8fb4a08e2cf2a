-- one address, a count that is shared by everybody behind it, and denials; the identities must interleave
WITH lines AS (
    SELECT s.*, coalesce('key ' || s.api_key, 'user ' || s."user", 'session ' || nullif(regexp_extract(lower(coalesce(r.other_fields, '')), '"(?:session|session_id|sid|cookie|device|device_id)"\s*:\s*"([^"]+)"', 1), ''), 'agent ' || s.user_agent) AS name,
           s.api_key IS NOT NULL OR s."user" IS NOT NULL OR regexp_matches(lower(coalesce(r.other_fields, '')), '"(session|session_id|sid|cookie|device|device_id)"') AS known
    FROM seen s LEFT JOIN requests r ON r.file = s.file AND r.line = s.line
    WHERE s.client_ip IS NOT NULL AND NOT regexp_matches(s.client_ip, '^(10[.]|192[.]168[.]|172[.](1[6-9]|2[0-9]|3[01])[.]|127[.])|~(private|loopback)')),
names AS (SELECT client_ip, name, bool_or(known) AS known, count(*) AS sent, count(*) FILTER (denied) AS denied FROM lines WHERE name IS NOT NULL GROUP BY ALL),
stepped AS (SELECT client, remaining, limit_value, lag(remaining) OVER (PARTITION BY client_ip ORDER BY at_us, line) - remaining AS step, client_ip FROM answers WHERE remaining IS NOT NULL AND file IS NOT NULL),
shared AS (SELECT client_ip, count(*) FILTER (step = 1) AS ones, count(*) FILTER (step NOT IN (0, 1)) AS others, max(limit_value) AS "limit" FROM stepped GROUP BY client_ip),
promised AS (SELECT min(count) AS "limit" FROM promises),
logged AS (SELECT address, max(limit_value) AS "limit", count(*) AS n FROM keyed WHERE address <> '' GROUP BY address),
addresses AS (
    SELECT l.client_ip, min(l.moment) AS from_at, max(l.moment) AS to_at, count(*) AS sent, count(*) FILTER (l.denied) AS denied, count(DISTINCT l.forwarded) AS forwarded_values,
           array_to_string(list('F' || l.file || ':' || l.line ORDER BY l.denied DESC, l.stamp_us)[1:8], ' ') AS ids FROM lines l GROUP BY l.client_ip),
judged AS (
    SELECT a.*, coalesce(k."limit", s."limit", p."limit", a.sent - a.denied) AS "limit", (k.n IS NOT NULL OR s.ones >= 3 AND s.others <= 0.2 * s.ones) AS told,
           (SELECT count(*) FROM names n WHERE n.client_ip = a.client_ip) AS clients, (SELECT bool_and(n.known) FROM names n WHERE n.client_ip = a.client_ip) AS known,
           (SELECT max(n.sent) FROM names n WHERE n.client_ip = a.client_ip) AS most
    FROM addresses a LEFT JOIN shared s ON s.client_ip = a.client_ip LEFT JOIN logged k ON k.address = a.client_ip, promised p)
SELECT client_ip AS subject_client_ip, NULL AS limiter, from_at, to_at, CASE WHEN known THEN 0.92 ELSE 0.75 END AS confidence, j.denied AS explained, ids AS evidence,
       clients || ' identities send from this one address, all counted in one bucket' || chr(10) || 'none of them sends more than ' || most || ' requests, against a limit of ' || "limit" AS because,
       clients, (SELECT count(*) FROM names n WHERE n.client_ip = j.client_ip AND n.denied > 0 AND n.sent <= 0.5 * j."limit") AS innocent,
       (SELECT sum(n.denied) FROM names n WHERE n.client_ip = j.client_ip AND n.sent <= 0.5 * j."limit") AS innocent_denials, 'client_ip' AS limiter_key
FROM judged j
WHERE j.denied >= 1 AND clients >= CASE WHEN known THEN 3 ELSE 5 END AND forwarded_values <= 2 AND most <= 0.5 * "limit" AND told
  -- where many requests are logged the limiter can be found, and says more
  AND j.sent <= 200
ORDER BY j.denied DESC LIMIT 3
