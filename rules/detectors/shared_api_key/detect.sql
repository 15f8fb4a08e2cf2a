WITH used AS (
    SELECT d.limiter, s.api_key, s.client_ip, s.user_agent, d.admitted, d.at_us, s.moment, d.file, d.line
    FROM decisions d JOIN seen s ON s.exchange = d.exchange JOIN found_limiters l ON l.limiter = d.limiter
    WHERE s.api_key IS NOT NULL AND l.keys LIKE '%;,api_key,;%' AND l.keys NOT LIKE '%;,client_ip,;%'),
sources AS (
    SELECT limiter, api_key, client_ip, count(*) AS sent, min(at_us) AS first_us, max(at_us) AS last_us FROM used GROUP BY limiter, api_key, client_ip),
per_key AS (
    SELECT u.limiter, u.api_key, count(DISTINCT u.client_ip) AS addresses, count(DISTINCT u.user_agent) AS user_agents,
           count(*) FILTER (NOT u.admitted) AS denied, min(moment) AS from_at, max(moment) AS to_at, greatest(1, (max(at_us) - min(at_us)) / 1e6) AS seconds
    FROM used u GROUP BY u.limiter, u.api_key),
alone AS (
    SELECT s.limiter, s.api_key, count(*) FILTER (s.sent / k.seconds <= coalesce(l.rate_per_second, l.limit_high / l.window_seconds)) AS below,
           -- sources that take turns are one client on the move; those that are there at the same time are several
           count(*) FILTER (s.sent >= 3 AND s.last_us - s.first_us > 0.2 * k.seconds * 1e6) AS lasting
    FROM sources s JOIN per_key k ON k.limiter = s.limiter AND k.api_key = s.api_key JOIN found_limiters l ON l.limiter = s.limiter
    GROUP BY s.limiter, s.api_key),
evidence AS (
    SELECT limiter, api_key, string_agg('F' || file || ':' || line, ' ' ORDER BY at_us) AS ids
    FROM (SELECT *, row_number() OVER (PARTITION BY limiter, api_key, client_ip ORDER BY admitted, at_us) AS n FROM used) WHERE n = 1 GROUP BY limiter, api_key)
SELECT k.api_key AS subject_api_key, k.limiter, k.from_at, k.to_at, CASE WHEN k.addresses >= 3 THEN 0.92 ELSE 0.75 END AS confidence, k.denied AS explained,
       array_to_string(string_split(e.ids, ' ')[1:6], ' ') AS evidence,
       k.addresses || ' addresses send with this key at the same time' || chr(10) || a.below || ' of them would stay within the limit alone' AS because,
       k.addresses AS services, k.user_agents, a.below AS below_limit_alone
FROM per_key k JOIN alone a ON a.limiter = k.limiter AND a.api_key = k.api_key JOIN evidence e ON e.limiter = k.limiter AND e.api_key = k.api_key
WHERE k.addresses >= 3 AND a.lasting >= 3 AND k.denied >= 10
ORDER BY k.denied DESC
