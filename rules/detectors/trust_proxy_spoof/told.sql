-- what is left is the full limit for each request, and each request bears another leftmost address: one sender writes its own key
WITH lines AS (
    SELECT *, trim(split_part(forwarded, ',', 1)) AS leftmost, regexp_replace(forwarded, '^[^,]*,?\s*', '') AS rest, coalesce(peer_ip, client_ip) AS peer
    FROM answers WHERE file IS NOT NULL AND forwarded IS NOT NULL AND forwarded NOT IN ('', '-') AND remaining IS NOT NULL AND limit_value > 1),
senders AS (
    SELECT peer, coalesce(user_agent, '') AS agent, rest, count(*) AS n, count(DISTINCT leftmost) AS leftmosts, count(*) FILTER (remaining >= limit_value - 1) AS fresh, count(DISTINCT peer) AS sockets,
           count(*) FILTER (denied) AS denied, min(moment) AS from_at, max(moment) AS to_at, array_to_string(list(id ORDER BY at_us, line)[1:6], ' ') AS ids, any_value(limit_value) AS limit_value
    FROM lines GROUP BY ALL)
SELECT peer AS subject_peer_ip, NULL AS limiter, from_at, to_at, CASE WHEN rest <> '' THEN 0.93 ELSE 0.85 END AS confidence, 0 AS explained, ids AS evidence,
       'the leftmost forwarded address is another one in each of ' || n || ' requests' || chr(10) || 'each of them starts with the full limit'
         || CASE WHEN rest <> '' THEN chr(10) || 'the rest of the chain is always ' || rest ELSE chr(10) || 'all come from ' || peer || ', no proxy' END AS because,
       leftmosts AS distinct_forwarded_addresses, sockets, n AS requests, denied
FROM senders
WHERE n >= 5 AND leftmosts >= 0.9 * n AND fresh >= 0.9 * n AND n > limit_value * 0.5
  -- behind a proxy that forwards one address each these are clients; a chain whose rest stays the same is one client's
  AND (rest <> '' OR NOT regexp_matches(peer, '^(10[.]|192[.]168[.]|172[.](1[6-9]|2[0-9]|3[01])[.]|127[.])|~(private|loopback)'))
ORDER BY n DESC LIMIT 1
