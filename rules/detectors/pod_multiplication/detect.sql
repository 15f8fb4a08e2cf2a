-- a limiter whose key needs the node: the reconstruction has compared both
WITH shown AS (
    SELECT limiter, string_agg('F' || file || ':' || line, ' ' ORDER BY node, at_us) AS evidence
    FROM (SELECT limiter, node, file, line, at_us, row_number() OVER (PARTITION BY limiter, node ORDER BY admitted, at_us) AS n FROM decisions)
    WHERE n <= 2 GROUP BY limiter)
SELECT NULL AS subject_api_key, NULL AS subject_user, NULL AS subject_tenant, NULL AS subject_client_ip, l.limiter, l.from_at, l.to_at, least(0.97, l.agreement) AS confidence, 0 AS explained, s.evidence,
       'the counts fit only when the requests of each node are counted apart' || chr(10)
         || nodes || ' nodes take part, each with the same limit' AS because,
       nodes AS pods, coalesce(limit_low, burst) AS per_pod_limit_low, coalesce(limit_high, burst) AS per_pod_limit_high,
       coalesce(limit_low, burst) * nodes AS effective_limit_low, coalesce(limit_high, burst) * nodes AS effective_limit_high,
       window_seconds, CASE WHEN l.layer IN ('gateway', 'cdn') THEN 'state-per-gateway-replica' ELSE 'state-per-process' END AS pitfall
FROM found_limiters l LEFT JOIN shown s ON s.limiter = l.limiter
WHERE l.scope = 'per_node' AND l.nodes > 1
ORDER BY l.limiter
