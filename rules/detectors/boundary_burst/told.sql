-- the count that is sent starts anew between two full spends of it
WITH one AS (
    SELECT DISTINCT ON (layer, client, coalesce(policy, ''), id) *, coalesce(policy, '') AS named FROM answers
    WHERE remaining IS NOT NULL AND limit_value >= 2 AND file IS NOT NULL AND NOT denied ORDER BY layer, client, coalesce(policy, ''), id),
windows AS (SELECT layer, client, named, limit_value, greatest(max(window_seconds), max(reset_seconds)) AS w FROM answers x, (SELECT DISTINCT named FROM one) n WHERE coalesce(x.policy, '') = n.named AND remaining IS NOT NULL GROUP BY ALL),
marked AS (
    SELECT o.*, w.w, remaining - lag(remaining) OVER s >= 0.7 * o.limit_value AS anew, lag(remaining) OVER s AS before
    FROM one o JOIN windows w ON w.layer = o.layer AND w.client = o.client AND w.named = o.named AND w.limit_value = o.limit_value
    WHERE w.w > 1 WINDOW s AS (PARTITION BY o.layer, o.client, o.named ORDER BY o.at_us, o.line)),
boundaries AS (SELECT layer, client, named, limit_value, w, at_us AS boundary_us FROM marked WHERE anew AND before <= 0.3 * limit_value),
around AS (
    SELECT b.layer, b.client, b.named, b.limit_value, b.w, b.boundary_us, count(*) AS n, min(o.at_us) AS first_us, max(o.at_us) AS last_us, min(o.moment) AS from_at, max(o.moment) AS to_at,
           count(*) FILTER (o.at_us < b.boundary_us) AS before, count(*) FILTER (o.at_us >= b.boundary_us) AS after, array_to_string(list(o.id ORDER BY o.at_us)[1:12], ' ') AS ids
    FROM boundaries b JOIN one o ON o.layer = b.layer AND o.client = b.client AND o.named = b.named AND o.at_us BETWEEN b.boundary_us - CAST(b.w * 250000 AS BIGINT) AND b.boundary_us + CAST(b.w * 250000 AS BIGINT) GROUP BY ALL),
worst AS (SELECT *, count(DISTINCT client) OVER () AS keys, row_number() OVER (ORDER BY n / limit_value DESC, client) AS place FROM around WHERE n >= 1.5 * limit_value AND n <= 2.1 * limit_value AND before <= limit_value AND after <= limit_value)
SELECT client AS subject_key, NULL AS limiter, from_at, to_at, 0.92 AS confidence, 0 AS explained, ids AS evidence,
       before || ' requests pass before the count starts anew and ' || after || ' after it' AS because,
       n AS admitted, round((last_us - first_us) / 1e6, 3) AS span_seconds, limit_value AS declared_limit, w AS window_seconds, keys
FROM worst WHERE place = 1
