-- a prober says so in its User-Agent; else the path says it, where one address asks for it at an even pace
WITH probes AS (
    SELECT s.*, split_part(s.path, '?', 1) AS route,
           regexp_matches(coalesce(user_agent, ''), '(?i)kube-probe|ELB-HealthChecker|GoogleHC|HealthCheck|health-check|Consul Health|Prometheus/|Uptime|Pingdom|Blackbox|Envoy/HC|HAProxy') AS by_prober
    FROM seen s
    WHERE regexp_matches(coalesce(user_agent, ''), '(?i)kube-probe|ELB-HealthChecker|GoogleHC|HealthCheck|health-check|Consul Health|Blackbox|Envoy/HC')
       OR regexp_matches(split_part(coalesce(s.path, ''), '?', 1), '(?i)(^|/)(health|healthz|healthcheck|health-check|livez|readyz|ready|readiness|live|liveness|ping|alive|up|heartbeat)/?$')),
paced AS (SELECT *, (stamp_us - lag(stamp_us) OVER (PARTITION BY client_ip, route ORDER BY stamp_us, outer_line)) / 1e6 AS gap FROM probes),
-- a standby or a full queue that answers 429 to its prober is no limiter: a limiter lets some pass, or tells its count
counted AS (SELECT exchange, max(limit_value) AS limit_value, bool_or(remaining IS NOT NULL OR limit_value IS NOT NULL) AS told FROM answers WHERE exchange IS NOT NULL GROUP BY exchange),
routes AS (
    SELECT route, count(*) AS probes, count(*) FILTER (denied AND reason = 'limit') AS denied, mode(status) FILTER (denied) AS status, median(gap) AS gap, bool_or(by_prober) AS by_prober,
           max(c.limit_value) AS limit_value, coalesce(bool_or(c.told), false) AS told, count(*) FILTER (NOT denied) AS passed, min(moment) FILTER (denied) AS from_at, max(moment) FILTER (denied) AS to_at,
           count(DISTINCT client_ip) AS probers, max(component) AS component,
           array_to_string(list('F' || file || ':' || line ORDER BY stamp_us) FILTER (denied)[1:5], ' ') AS ids
    FROM paced p LEFT JOIN counted c ON c.exchange = p.exchange GROUP BY route),
falls AS (SELECT count(*) AS n, string_agg(id, ' ') AS ids FROM (
    SELECT 'F' || file || ':' || line AS id FROM notices WHERE regexp_matches(message, '(?i)(liveness|readiness|health|startup) ?probe failed|unhealthy.*(429|probe)|failed (liveness|readiness) probe|will be restarted') ORDER BY file, line LIMIT 3))
SELECT route AS subject_path, NULL AS limiter, from_at, to_at, CASE WHEN told OR f.n > 0 THEN 0.95 ELSE 0.85 END AS confidence, denied AS explained,
       routes.ids || CASE WHEN f.n > 0 THEN ' ' || f.ids ELSE '' END AS evidence,
       CASE WHEN by_prober THEN 'the User-Agent is a prober''s' ELSE 'the path is a health path, asked for every ' || round(gap, 1) || ' s' END
         || CASE WHEN told THEN chr(10) || 'the responses carry the limiter''s count' ELSE '' END || CASE WHEN f.n > 0 THEN chr(10) || f.n || ' messages tell of failed probes or restarts' ELSE '' END AS because,
       probes, denied, status, round(gap, 3) AS interval_seconds, limit_value AS "limit", f.n AS restarts,
       CASE WHEN f.n > 0 THEN ', and the container was restarted or marked unhealthy for it' ELSE '' END AS restarts_text
FROM routes, falls f
WHERE denied >= 1 AND (told OR (passed > 0 AND component <> '' AND by_prober)) AND (by_prober OR (probers <= 3 AND denied >= 2))
ORDER BY denied DESC LIMIT 3
