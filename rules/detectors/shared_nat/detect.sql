WITH named AS (
    SELECT d.limiter, d.key, coalesce(s.api_key, s."user") IS NOT NULL AS known,
           coalesce('key ' || s.api_key, 'user ' || s."user", 'agent ' || s.user_agent) AS client, d.admitted, d.at_us, d.file, d.line, s.client_ip, s.moment,
           s.outer_layer = l.layer OR s.peer_ip IS NULL AS outermost, s.forwarded
    FROM decisions d JOIN seen s ON s.exchange = d.exchange
    JOIN found_limiters l ON l.limiter = d.limiter
    WHERE (l.keys LIKE '%;,client_ip,;%' OR l.keys LIKE '%;,client_net,;%' OR l.keys LIKE '%;,xff_leftmost,;%' OR l.keys LIKE '%;,peer_ip,;%')
      AND l.keys NOT LIKE '%;,api_key,;%' AND l.keys NOT LIKE '%;,user,;%'),
clients AS (
    SELECT limiter, key, client, bool_or(known) AS known, count(*) AS sent, count(*) FILTER (NOT admitted) AS denied
    FROM named WHERE client IS NOT NULL GROUP BY limiter, key, client),
addresses AS (
    SELECT limiter, key, any_value(client_ip) AS client_ip, min(moment) AS from_at, max(moment) AS to_at, greatest(1, (max(at_us) - min(at_us)) / 1e6) AS seconds,
           count(*) FILTER (NOT admitted) AS denied, count(DISTINCT forwarded) AS forwarded_values, count(DISTINCT client_ip) AS addresses
    FROM named GROUP BY limiter, key),
judged AS (
    SELECT a.limiter, a.key, count(*) AS clients, bool_and(c.known) AS known,
           count(*) FILTER (c.denied > 0 AND c.sent / a.seconds <= 0.5 * coalesce(l.rate_per_second, l.limit_high / l.window_seconds)) AS innocent,
           coalesce(sum(c.denied) FILTER (c.sent / a.seconds <= 0.5 * coalesce(l.rate_per_second, l.limit_high / l.window_seconds)), 0) AS innocent_denials
    FROM clients c JOIN addresses a ON a.limiter = c.limiter AND a.key = c.key JOIN found_limiters l ON l.limiter = c.limiter
    -- a name seen once or twice is a passer-by, or one of many that a bot makes up
    WHERE c.sent >= 3 GROUP BY a.limiter, a.key),
evidence AS (
    SELECT limiter, key, string_agg('F' || file || ':' || line, ' ' ORDER BY at_us) AS ids
    FROM (SELECT *, row_number() OVER (PARTITION BY limiter, key, client ORDER BY at_us) AS n FROM named WHERE NOT admitted)
    WHERE n = 1 GROUP BY limiter, key)
SELECT a.client_ip AS subject_client_ip, a.limiter, a.from_at, a.to_at, CASE WHEN j.known THEN 0.93 ELSE 0.7 END AS confidence, a.denied AS explained,
       array_to_string(string_split(e.ids, ' ')[1:8], ' ') AS evidence,
       j.clients || ' identities send from this one address, all counted in one bucket' || chr(10)
         || j.innocent || ' of them would stay below half of the limit on their own' AS because,
       j.clients, j.innocent, j.innocent_denials, replace(l.key, ',', chr(10)) AS limiter_key
FROM judged j JOIN addresses a ON a.limiter = j.limiter AND a.key = j.key JOIN found_limiters l ON l.limiter = j.limiter
JOIN evidence e ON e.limiter = j.limiter AND e.key = j.key
WHERE j.clients >= CASE WHEN j.known THEN 3 ELSE 5 END AND j.innocent >= 2 AND a.denied >= 10
  -- an address that forwards for others is a proxy, not a NAT; and where there is no other address nothing is shared by it
  AND a.forwarded_values <= 2 AND a.addresses = 1
  AND (SELECT count(*) FROM addresses o WHERE o.limiter = a.limiter) > 1
ORDER BY a.denied DESC
