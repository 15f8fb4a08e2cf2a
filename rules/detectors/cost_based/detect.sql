SELECT l.limiter, l.from_at, l.to_at, least(0.9, l.agreement) AS confidence, 0 AS explained,
       (SELECT array_to_string(list('F' || file || ':' || line ORDER BY at_us)[1:4], ' ') FROM decisions d WHERE d.limiter = l.limiter AND NOT admitted) AS evidence,
       'the decisions fit only when routes weigh differently' AS because, l.cost AS costs
FROM found_limiters l WHERE l.cost IS NOT NULL ORDER BY l.limiter
