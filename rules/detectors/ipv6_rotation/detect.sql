-- raw addresses are cut here; redacted ones carry their networks in the name, from the widest to the host
WITH sent AS (
    SELECT d.limiter, s.client_ip, s.user_agent, d.admitted, d.at_us, s.moment, d.file, d.line,
           CASE WHEN s.client_ip LIKE 'ip\_%' ESCAPE '\' THEN regexp_replace(s.client_ip, '\.[^.]*$', '')
                WHEN contains(s.client_ip, '::') AND len(string_split(split_part(s.client_ip, '::', 1), ':')) < 4
                    THEN array_to_string(string_split(split_part(s.client_ip, '::', 1), ':'), ':') || ':'
                ELSE array_to_string(string_split(s.client_ip, ':')[1:4], ':') END AS net
    FROM decisions d JOIN seen s ON s.exchange = d.exchange JOIN found_limiters l ON l.limiter = d.limiter
    WHERE (contains(s.client_ip, ':') OR s.client_ip LIKE 'ip\_%.%.%.%' ESCAPE '\') AND l.key = 'client_ip'),
nets AS (
    SELECT limiter, net, count(DISTINCT client_ip) AS addresses, count(*) AS sent, count(*) FILTER (NOT admitted) AS denied, count(DISTINCT user_agent) AS agents,
           min(moment) AS from_at, max(moment) AS to_at, greatest(1, (max(at_us) - min(at_us)) / 1e6) AS seconds,
           string_agg('F' || file || ':' || line, ' ' ORDER BY at_us) AS ids
    FROM sent GROUP BY limiter, net)
SELECT n.net AS subject_client_net, n.limiter, n.from_at, n.to_at, CASE WHEN agents <= 3 THEN 0.93 ELSE 0.75 END AS confidence, 0 AS explained,
       array_to_string(string_split(n.ids, ' ')[1:5], ' ') AS evidence,
       'one /64 belongs to one customer, and it uses ' || addresses || ' addresses with ' || agents || ' User-Agent(s)' || chr(10)
         || 'together they send more than one address may' AS because,
       addresses, net || CASE WHEN net LIKE 'ip\_%' ESCAPE '\' THEN '' ELSE '::/64' END AS prefix, sent AS requests, denied, round(sent / seconds, 3) AS rate_per_second
FROM nets n JOIN found_limiters l ON l.limiter = n.limiter
WHERE addresses >= 20 AND sent >= 40 AND denied < 0.05 * sent AND sent / addresses <= 20 AND agents <= greatest(5, 0.2 * addresses)
  AND sent / seconds > coalesce(l.rate_per_second, l.limit_high / l.window_seconds)
ORDER BY sent DESC
