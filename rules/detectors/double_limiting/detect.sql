WITH hit AS (SELECT a.layer, s.who, s.moment, s.stamp_us, a.file, a.line FROM attributions a JOIN seen s ON s.exchange = a.exchange
             WHERE a.reason = 'limit' AND a.visible AND a.layer <> 'unknown'),
layers AS (SELECT layer, count(*) AS n, min(moment) AS from_at, max(moment) AS to_at, arg_min('F' || file || ':' || line, stamp_us) AS id FROM hit GROUP BY layer),
-- a handful of odd answers makes no second limiter
real AS (SELECT * FROM layers WHERE n >= greatest(5, 0.01 * (SELECT sum(n) FROM layers))),
shared AS (SELECT count(*) AS n FROM (SELECT who FROM hit WHERE layer IN (SELECT layer FROM real) GROUP BY who HAVING count(DISTINCT layer) > 1))
SELECT NULL AS limiter, min(from_at) AS from_at, max(to_at) AS to_at, 0.92 AS confidence, 0 AS explained, string_agg(id, ' ' ORDER BY real.n DESC) AS evidence,
       'denials of ' || count(*) || ' layers stand side by side' AS because,
       string_agg(layer, chr(10) ORDER BY real.n DESC, layer) AS layers, string_agg(layer || '=' || real.n, chr(10) ORDER BY real.n DESC) AS denials,
       any_value(shared.n) AS clients_of_several
FROM real, shared HAVING count(*) >= 2
