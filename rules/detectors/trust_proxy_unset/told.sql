-- The limiter's own word for the key: an address that stands for several clients. It is a proxy when the limiter's message or the log beside it
-- shows forwarded addresses behind it.
WITH k AS (SELECT id, file, line, at_us, moment, address, coalesce(allowed = false, false) OR kind = 'limiter_reject' OR coalesce(counted > limit_value, false) AS denied,
                  trim(split_part(forwarded, ',', 1)) AS leftmost, trim(array_to_string(string_split(forwarded, ',')[-1:], '')) AS last_hop
           FROM keyed WHERE address <> '' AND NOT contains(limiter_key, ',')),
clients AS (
    -- in the message itself
    SELECT address, leftmost AS client FROM k WHERE leftmost IS NOT NULL AND leftmost <> '' AND leftmost <> address
    UNION
    -- in an access log whose peer is this address
    SELECT r.peer, trim(split_part(r.forwarded, ',', 1)) FROM (SELECT coalesce(peer_ip, client_ip) AS peer, forwarded FROM requests WHERE forwarded IS NOT NULL AND forwarded NOT IN ('', '-')) r
    WHERE EXISTS (SELECT 1 FROM k WHERE k.address = r.peer) AND trim(split_part(r.forwarded, ',', 1)) <> r.peer),
behind AS (SELECT address, count(DISTINCT client) AS clients FROM clients GROUP BY address HAVING count(DISTINCT client) >= 2),
hit AS (SELECT k.* FROM k JOIN behind b ON b.address = k.address),
total AS (
    SELECT count(DISTINCT address) AS addresses, string_agg(DISTINCT address, chr(10)) AS names, count(*) AS sent, count(*) FILTER (denied) AS denied, min(moment) AS from_at, max(moment) AS to_at,
           greatest(1, (max(at_us) - min(at_us)) / 1e6) AS seconds, array_to_string(list(id ORDER BY denied DESC, at_us, line)[1:6], ' ') AS ids FROM hit),
known AS (SELECT count(DISTINCT client) AS clients FROM clients c JOIN behind b ON b.address = c.address),
seen_denials AS (SELECT count(*) AS n FROM seen WHERE denied),
-- no key is named: a few lines, one private address for everybody, and from the first denial on everybody is denied
lines AS (
    SELECT 'F' || r.file || ':' || r.line AS id, r.file, r.line, r.logged_at AS moment, epoch_us(r.logged_at) AS at_us, coalesce(r.peer_ip, r.client_ip) AS peer, trim(split_part(r.forwarded, ',', 1)) AS leftmost, r.status,
           a.exchange IS NOT NULL AS denied
    FROM requests r LEFT JOIN exchange_lines x ON x.file = r.file AND x.line = r.line
    LEFT JOIN (SELECT DISTINCT exchange FROM attributions WHERE reason IN ('limit', 'unknown')) a ON a.exchange = x.exchange
    WHERE r.forwarded IS NOT NULL AND r.forwarded NOT IN ('', '-') AND (SELECT count(*) FROM (SELECT 1 FROM requests LIMIT 301)) <= 300),
peers AS (
    SELECT peer, count(*) AS sent, count(DISTINCT leftmost) AS clients, count(*) FILTER (denied) AS denied, count(DISTINCT leftmost) FILTER (denied) AS denied_clients, min(at_us) FILTER (denied) AS first_us, min(moment) AS from_at, max(moment) AS to_at,
           greatest(1, (max(at_us) - min(at_us)) / 1e6) AS seconds, max(at_us) FILTER (NOT denied) AS last_admitted_us, array_to_string(list(id ORDER BY denied DESC, at_us, line)[1:6], ' ') AS ids
    FROM lines WHERE regexp_matches(peer, '^(10[.]|192[.]168[.]|172[.](1[6-9]|2[0-9]|3[01])[.]|127[.])|~(private|loopback)') AND leftmost <> peer GROUP BY peer),
alone AS (SELECT * FROM peers WHERE (SELECT count(*) FROM peers) = 1 AND clients >= 3 AND denied >= 3 AND denied_clients >= 3 AND last_admitted_us < first_us)
SELECT NULL AS limiter, from_at, to_at, CASE WHEN k.clients >= 3 OR addresses > 1 THEN 0.95 ELSE 0.88 END AS confidence, greatest(t.denied, d.n) AS explained, ids AS evidence,
       'the limiter names ' || replace(names, chr(10), ', ') || ' as its key' || chr(10) || k.clients || ' clients are forwarded by it' AS because,
       names AS collapsed_to, k.clients AS distinct_clients, round(sent / k.clients / seconds, 3) AS mean_client_rate_per_second
FROM total t, known k, seen_denials d WHERE sent > 0 AND (t.denied > 0 OR d.n > 0) AND k.clients >= 2
UNION ALL
SELECT NULL, from_at, to_at, 0.75, denied, ids, 'every line has the same private peer ' || peer || ', and ' || clients || ' clients behind it' || chr(10) || 'from the first denial on, all of them are denied',
       peer, clients, round(sent / clients / seconds, 3)
FROM alone WHERE NOT EXISTS (SELECT 1 FROM hit)
