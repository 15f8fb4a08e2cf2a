-- the layer's own word for the client against what is known outside of it
WITH viewed AS (
    SELECT d.limiter, coalesce(r.client_ip, r.peer_ip) AS believed, s.client_ip AS outside,
           trim(split_part(coalesce(r.forwarded, s.forwarded), ',', 1)) AS forwarded, d.admitted, d.at_us, s.moment, d.file, d.line
    FROM decisions d JOIN seen s ON s.exchange = d.exchange JOIN requests r ON r.file = d.file AND r.line = d.line
    JOIN found_limiters l ON l.limiter = d.limiter
    WHERE l.key IN ('', 'peer_ip') OR l.keys LIKE '%;,peer_ip,;%' OR l.keys LIKE '%;,,;%'),
counted AS (
    SELECT limiter, count(DISTINCT believed) AS believed, greatest(count(DISTINCT outside), count(DISTINCT forwarded)) AS clients,
           string_agg(DISTINCT believed, chr(10)) AS names, count(*) AS sent, count(*) FILTER (NOT admitted) AS denied, min(moment) AS from_at, max(moment) AS to_at,
           greatest(1, (max(at_us) - min(at_us)) / 1e6) AS seconds
    FROM viewed WHERE believed IS NOT NULL GROUP BY limiter),
evidence AS (
    SELECT limiter, string_agg('F' || file || ':' || line, ' ' ORDER BY at_us) AS ids
    FROM (SELECT *, row_number() OVER (PARTITION BY limiter, coalesce(forwarded, outside) ORDER BY at_us) AS n FROM viewed WHERE NOT admitted) WHERE n = 1 GROUP BY limiter),
-- express-rate-limit's own word for it is ERR_ERL_UNEXPECTED_X_FORWARDED_FOR
warned AS (
    SELECT count(*) AS n, ' ' || min('F' || file || ':' || line) AS id FROM notices
    WHERE message ILIKE '%x-forwarded-for%' AND message ILIKE '%trust proxy%' OR contains(message, 'ERR_ERL_UNEXPECTED_X_FORWARDED_FOR'))
SELECT c.limiter, c.from_at, c.to_at, CASE WHEN w.n > 0 OR l.key = 'peer_ip' THEN 0.95 ELSE 0.8 END AS confidence, c.denied AS explained,
       array_to_string(string_split(e.ids, ' ')[1:6], ' ') || coalesce(w.id, '') AS evidence,
       'the layer that denies knows ' || c.believed || ' client address(es) where ' || c.clients || ' are known outside' || chr(10)
         || 'the denials fit one bucket for all of them'
         || CASE WHEN w.n > 0 THEN chr(10) || 'the limiter itself warns that X-Forwarded-For is there and no proxy is trusted' ELSE '' END AS because,
       c.names AS collapsed_to, c.clients AS distinct_clients, round(c.sent / c.clients / c.seconds, 3) AS mean_client_rate_per_second
FROM counted c JOIN found_limiters l ON l.limiter = c.limiter LEFT JOIN evidence e ON e.limiter = c.limiter, warned w
WHERE c.clients >= 5 AND c.clients >= 4 * c.believed AND c.denied >= 5
ORDER BY c.denied DESC
