-- a visit: requests of one client without a pause of more than a second
WITH marked AS (
    SELECT *, split_part(path, '?', 1) AS route,
           regexp_matches(lower(split_part(path, '?', 1)), '[.](js|mjs|css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|map|wasm|json|html?|pbf|mvt)$|/(tiles?|static|assets|_next|chunks?|images?|img|fonts?|media|thumbs?)/') AS part,
           coalesce(stamp_us - lag(stamp_us) OVER (PARTITION BY client_ip, user_agent ORDER BY stamp_us, outer_line) > 1000000 + resolution_seconds * 500000, true) AS starts
    FROM seen WHERE client_ip IS NOT NULL),
visits AS (SELECT *, sum(CASE WHEN starts THEN 1 ELSE 0 END) OVER (PARTITION BY client_ip, user_agent ORDER BY stamp_us, outer_line ROWS UNBOUNDED PRECEDING) AS visit FROM marked),
loads AS (
    SELECT client_ip, user_agent, visit, count(*) AS n, count(DISTINCT route) AS paths, count(*) FILTER (part) AS parts, count(*) FILTER (denied AND reason = 'limit') AS denied,
           count(*) FILTER (NOT denied) AS admitted, (max(stamp_us) - min(stamp_us)) / 1e6 AS span, min(moment) AS from_at, max(moment) AS to_at,
           array_to_string(list('F' || file || ':' || line ORDER BY denied DESC, stamp_us)[1:4], ' ') AS ids
    FROM visits GROUP BY ALL),
clients AS (SELECT client_ip, user_agent, count(*) AS visits, sum(n) AS sent, max(to_at) AS last_at, min(from_at) AS first_at FROM loads GROUP BY ALL),
fan AS (
    SELECT l.* FROM loads l JOIN clients c ON c.client_ip IS NOT DISTINCT FROM l.client_ip AND c.user_agent IS NOT DISTINCT FROM l.user_agent
    WHERE l.denied >= 1 AND l.n >= 6 AND l.span <= 2 AND l.paths >= 0.7 * l.n AND l.parts >= 0.6 * l.n
      -- pages one after the other for minutes are a crawler's
      AND c.visits <= 30 AND (regexp_matches(coalesce(l.user_agent, 'Mozilla'), '(?i)mozilla') AND NOT regexp_matches(coalesce(l.user_agent, ''), '(?i)bot|crawl|spider|scrap'))
      AND l.n >= 0.1 * c.sent),
largest AS (SELECT * FROM fan ORDER BY n DESC, from_at LIMIT 1)
SELECT CASE WHEN count(DISTINCT f.client_ip) = 1 THEN any_value(f.client_ip) END AS subject_client_ip, NULL AS limiter, min(f.from_at) AS from_at, max(f.to_at) AS to_at, 0.88 AS confidence,
       sum(f.denied) AS explained, any_value(l.ids) AS evidence,
       'the requests come together, are of different paths, and are mostly parts of a page' || chr(10) || 'the client is silent before and after' AS because,
       count(DISTINCT (f.client_ip, f.user_agent)) AS clients, count(*) AS page_loads, any_value(l.n) AS burst, round(any_value(l.span), 3) AS span_seconds, any_value(l.paths) AS paths,
       sum(f.denied) AS denied, any_value(l.admitted) AS admitted
FROM fan f, largest l HAVING count(*) > 0
