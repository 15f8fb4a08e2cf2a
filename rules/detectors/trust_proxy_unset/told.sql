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
seen_denials AS (SELECT count(*) AS n FROM seen WHERE denied)
SELECT NULL AS limiter, from_at, to_at, CASE WHEN k.clients >= 3 OR addresses > 1 THEN 0.95 ELSE 0.88 END AS confidence, greatest(t.denied, d.n) AS explained, ids AS evidence,
       'the limiter names ' || replace(names, chr(10), ', ') || ' as its key' || chr(10) || k.clients || ' clients are forwarded by it' AS because,
       names AS collapsed_to, k.clients AS distinct_clients, round(sent / k.clients / seconds, 3) AS mean_client_rate_per_second
FROM total t, known k, seen_denials d WHERE sent > 0 AND (t.denied > 0 OR d.n > 0) AND k.clients >= 2
