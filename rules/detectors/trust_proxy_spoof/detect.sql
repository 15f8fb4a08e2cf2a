-- What came with the request: X-Forwarded-For as the outermost layer received it, or, where only an inner layer logs it, what stands before the
-- address that the outermost layer appended.
WITH lists AS (
    SELECT s.exchange, coalesce(o.peer_ip, o.client_ip, s.client_ip) AS socket, s.denied, s.moment, s.at_us, s.outer_file AS file, s.outer_line AS line,
           coalesce(o.forwarded,
                    CASE WHEN trim(split_part(s.forwarded, ',', -1)) IN (o.peer_ip, o.client_ip) AND contains(s.forwarded, ',') THEN s.forwarded END) AS chain,
           i.client_ip AS believed
    FROM seen s JOIN requests o ON o.file = s.outer_file AND o.line = s.outer_line
    LEFT JOIN (SELECT x.exchange, any_value(r.client_ip) AS client_ip FROM exchange_lines x JOIN requests r ON r.file = x.file AND r.line = x.line
               WHERE x.depth > 0 GROUP BY x.exchange) i ON i.exchange = s.exchange),
parts AS (SELECT *, trim(split_part(chain, ',', 1)) AS claimed FROM lists),
sockets AS (
    SELECT socket, count(*) AS sent, count(claimed) AS claims, count(DISTINCT claimed) AS addresses, count(*) FILTER (denied AND claimed IS NOT NULL) AS denied,
           count(*) FILTER (believed = claimed) AS believed, count(believed) AS judged, min(moment) AS from_at, max(moment) AS to_at,
           string_agg('F' || file || ':' || line, ' ' ORDER BY at_us) FILTER (claimed IS NOT NULL) AS ids
    FROM parts GROUP BY socket),
plain AS (SELECT count(*) AS n FROM sockets WHERE claims = 0),
keyed AS (SELECT count(*) AS n FROM found_limiters WHERE keys LIKE '%xff_leftmost%'),
-- express-rate-limit warns when any proxy is trusted
warned AS (SELECT count(*) AS n, ' ' || min('F' || file || ':' || line) AS id FROM notices WHERE contains(message, 'ERR_ERL_PERMISSIVE_TRUST_PROXY'))
SELECT s.socket AS subject_peer_ip, (SELECT min(limiter) FROM found_limiters WHERE keys LIKE '%xff_leftmost%') AS limiter, s.from_at, s.to_at,
       CASE WHEN k.n > 0 AND s.believed > 0.8 * s.claims THEN 0.96 ELSE 0.85 END AS confidence, 0 AS explained,
       array_to_string(string_split(s.ids, ' ')[1:5], ' ') || coalesce(w.id, '') AS evidence,
       'the leftmost address changes with nearly every request of one socket' || chr(10) || 'most other sockets send none: this is no proxy in front of everybody'
         || CASE WHEN s.believed > 0.8 * s.claims THEN chr(10) || 'the layer behind takes it for the client' ELSE '' END
         || CASE WHEN w.n > 0 THEN chr(10) || 'the limiter itself warns that the application trusts every proxy' ELSE '' END AS because,
       s.addresses AS distinct_forwarded_addresses, 1 AS sockets, s.claims AS requests, s.denied
FROM sockets s, plain p, keyed k, warned w
WHERE s.addresses >= 10 AND s.claims >= 20 AND s.addresses >= 0.5 * s.claims AND p.n >= 2
  AND (s.believed > 0.8 * s.claims OR k.n > 0) AND s.denied <= 0.5 * s.claims
ORDER BY s.addresses DESC
