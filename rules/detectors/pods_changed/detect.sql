-- nodes that share the work, but not for the whole time
WITH work AS (
    SELECT i.layer, i.node, r.logged_at AS moment, r.file, r.line FROM requests r JOIN inputs i ON i.file = r.file
    WHERE i.node IS NOT NULL AND i.node <> '' AND i.layer = 'app'),
lives AS (SELECT layer, node, min(moment) AS born, max(moment) AS died, count(*) AS n, arg_min('F' || file || ':' || line, moment) AS first_id FROM work GROUP BY layer, node),
spans AS (SELECT layer, min(born) AS first, max(died) AS last, count(*) AS nodes, greatest(1, epoch(max(died)) - epoch(min(born))) AS seconds FROM lives GROUP BY layer),
changes AS (
    SELECT l.layer, l.born AS moment, l.node, first_id FROM lives l JOIN spans s ON s.layer = l.layer
    WHERE l.n >= 20 AND epoch(l.born) - epoch(s.first) > greatest(5, 0.1 * s.seconds)),
first AS (SELECT layer, min(moment) AS moment, string_agg(first_id, ' ' ORDER BY moment, node) AS ids FROM changes GROUP BY layer)
SELECT f.layer AS subject_layer, (SELECT min(limiter) FROM found_limiters x WHERE x.layer = f.layer AND x.scope = 'per_node') AS limiter, f.moment AS from_at, NULL AS to_at, 0.9 AS confidence, 0 AS explained, f.ids AS evidence,
       'nodes appear in the middle of the time and take their share from then on' AS because,
       strftime(f.moment, '%Y-%m-%dT%H:%M:%S.%fZ') AS "at",
       (SELECT count(*) FROM lives l WHERE l.layer = f.layer AND l.born < f.moment AND l.n >= 20) AS before,
       (SELECT count(*) FROM lives l WHERE l.layer = f.layer AND l.born <= f.moment + INTERVAL 5 SECOND AND l.died > f.moment AND l.n >= 20) AS after
FROM first f
WHERE (SELECT count(*) FROM lives l WHERE l.layer = f.layer AND l.born < f.moment AND l.n >= 20 AND l.died > f.moment) >= 1
